#include "app/tours/tour_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <unordered_map>
#include <utility>

#include "app/session/camera.h"
#include "app/session/command.h"
#include "app/session/opened.h"
#include "app/session/settings.h"
#include "app/session/words.h"
#include "app/tours/expression.h"
#include "app/tours/scene_words.h"
#include "app/tours/tour_folders.h"
#include "render/scene/rings/view.h"
#include "sim/base/json_rows.h"
#include "sim/base/text.h"
#include "sim/machine/machine_config.h"
#include "sim/machine/validation.h"
#include "sim/programs/program.h"

namespace whorl::app {

namespace {

using nlohmann::json;
using nlohmann::ordered_json;
using sim::Field;
using sim::JsonPlace;
namespace row = sim::row;

constexpr std::uint32_t kMaxAccesses = 100'000'000;  ///< for trails and frames; the views have their own limits
constexpr double kMaxSeconds = 3600;                 ///< longest stretch or wait
constexpr double kMaxTransition = 60;
constexpr double kMaxPace = 1e9;  ///< accesses a second
constexpr double kMaxPosition = 9007199254740992.0;

constexpr const char* kWrite = "write something";
constexpr const char* kWriteOrNot = "write something, or leave it out";
constexpr const char* kSceneNeeds = "a scene has an id, a title, words and an input";
constexpr const char* kScenesHint = "give the scenes as a list of objects";

// --- what is checked beyond a value itself ---

/// Reports the error of something that a value names.
template <class T>
bool isValid(const sim::Expected<T>& named, const JsonPlace& place) {
    return named || place.fault(named.error().sentence());
}

/// Checks scenes, one after the other, as they are read: some take from the scene before.
class SceneChecks {
  public:
    explicit SceneChecks(const TourFolders* folders = nullptr) : folders_(folders) {}

    /// The scene with this index is read next.
    void begin(std::size_t scene) { scene_ = scene; }

    bool id(const std::string& id, const JsonPlace& place) {
        const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; };
        if (!std::all_of(id.begin(), id.end(), fits) || id.front() == '-') {
            place.isNot("an id", "use small letters, digits and hyphens, as in fig1a");
        }
        const auto [first, isNew] = ids_.emplace(id, scene_);
        return isNew || place.fault(fmt::format("{} is the id of scenes[{}] too", sim::quotedText(id), first->second),
                                    "choose another one");
    }

    bool input(std::string& input, const JsonPlace& place) {
        if (folders_ != nullptr && folders_->isFile(input)) return file(input, place);
        // In a tour from a file, any other input is a program, even if the current folder has a file of that name.
        return (folders_ == nullptr && !namesProgram(input)) || isValid(sim::parseProgramSpec(input), place);
    }

    /// Most scenes of a tour share a few machines, which may be files: each is loaded once.
    bool machine(std::string& machine, const JsonPlace& place) {
        const bool isFile = folders_ != nullptr && sim::namesMachineFile(machine);
        if (isFile && !file(machine, place)) return false;
        const auto [known, isNew] = machines_.try_emplace(machine);
        if (isNew) {
            if (const auto loaded = sim::loadMachine(machine); !loaded) known->second = loaded.error().sentence();
        }
        return known->second.empty() || place.fault(known->second);
    }

    /// Checks settings of a machine if the scene names it. Without one, the program's own machine is used, and opening
    /// the scene reports faults.
    static bool settings(const std::string& of, const std::vector<std::string>& settings, const JsonPlace& place) {
        if (of.empty()) return true;
        auto machine = sim::loadMachine(of);
        for (const std::string& setting : settings) {
            if (!machine) return true;
            machine = sim::withValue(*machine, setting);
            if (!machine) isValid(machine, place);
        }
        return true;
    }

    bool lock(const TourScene& scene, const JsonPlace& place) const {
        return isPair(scene) ||
               place.fault("there is nothing to lock it with", "add with, with_machine or with_settings");
    }

    /// Checks the keys of a scene against each other.
    void whole(TourScene& scene, const JsonPlace& place) {
        checkPair(scene, place);
        checkRange(scene, place);
        if (scene.wait.what == SceneWait::For::loop && !place.has("to")) {
            place.faultAt("wait", "there is nothing to repeat", "say with to where the scene ends");
        }
        isPair_ = isPair(scene);
        end_ = scene.range ? scene.range->to : from(scene);
    }

