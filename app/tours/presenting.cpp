#include "app/tours/presenting.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>

#include "app/session/command.h"
#include "app/session/layouts.h"
#include "app/session/settings.h"
#include "app/session/transitions.h"
#include "app/tours/scene_in_run.h"

namespace whorl::app {

namespace {

/// A size for what depends on the size of the picture but little.
constexpr glm::vec2 kUsualPicture{1280, 720};

/// Whether this run, and no other, is open beside the first; for none: whether no run is.
bool isComparedWith(const Session& session, const std::optional<OpenRequest>& second) {
    if (!second) return session.compared.empty();
    return session.compared.size() == 1 && isSameRun(session.compared.front().opened.request, *second);
}

SceneSettings settingsOf(const Session& session) {
    return {.look = session.sceneLook(), .loops = session.player.loops(), .ground = session.ground};
}

void takeSettings(Session& session, const SceneSettings& settings) {
    session.sceneLook() = settings.look;
    session.player.setLoops(settings.loops);
}

/// A ground that the user has chosen while a scene was shown is that of the next ones, too.
void leaveGround(Session& session) {
    Presentation& p = *session.presentation;
    if (p.entered && session.ground != p.ground) {
        SceneSettings before = *p.before;
        before.ground = session.ground;
        p.before = std::make_shared<SceneSettings>(before);
    }
    session.ground = p.before->ground;
}

/// What was not saved of the tour is not lost with it.
void leaveTour(Session& session) {
    const auto& p = session.presentation;
    if (p && p->unsaved) session.requests.add(request::KeepTour{p->tour});
}

/// Sets the playhead and the sight to the scene's time. `arrives`: the transition was still running; after it the user
/// controls the sight.
void show(Session& session, const SceneMoment& moment, bool moves, bool arrives) {
    session.player.lead({.position = std::min(moment.position, session.end()),
                         .pace = moment.pace,
                         .moveTicks = moment.moveTicks,
                         .moves = moves});
    if (arrives) session.camera.put(moment.sight);
    session.ringView.growth = session.compared.empty() ? moment.growth : scene::Growth{};
}

bool picksSomething(const std::string& text) {
    const auto command = parseCommand(text);
    return command && command->flags().picks;
}

/// Takes away from a resolved scene the commands by which it highlights something. What it has from the scenes before,
/// all but its `own` last commands, is highlighted there already.
std::vector<std::string> takeHighlights(TourScene& scene, std::size_t own) {
    std::vector<std::string>& all = scene.commands;
    const auto picks =
        std::stable_partition(all.end() - static_cast<std::ptrdiff_t>(own), all.end(), std::not_fn(picksSomething));
    std::vector<std::string> taken(picks, all.end());
    all.erase(picks, all.end());
    return taken;
}

void execute(Session& session, const std::vector<std::string>& commands) {
    for (const std::string& text : commands) {
        if (const auto command = parseCommand(text); command && command->flags().ofScenes) command->applyTo(session);
    }
}

/// Highlights what the scene does, at its arrival, or when the user has taken the playhead.
void highlight(Session& session) {
    Presentation& p = *session.presentation;
    if (session.player.led() && p.seconds < p.time.arrival()) return;
    execute(session, std::exchange(p.highlights, {}));
}

/// "1) hit    2) miss", with no line breaks within a choice.
std::string choicesOf(const Question& question) {
    std::string out;
    for (std::size_t i = 0; i < question.choices.size(); ++i) {
        std::string choice = numberedChoice(i, question.choices[i]);
        for (std::size_t at = choice.find(' '); at != std::string::npos; at = choice.find(' ', at)) {
            choice.replace(at, 1, "\u00a0");
        }
        out += (i > 0 ? "    " : "") + choice;
    }
    return question.bits.empty() ? out : fmt::format("Address in bits: {}\n{}", question.bits, out);
}

/// The words of the scene; before its answer, those of its question.
void tell(Session& session, const TourScene& scene) {
    const Presentation& p = *session.presentation;
    SceneWords& shown = *session.sceneText;
    shown.title = scene.title;
    shown.words = scene.words;
    shown.source = p.tour->source;
    if (!p.question) return;
    const Question& question = *p.question;
    if (p.asks()) {
        shown.title = question.text;
        shown.words = choicesOf(question);
        return;
    }
    std::string verdict = "Answer: ";
    if (p.chosen) verdict = question.choices[*p.chosen] == question.answer ? "Right: " : "Not so. Answer: ";
    // What is predicted is seen then, and its reason needs the room.
    shown.title = question.predicts ? fmt::format("{}{}", verdict, question.answer)
                                    : fmt::format("{} {}{}", question.text, verdict, question.answer);
    if (!question.why.empty()) shown.words = question.why + " " + scene.words;
    if (p.chosen && *p.chosen < question.errors.size() && !question.errors[*p.chosen].empty()) {
        shown.words = question.errors[*p.chosen] + " " + shown.words;
    }
}

/// The told form of a scene of the tour as it is now; null if its numbers are not known.
const ToldScene* toldOf(const Presentation& p, std::size_t index, const TourScene& scene) {
    const auto known = p.told.find(index);
    const bool asStarted = p.asStarted && index == p.scene;
    if (known == p.told.end() || known->second->asStarted != asStarted || known->second->of != scene) return nullptr;
    return known->second.get();
}

/// Sets the question of the current scene, whose run is built far enough; without numbers where they are not known.
void setQuestion(Session& session) {
    Presentation& p = *session.presentation;
    const TourScene scene = saidScene(p, p.scene);
    auto question = questionOf(scene, session.opened);
    if (question) {
        p.question = *std::move(question);
    } else {
        p.answered = true;
        session.error = fmt::format("Scene \"{}\" asks nothing: {}", scene.id, question.error().sentence());
    }
    if (session.sceneText) tell(session, scene);
}

/// Sets it as soon as its run is built far enough.
void findQuestion(Session& session) {
    const Presentation& p = *session.presentation;
    if (!p.asks() || p.question) return;
    if (isQuestionKnown(resolvedScene(*p.tour, p.scene), session.opened)) setQuestion(session);
}

/// The scene is entered, at once if this is open.
void enterOn(Session& session, const OpenRequest& first) {
    session.presentation->entered = false;
    if (session.opened.run && isSameRun(session.opened.request, first)) {
        session.requests.withdraw<request::Open>();
        enterScene(session, true);
    } else {
        session.requests.add(request::Open{first});
        session.requests.withdraw<request::OpenCompared>();
    }
}

void showAnswer(Session& session) {
    Presentation& p = *session.presentation;
    if (!p.question) return;
    p.answered = true;
    // The transition is not waited for.
    if (p.seconds < p.time.arrival() && session.player.led()) {
        p.seconds = p.time.arrival();
        show(session, p.time.at(p.seconds, session.clock()), true, true);
        highlight(session);
    }
    if (session.sceneText) tell(session, saidScene(p, p.scene));
}

/// Shows the answer, and restores the rest of the scene, whatever the user changed before answering.
void stepToAnswer(Session& session) {
    Presentation& p = *session.presentation;
    if (!p.question) return;
    p.answered = true;
    leaveGround(session);
    clearTalk(session);
    enterOn(session, OpenRequest(p.shown));
}

/// Opens the scene's second run beside the first, or closes the one there; withdraws pending requests to open another.
void askForSecond(Session& session, const TourScene& scene, const std::optional<OpenRequest>& second) {
    session.lock = scene.lock;
    session.requests.withdraw<request::OpenCompared>();
    session.requests.add(request::DropCompared{});
    if (isComparedWith(session, second)) return;
    session.compared.clear();
    if (second) session.requests.add(request::OpenCompared{*second});
}

}  // namespace

std::string numberedChoice(std::size_t index, const std::string& choice) {
    return fmt::format("{}) {}", index + 1, choice);
}

SceneRuns runsOf(const TourScene& scene, const sim::ReadOptions& reading) {
    SceneRuns runs{
        .first = {.input = scene.input, .machine = scene.machine, .settings = scene.settings, .reading = reading},
        .second = {}};
    if (scene.order != sim::AccessOrder::automatic) runs.first.reading.order = scene.order;
    if (scene.isPair()) runs.second = secondOf(runs.first, scene.with, scene.withMachine, scene.withSettings);
    return runs;
}

bool isOfScene(const Session& session, const OpenRequest& opened) {
    const auto& p = session.presentation;
    if (!p || p->entered) return false;
    return p->asStarted || isSameRun(opened, runsOf(resolvedScene(*p->tour, p->scene), p->reading).first);
}

void beginTour(Session& session, Tour tour, std::string file, std::size_t scene, const sim::ReadOptions& reading) {
    leaveTour(session);
    SceneSettings before = session.presentation ? *session.presentation->before : settingsOf(session);
    session.presentation = Presentation{.tour = std::make_shared<Tour>(std::move(tour)),
                                        .before = std::make_shared<SceneSettings>(std::move(before)),
                                        .file = std::move(file),
                                        .reading = reading,
                                        .scene = scene};
    session.presentation->from.sight = session.camera.now();
}

void enterTour(Session& session, TourStart start) {
    if (session.opened.run) session.history.leave(whatIsOpen(session));
    const std::size_t scene = start.scene;
    beginTour(session, std::move(start.tour), std::move(start.file), scene, session.opened.request.reading);
    goToScene(session, scene);
}

void goToScene(Session& session, std::size_t index) {
    if (!session.presentation || index >= session.presentation->tour->scenes.size()) return;
    Presentation& p = *session.presentation;
    leaveGround(session);
    const TourScene scene = resolvedScene(*p.tour, index);
    p.scene = index;
    p.asStarted = p.answered = false;
    p.question.reset();
    p.chosen.reset();
    p.leaves.reset();
    session.comesBack.reset();
    clearTalk(session);
    p.from = {.position = session.player.position(), .sight = session.camera.now()};
    session.error.clear();
    enterOn(session, runsOf(scene, p.reading).first);
}

void nextStep(Session& session) {
    if (!session.presentation) return;
    Presentation& p = *session.presentation;
    if (session.talk.blank) {
        session.talk.blank = false;
        return;
    }
    if (p.entered && p.asks()) {
        stepToAnswer(session);
        return;
    }
    const bool isLoop = p.entered && session.player.led() && p.time.round() > 0;
    if (isLoop && !p.leaves && !p.isLast()) {
        p.leaves = p.time.endOfRound(p.seconds);
        return;
    }
    if (p.isLast()) {
        if (!session.talk.on) session.message = "The tour ends here. " + adviceAfter(*p.tour);
        if (session.talk.on && session.sceneText) {
            session.sceneText->title = kTryNext;
            session.sceneText->words = adviceAfter(*p.tour);
        }
        return;
    }
    goToScene(session, p.scene + 1);
}

void previousStep(Session& session) {
    if (!session.presentation) return;
    constexpr double kAWhile = 2;
    const Presentation& p = *session.presentation;
    const bool hasPlayed = p.entered && p.seconds > p.time.begins() + kAWhile && p.own().range;
    goToScene(session, hasPlayed || p.isFirst() ? p.scene : p.scene - 1);
}

std::vector<float> ringsOf(const Session& session) {
    return ringsOf(session.opened, session.view(kUsualPicture, 1));
}

void enterScene(Session& session, bool sameAccesses, std::vector<float> rings) {
    Presentation& p = *session.presentation;
    const auto known = p.told.find(p.scene);
    // Another run of the same input may have read another file.
    if (known != p.told.end() && known->second->by.lock() != session.opened.run) p.told.erase(known);
    TourScene scene = saidScene(p, p.scene);
    p.highlights = takeHighlights(scene, p.own().commands.size());
    applySceneView(session, scene);
    if (!p.asStarted) askForSecond(session, scene, runsOf(scene, p.reading).second);
    clearSelections(session);
    session.search.reset();
    session.prediction.reset();
    session.viewSettings.keepLevels(session.opened.run->machine());
    arrange(session, scene);
    p.ground = session.ground;
    p.entered = true;
    p.shown = session.opened.request;
    findQuestion(session);
    if (!sameAccesses) p.from.position.reset();
    p.from.rings = std::move(rings);
    const scene::View view = session.view(kUsualPicture, 1);
    p.time = SceneTime(scene, p.from, sightOf(scene, session.opened, view),
                       static_cast<double>(session.opened.run->trace().size()), !p.highlights.empty());
    const bool isPaused = std::exchange(p.beginsPaused, false);
    p.seconds = session.reducedMotion || p.answered || isPaused ? p.time.arrival() : 0;
    session.resumeAt.reset();
    if (!session.comesBack) session.history.forgetChanges();
    show(session, p.time.at(p.seconds, session.clock()), true, true);
    highlight(session);
    if (isPaused) session.player.pause();
}

TourScene saidScene(const Presentation& presentation, std::size_t index) {
    TourScene scene = resolvedScene(*presentation.tour, index);
    if (!hasBraces(scene)) return scene;
    const ToldScene* const told = toldOf(presentation, index, scene);
    if (told != nullptr) return told->told;
    // An input of the command line may have other options than that of the scene.
    const bool isOther = presentation.asStarted && index == presentation.scene;
    const std::string input = isOther ? std::exchange(scene.input, {}) : scene.input;
    scene = withGaps(std::move(scene));
    scene.input = input;
    return scene;
}

std::optional<ShownRuns> runsShown(const Session& session, const TourScene& scene) {
    const auto isThere = [](const Opened& opened) { return opened.run && opened.run->complete(); };
    if (!isThere(session.opened) || (scene.isPair() && session.compared.empty())) return std::nullopt;
    ShownRuns runs{.first = session.opened.run, .input = session.opened.request.input};
    if (!session.compared.empty()) {
        const ComparedRun& second = session.compared.front();
        if (!isThere(second.opened)) return std::nullopt;
        runs.second = second.opened.run;
        runs.secondInput = second.opened.request.input;
        runs.lines = second.lines;
    }
    return runs;
}

std::optional<UntoldScene> untoldScene(const Session& session) {
    const auto& p = session.presentation;
    if (!p || !p->entered) return std::nullopt;
    TourScene scene = resolvedScene(*p->tour, p->scene);
    const SceneRuns wanted = runsOf(scene, p->reading);
    const bool isOpen = p->asStarted || (isSameRun(session.opened.request, wanted.first) &&
                                         (!wanted.second || isComparedWith(session, wanted.second)));
    if (!isOpen || !hasBraces(scene) || toldOf(*p, p->scene, scene) != nullptr) return std::nullopt;
    auto runs = runsShown(session, scene);
    if (!runs) return std::nullopt;
    return UntoldScene{p->scene, std::move(scene), *std::move(runs), p->asStarted};
}

sim::Expected<std::shared_ptr<const ToldScene>> told(const UntoldScene& untold, sim::Progress& progress) {
    auto words = WHORL_TRY(inWords(untold.scene, untold.runs, progress));
    std::string error;
    if (!words.errors.empty()) {
        error = fmt::format("Scene \"{}\": {}", untold.scene.id, words.errors.front().sentence());
    }
    return std::make_shared<const ToldScene>(ToldScene{.of = untold.scene,
                                                       .told = std::move(words.scene),
                                                       .error = std::move(error),
                                                       .by = untold.runs.first,
                                                       .asStarted = untold.asStarted});
}

void takeTold(Session& session, std::size_t scene, std::shared_ptr<const ToldScene> told) {
    if (!session.presentation) return;
    Presentation& p = *session.presentation;
    p.told[scene] = std::move(told);
    if (scene != p.scene || !p.entered) return;
    // The author sees it beside the words, which are not finished yet.
    if (!p.told[scene]->error.empty() && !session.showsTourForm()) session.error = p.told[scene]->error;
    if (p.question) {
        setQuestion(session);
    } else {
        tellAgain(session);
    }
}

void tellAgain(Session& session) {
    const Presentation& p = *session.presentation;
    if (p.entered && session.sceneText) tell(session, saidScene(p, p.scene));
}

void takeFields(const TourScene& scene, Look& look) {
    for (const auto& [id, value] : scene.fields) setTo(look, settingNamed(id), value);
}

void applySceneView(Session& session, const TourScene& scene) {
    takeSettings(session, settingsOf(newSession()));
    takeFields(scene, session);
}

void arrange(Session& session, const TourScene& scene) {
    session.sceneText =
        SceneWords{.title = scene.title, .words = scene.words, .at = scene.position(), .to = scene.end()};
    if (session.presentation) tell(session, scene);
    execute(session, scene.commands);
}

void passSceneTime(Session& session, double seconds, bool goesOn) {
    if (!session.presentation || !session.presentation->entered) return;
    highlight(session);
    if (!session.player.led()) return;
    findQuestion(session);
    Presentation& p = *session.presentation;
    double next = p.seconds + seconds;
    if (p.asks()) next = std::min(next, std::max(p.seconds, p.time.arrival()));
    if (p.leaves) next = std::min(next, *p.leaves);
    const SceneMoment moment = p.time.at(next, session.clock());
    // The scene waits until its run is built that far.
    if (moment.position > session.end() && !session.complete()) return;
    const bool arrives = p.seconds < p.time.arrival();
    p.seconds = next;
    const SceneWait& wait = p.own().wait;
    const bool isOver = p.leaves ? next >= *p.leaves
                                 : wait.what == SceneWait::For::seconds && goesOn && !p.asks() &&
                                       next >= p.time.played() + wait.seconds;
    if (isOver && !p.isLast()) {
        goToScene(session, p.scene + 1);
        return;
    }
    const bool waits = wait.what == SceneWait::For::seconds && goesOn && !p.isLast();
    const bool moves = next < p.time.arrival() || (!p.asks() && (waits || p.time.moves(next)));
    show(session, moment, moves, arrives);
    highlight(session);
}

void beginTalk(Session& session) {
    Talk& talk = session.talk;
    talk.on = true;
    talk.panels = session.panels;
    talk.caption = session.caption;
    talk.lecture = session.lecture;
    session.history.clear();
    clearTalk(session);
}

void endTalk(Session& session) {
    Talk& talk = session.talk;
    clearTalk(session);
    talk.on = false;
    session.history.clear();
    session.panels = talk.panels;
    session.caption = talk.caption;
    session.lecture = talk.lecture;
}

void clearTalk(Session& session) {
    Talk& talk = session.talk;
    talk.blank = talk.list = talk.pen = talk.pointer = false;
    talk.strokes.clear();
    if (!talk.on) return;
    closeCards(session);
    session.panels = false;
    session.caption = session.lecture = true;
}

void answer(Session& session, std::size_t choice) {
    if (!session.presentation || !session.presentation->entered) return;
    Presentation& p = *session.presentation;
    if (!p.asks() || !p.question || choice >= p.question->choices.size()) return;
    // Without its numbers nobody knows what is chosen.
    const TourScene scene = resolvedScene(*p.tour, p.scene);
    if (hasBraces(*scene.question) && toldOf(p, p.scene, scene) == nullptr) return;
    p.chosen = choice;
    showAnswer(session);
}

void closeTour(Session& session) {
    if (!session.presentation) return;
    if (session.talk.on) endTalk(session);
    if (session.player.led()) session.player.pause();
    leaveTour(session);
    leaveGround(session);
    takeSettings(session, *session.presentation->before);
    session.history.forgetChanges();
    session.sceneText.reset();
    session.presentation.reset();
}

void startSession(Session& session, SessionStart start) {
    if (start.ground) session.ground = *start.ground;
    session.isWindow = true;
    session.welcome = start.welcomes && session.recentInputs.empty();
    if (!start.editor.empty()) session.editor = start.editor;
    if (!start.layout.empty()) {
        if (const auto shown = showLayout(session, start.layout); !shown) showError(session, shown.error().sentence());
    }
    const sim::ReadOptions reading = start.request.reading;
    session.requests.add(request::Open{std::move(start.request)});
    for (OpenRequest& other : start.compared) session.requests.add(request::OpenCompared{std::move(other)});
    session.lock = start.lock;
    session.playWhenOpen = !start.paused && !start.tour;
    if (start.presents) beginTalk(session);
    session.talk.speaker = start.speaker;
    if (!start.tour) return;
    beginTour(session, std::move(start.tour->tour), std::move(start.tour->file), start.tour->scene, reading);
    session.presentation->asStarted = true;
    session.presentation->beginsPaused = start.paused;
    applySceneView(session, resolvedScene(*session.presentation->tour, session.presentation->scene));
}

void enterRun(Session& session, Opened next) {
    const bool forScene = isOfScene(session, next.request);
    const bool sameAccesses = session.opened.run && session.opened.run->trace().sharesAccesses(next.run->trace());
    const bool isNewMachine = sameAccesses && session.opened.run->machine() != next.run->machine();
    std::vector<float> rings = forScene && isNewMachine ? ringsOf(session) : std::vector<float>{};
    takeRun(session, std::move(next), forScene);
    if (forScene) enterScene(session, sameAccesses, std::move(rings));
    comeBack(session);
    if (std::exchange(session.playWhenOpen, false)) session.player.play();
}

void passTime(Session& session, double seconds) {
    movePlayhead(session, seconds);
    passSceneTime(session, seconds, session.talk.on && !session.prompt.isOpen());
    moveLook(session, seconds);
}

}  // namespace whorl::app