  private:
    bool isPair(const TourScene& scene) const { return scene.isPair() || (scene.continues && isPair_); }
    /// Where the scene begins.
    double from(const TourScene& scene) const { return scene.at.value_or(scene.continues ? end_ : 0); }

    /// Replaces the name of a file by its path; false if the tour must not name it.
    bool file(std::string& named, const JsonPlace& place) const {
        const auto path = folders_->pathOf(named);
        if (!path) return place.fault(path.error().what, path.error().hint);
        named = *path;
        return true;
    }

    static void checkPair(const TourScene& scene, const JsonPlace& place) {
        const OpenRequest first{.input = scene.input, .machine = scene.machine, .settings = scene.settings};
        const bool isSame = isSameRun(first, secondOf(first, scene.with, scene.withMachine, scene.withSettings));
        if (!scene.isPair() || scene.continues || !isSame) return;
        place.faultAt(scene.with.empty() ? "with_machine" : "with", "the scene would be compared with itself",
                      "name another input, or another machine in with_machine");
    }

    void checkRange(TourScene& scene, const JsonPlace& place) const {
        for (const char* key : {"seconds", "pace", "ramp"}) {
            if (!place.has("to") && place.has(key)) {
                place.faultAt(key, "there is nothing to play", "say with to where the scene ends");
            }
        }
        if (scene.range && scene.range->seconds && scene.range->pace) {
            place.faultAt("pace", "seconds say already how fast it plays", "leave one of them out");
        }
        if (!place.isGiven("to")) {
            scene.range.reset();
        } else if (scene.range->to <= from(scene)) {
            place.faultAt("to",
                          fmt::format("{:g} is not after {:g}, where the scene begins", scene.range->to, from(scene)),
                          "give a later position, or begin earlier with at");
        }
    }

    const TourFolders* folders_;
    std::size_t scene_ = 0;                                  ///< index of the scene being read
    double end_ = 0;                                         ///< where the scene before ends
    bool isPair_ = false;                                    ///< it has two runs
    std::unordered_map<std::string, std::size_t> ids_;       ///< the first scene with each
    std::unordered_map<std::string, std::string> machines_;  ///< why each cannot be used; empty if it can
};

/// A row whose value is checked once it is read.
template <class T, class Check>
Field<T> checked(Field<T> field, Check check) {
    field.set = [set = std::move(field.set), check](T& object, const JsonPlace& place) {
        return set(object, place) && check(object, place);
    };
    return field;
}

/// Checks each text of a list.
template <class Check>
bool areValid(const std::vector<std::string>& texts, const Check& check, const JsonPlace& place) {
    bool valid = true;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        valid &= isValid(check(texts[i]), place.at(fmt::format("[{}]", i), place.value[i]));
    }
    return valid;
}

/// A text that is said, with numbers of the run in braces.
template <class T>
Field<T> said(Field<T> field, std::string T::*member) {
    return checked(std::move(field),
                   [member](T& object, const JsonPlace& place) { return isValid(checkBraces(object.*member), place); });
}

// --- the rows of a stretch ---

row::NumberRule position() {
    return {.least = 0,
            .most = kMaxPosition,
            .what = "a number of accesses",
            .hint = "give the number of accesses before it; it may have a fraction"};
}

row::NumberRule pace() {
    return {.least = 0.01,
            .most = kMaxPace,
            .what = "a pace",
            .hint = fmt::format("give accesses a second, from 0.01 to {:g}", kMaxPace)};
}

bool isWithin(const json& value, double least, double most) {
    return value.is_number() && value.get<double>() >= least && value.get<double>() <= most;
}

/// Two numbers within limits.
bool isPairWithin(const json& value, double least, double most) {
    return value.is_array() && value.size() == 2 && isWithin(value[0], least, most) && isWithin(value[1], least, most);
}

bool setRamp(PlayedRange& range, const JsonPlace& place) {
    const json& ramp = place.value;
    const bool isTwo = isPairWithin(ramp, 0, kMaxTransition);
    if (!isTwo && !isWithin(ramp, 0, kMaxTransition)) {
        return place.isNot("a ramp", fmt::format("give the seconds in which it comes up to its pace and to rest, from "
                                                 "0 to {:g}, as in 0.5 or [0.5, 1]",
                                                 kMaxTransition));
    }
    range.rampIn = (isTwo ? ramp[0] : ramp).get<double>();
    range.rampOut = (isTwo ? ramp[1] : ramp).get<double>();
    return true;
}

ordered_json getRamp(const PlayedRange& range) {
    if (range.rampIn != range.rampOut) return {row::plain(range.rampIn), row::plain(range.rampOut)};
    return range.rampIn > 0 ? row::plain(range.rampIn) : ordered_json();
}

/// A key of the scene's stretch.
Field<TourScene> ofRange(const Field<PlayedRange>& field) {
    return {field.key,
            {},
            [set = field.set](TourScene& scene, const JsonPlace& place) {
                if (!scene.range) scene.range.emplace();
                return set(*scene.range, place);
            },
            [get = field.get](const TourScene& scene) { return scene.range ? get(*scene.range) : ordered_json(); }};
}

// --- the rows of a camera ---

bool setFocus(SceneCamera& camera, const JsonPlace& place) {
    if (!isPairWithin(place.value, -1, 1)) {
        return place.isNot("a place in the rings",
                           "give [across, down] from their centre, each from -1 to 1, as in [0, -0.8]");
    }
    camera.focus = {place.value[0].get<float>(), place.value[1].get<float>()};
    return true;
}

ordered_json getFocus(const SceneCamera& camera) {
    if (!camera.region.empty() || camera.focus == glm::vec2{0}) return nullptr;
    return {camera.focus.x, camera.focus.y};
}

std::vector<Field<SceneCamera>> cameraFields() {
    using C = SceneCamera;
    constexpr double kMax = scene::View::kMaxZoom;
    return {
        row::number("zoom", &C::zoom,
                    {.least = 1,
                     .most = kMax,
                     .what = "a zoom",
                     .hint = fmt::format("give a number from 1, which shows all of the rings, to {:g}", kMax)}),
        {"focus", {}, setFocus, getFocus},
        row::text("region", &C::region, kWriteOrNot),
    };
}

void checkCamera(const JsonPlace& place) {
    if (place.isGiven("region") && place.has("focus")) {
        place.faultAt("focus", "the region says already where to look", "leave one of them out");
    }
}

// --- the rows of a question ---

bool setPrediction(Question& question, const JsonPlace& place) {
    if (!row::isTextIn(place, kWriteOrNot)) return false;
    question.predicts = valueNamed<sim::QuizPart>(place.value.get<std::string>());
    return (question.predicts && question.predicts != sim::QuizPart::tag) ||
           place.fault(sim::shownValue(place.value) + " cannot be predicted", "use outcome, set or victim");
}

ordered_json getPrediction(const Question& question) {
    return question.predicts ? ordered_json(wordOf(*question.predicts)) : ordered_json();
}

std::vector<Field<Question>> questionFields() {
    using Q = Question;
    return {
        {"predict", {}, setPrediction, getPrediction},
        row::text("level", &Q::level, "name a level of the machine"),
        said(row::text("text", &Q::text, kWrite), &Q::text),
        checked(
            row::texts("choices", &Q::choices,
                       {.what = "a list of choices",
                        .hint = fmt::format("give 2 to {} texts", Q::kMaxChoices),
                        .least = 2,
                        .most = Q::kMaxChoices}),
            [](const Q& question, const JsonPlace& place) { return areValid(question.choices, checkBraces, place); }),
        said(row::text("answer", &Q::answer, kWrite), &Q::answer),
        said(row::text("why", &Q::why, kWriteOrNot), &Q::why),
    };
}

/// Checks a question, which has its own choices or is about the access at which the scene begins.
void checkQuestion(const Question& question, const JsonPlace& place) {
    const bool predicts = place.has("predict");
    for (const char* key : {"choices", "answer"}) {
        if (predicts && place.has(key)) place.faultAt(key, "the run gives what is predicted", "leave it out");
    }
    if (predicts) return;
    if (place.has("level")) place.faultAt("level", "nothing is predicted", "add predict, or leave it out");
    for (const char* key : {"text", "answer"}) {
        if (place.has(key)) continue;
        place.faultAt(key, "is missing",
                      R"(a question has a text and an answer, or "predict": "outcome", "set" or "victim")");
    }
    const auto& choices = question.choices;
    if (!place.isGiven("answer") || choices.empty()) return;
    if (std::find(choices.begin(), choices.end(), question.answer) != choices.end()) return;
    place.faultAt(
        "answer", sim::quotedText(question.answer) + " is none of the choices",
        sim::didYouMean(question.answer, choices) + fmt::format("the choices are {}", sim::joinNames(choices)));
}

// --- the other rows of a scene ---

/// One claim, or a list of them.
bool setClaims(TourScene& scene, const JsonPlace& place) {
    if (place.value.is_string()) {
        scene.claims = {place.value.get<std::string>()};
        return isValid(checkClaim(scene.claims.front()), place);
    }
    if (!sim::row::isListOfTexts(place.value)) {
        return place.isNot("a claim", R"(give a text such as "L1.misses == 64", or a list of such texts)");
    }
    scene.claims = place.value.get<std::vector<std::string>>();
    return areValid(scene.claims, checkClaim, place);
}

ordered_json getClaims(const TourScene& scene) {
    return scene.claims.size() == 1 ? ordered_json(scene.claims.front()) : ordered_json(scene.claims);
}

bool setLock(TourScene& scene, const JsonPlace& place) {
    if (!row::isTextIn(place, kWriteOrNot)) return false;
    const auto known = valueNamed<TimeLock>(place.value.get<std::string>());
    if (known) scene.lock = *known;
    return known || place.isNot("a lock", "use access, share or line");
}

bool setOrder(TourScene& scene, const JsonPlace& place) {
    if (!row::isTextIn(place, kWriteOrNot)) return false;
    const auto known = valueNamed<sim::AccessOrder>(place.value.get<std::string>());
    if (known) scene.order = *known;
    return known || place.isNot("an order", "use auto, recorded or virtual");
}

bool setWait(TourScene& scene, const JsonPlace& place) {
    const json& wait = place.value;
    if (isWithin(wait, 0, kMaxSeconds)) {
        scene.wait = {.what = SceneWait::For::seconds, .seconds = wait.get<double>()};
    } else if (wait == "loop") {
        scene.wait.what = SceneWait::For::loop;
    } else if (wait != "click") {
        return place.isNot("what a scene waits for",
                           fmt::format(R"(use "click", "loop", or a number of seconds up to {:g})", kMaxSeconds));
    }
    return true;
}

ordered_json getWait(const TourScene& scene) {
    if (scene.wait.what == SceneWait::For::click) return nullptr;
    return scene.wait.what == SceneWait::For::loop ? ordered_json("loop") : row::plain(scene.wait.seconds);
}

/// The field of a setting: a number of accesses, or a flag for the value that the setting's option chooses in place of
/// the default.
Field<TourScene> fieldOfSetting(const Setting& setting) {
    const auto set = [&setting](TourScene& scene, const JsonPlace& place) {
        const json& value = place.value;
        if (setting.option.flag) {
            if (!row::isFlagIn(place, "give one of them")) return false;
            scene.fields[setting.id] = value.get<bool>() ? *setting.option.flag : setting.value.get(newSession());
            return true;
        }
        const auto least = static_cast<std::uint64_t>(setting.value.least);
        if (!value.is_number_unsigned() || !isWithin(value, setting.value.least, kMaxAccesses)) {
            return place.isNot("a number of accesses",
                               fmt::format("give a whole number from {} to {}", least, kMaxAccesses));
        }
        scene.fields[setting.id] = value.get<std::uint64_t>();
        return true;
    };
    const auto get = [&setting](const TourScene& scene) -> ordered_json {
        const auto field = scene.fields.find(setting.id);
        if (field == scene.fields.end()) return nullptr;
        if (setting.option.flag) return field->second == *setting.option.flag;
        return std::get<std::uint64_t>(field->second);
    };
    return {std::string(setting.field), {}, set, get};
}

bool setCommands(TourScene& scene, const JsonPlace& place) {
    if (!place.value.is_array()) {
        return place.isNot("a list", R"(give commands as a list of texts, such as ["view memory"])");
    }
    for (const json& value : place.value) {
        const JsonPlace at = place.at(fmt::format("[{}]", scene.commands.size()), value);
        if (!row::isTextIn(at, {})) return false;
        scene.commands.push_back(value.get<std::string>());
        const auto command = parseCommand(scene.commands.back());
        if (isValid(command, at) && !command->flags().ofScenes) {
            at.fault(fmt::format("{} is no command for a tour", sim::quotedText(command->id())),
                     "a scene may show and arrange views, pick what is in them, choose a range, and what the rings "
                     "show");
        }
    }
    return true;
}

Field<TourScene> input(SceneChecks& checks, Field<TourScene> field, std::string TourScene::*member) {
    return checked(std::move(field), [&checks, member](TourScene& scene, const JsonPlace& place) {
        return checks.input(scene.*member, place);
    });
}

Field<TourScene> machine(SceneChecks& checks, const char* key, std::string TourScene::*member) {
    return checked(row::text(key, member, kWriteOrNot), [&checks, member](TourScene& scene, const JsonPlace& place) {
        return checks.machine(scene.*member, place);
    });
}

/// The input, the machine, and what stands beside them.
std::vector<Field<TourScene>> runFields(SceneChecks& checks, const std::string& needed, const std::string& ifEmpty) {
    using S = TourScene;
    const row::TextsRule settings = {
        .hint = R"(give changes of the machine as --set has them, such as ["L1.policy=fifo"])"};
    return {
        checked(row::text("id", &S::id, kWrite, kSceneNeeds),
                [&checks](S& scene, const JsonPlace& place) { return checks.id(scene.id, place); }),
        said(row::text("title", &S::title, ifEmpty, needed), &S::title),
        said(row::text("words", &S::words, ifEmpty, needed), &S::words),
        {"claim", {}, setClaims, getClaims},
        input(checks, row::text("input", &S::input, kWrite, needed), &S::input),
        machine(checks, "machine", &S::machine),
        checked(row::texts("settings", &S::settings, settings),
                [](const S& scene, const JsonPlace& place) {
                    return SceneChecks::settings(scene.machine, scene.settings, place);
                }),
        {"interleaving", {}, setOrder, [](const S& scene) -> ordered_json { return wordOf(scene.order); }},
        input(checks, row::text("with", &S::with, kWriteOrNot), &S::with),
        machine(checks, "with_machine", &S::withMachine),
        checked(row::texts("with_settings", &S::withSettings, settings),
                [](const S& scene, const JsonPlace& place) {
                    const std::string& of = scene.withMachine.empty() ? scene.machine : scene.withMachine;
                    return SceneChecks::settings(of, scene.withSettings, place);
                }),
        checked(Field<S>{"lock", {}, setLock, [](const S& scene) -> ordered_json { return wordOf(scene.lock); }},
                [&checks](S& scene, const JsonPlace& place) { return checks.lock(scene, place); }),
    };
}

/// `continues`: the scene has no input, and may lack a title and words.
std::vector<Field<TourScene>> sceneFields(SceneChecks& checks, bool continues) {
    using S = TourScene;
    const std::string needed = continues ? "" : kSceneNeeds;
    std::vector<Field<S>> fields = runFields(checks, needed, continues ? kWriteOrNot : kWrite);
    const auto add = [&](Field<S> field) { fields.push_back(std::move(field)); };
    add(row::number("at", &S::at, position()));
    add(ofRange(row::number("to", &PlayedRange::to, position())));
    add(ofRange(row::number("seconds", &PlayedRange::seconds, row::seconds(0.1, kMaxSeconds))));
    add(ofRange(row::number("pace", &PlayedRange::pace, pace())));
    add(ofRange({"ramp", {}, setRamp, getRamp}));
    add(row::object<S, SceneCamera>("camera", &S::camera, cameraFields(), "a camera", R"({"zoom": 3, "region": "A"})",
                                    [](SceneCamera&, const JsonPlace& place) { checkCamera(place); }));
    add(row::number("transition", &S::transition, row::seconds(0, kMaxTransition)));
    add({"wait", {}, setWait, getWait});
    for (const Setting& setting : settings()) {
        if (!setting.field.empty()) add(fieldOfSetting(setting));
    }
    add({"commands", {}, setCommands, [](const S& scene) -> ordered_json { return scene.commands; }});
    add(row::object<S, Question>("question", &S::question, questionFields(), "a question",
                                 R"({"text": "Hit or miss?", "choices": ["hit", "miss"], "answer": "miss"})",
                                 checkQuestion));
    add(said(row::text("notes", &S::notes, kWriteOrNot), &S::notes));
    add(row::number("plan", &S::planned, row::seconds(0, 24 * 3600)));
    return fields;
}

// --- a tour ---

bool setScenes(Tour& tour, const JsonPlace& place, SceneChecks& checks) {
    if (!place.value.is_array()) return place.isNot("a list", kScenesHint);
    if (place.value.empty()) return place.fault("there is no scene", "a tour has one scene at least");
    const std::vector<Field<TourScene>> fields[] = {sceneFields(checks, false), sceneFields(checks, true)};
    for (const json& value : place.value) {
        if (place.faults.errors.size() >= sim::kManyErrors) break;
        const JsonPlace at = place.at(fmt::format("[{}]", tour.scenes.size()), value);
        checks.begin(tour.scenes.size());
        TourScene& scene = tour.scenes.emplace_back();
        if (!value.is_object()) {
            at.isNot("a scene",
                     R"(a scene is an object such as {"id": "start", "title": "…", "words": "…", "input": "matmul"})");
            continue;
        }
        // The first scene has none before it.
        scene.continues = tour.scenes.size() > 1 && !at.has("input");
        sim::readObject(at, fields[scene.continues ? 1 : 0], scene);
        checks.whole(scene, at);
    }
    return true;
}

ordered_json getScenes(const Tour& tour, SceneChecks& checks) {
    const std::vector<Field<TourScene>> fields = sceneFields(checks, true);
    auto out = ordered_json::array();
    for (const TourScene& scene : tour.scenes) out.push_back(sim::written(fields, scene));
    return out;
}

std::vector<Field<Tour>> tourFields(SceneChecks& checks) {
    return {
        row::text("title", &Tour::title, kWriteOrNot),
        row::text("author", &Tour::author, kWriteOrNot),
        row::text("source", &Tour::source, kWriteOrNot),
        {"scenes", kScenesHint,
         [&checks](Tour& tour, const JsonPlace& place) { return setScenes(tour, place, checks); },
         [&checks](const Tour& tour) { return getScenes(tour, checks); }},
        row::text("next", &Tour::next, kWriteOrNot),
    };
}

/// The name of a file as a tour in this folder has it.
std::string nameIn(const std::string& folder, const std::string& path) {
    if (folder.empty() || !path.starts_with('/')) return path;
    const std::filesystem::path relative = std::filesystem::path(path).lexically_relative(folder);
    return relative.empty() || *relative.begin() == ".." ? path : relative.string();
}

}  // namespace

sim::Expected<Tour> parseTour(std::string_view text, const std::string& file, const TourFolders* folders) {
    Tour tour;
    SceneChecks checks(folders);
    const auto fields = tourFields(checks);
    const auto read = [&](const JsonPlace& root) { sim::readObject(root, fields, tour); };
    const auto errors = sim::jsonFileErrors(text, file, "a tour", R"(it opens with {"scenes": [)", read);
    if (!errors.empty()) return tl::unexpected(sim::joinErrors(errors));
    return tour;
}

std::string tourText(const Tour& tour, const std::string& folder) {
    Tour named = tour;
    for (TourScene& scene : named.scenes) {
        for (std::string* name : {&scene.input, &scene.machine, &scene.with, &scene.withMachine}) {
            *name = nameIn(folder, *name);
        }
    }
    SceneChecks none;
    constexpr int kIndent = 4;
    return sim::written(tourFields(none), named).dump(kIndent, ' ', false, ordered_json::error_handler_t::replace) +
           "\n";
}

}  // namespace whorl::app
