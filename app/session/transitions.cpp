#include "app/session/transitions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <utility>

#include "app/session/compared_runs.h"
#include "app/session/player.h"
#include "sim/machine/machine_config.h"
#include "sim/report/report.h"

namespace whorl::app {

namespace {

/// The seconds in which the ways of a cache move from one arrangement to the other.
constexpr float kInterleaving = 0.5f;
constexpr float kTurning = 0.7f;  ///< seconds, of a BlockView from face on to aside

/// A run with a changed layout stands beside the unchanged one on the same machine. Other runs stay as long as the
/// accesses are the same.
void keepCompared(Session& session, const Opened& next, bool sameAccesses) {
    const Opened& last = session.opened;
    std::vector<ComparedRun>& compared = session.compared;
    if (session.unchangedRun() == 0 && last.run && last.request.changes.empty()) {
        compared.insert(compared.begin(), {.opened = last, .unchanged = true});
    }
    const bool changed = !next.request.changes.empty();
    std::erase_if(compared, [&](const ComparedRun& b) {
        if (isSameRun(b.opened.request, next.request)) return true;
        if (!b.unchanged) return !sameAccesses;
        return !changed || b.opened.run->machine() != next.run->machine() ||
               !b.opened.run->trace().sharesAccesses(next.run->trace());
    });
    if (last.run && !sameAccesses) session.requests.withdraw<request::OpenCompared>();
}

/// What is selected, by name.
struct SelectedNames {
    std::optional<SourcePick> source;  ///< already of the next trace
    std::optional<ObjectPick> object;
    std::optional<std::string> region;
    std::optional<std::pair<std::string, std::uint32_t>> line;
};

SelectedNames namesOfSelected(const Session& session, const sim::Trace& next) {
    SelectedNames names;
    const sim::Trace& trace = session.opened.run->trace();
    ViewSettings picks = session.viewSettings;
    picks.carryPicks(trace, next);
    names.source = picks.source;
    names.object = picks.object;
    const bool isRegion = session.region && *session.region < trace.regions().size();  // not what is in none
    if (isRegion) names.region = trace.regions()[*session.region].name;
    if (session.line) names.line.emplace(trace.files()[session.line->file].path, session.line->line);
    return names;
}

/// Selects again what has these names in the open trace.
void selectNames(Session& session, const SelectedNames& names) {
    const sim::Trace& trace = session.opened.run->trace();
    session.viewSettings.source = names.source;
    session.viewSettings.object = names.object;
    for (std::uint32_t r = 0; names.region && r < trace.regions().size(); ++r) {
        if (trace.regions()[r].name == *names.region) session.region = r;
    }
    for (std::uint32_t f = 0; names.line && f < trace.files().size(); ++f) {
        if (trace.files()[f].path == names.line->first) session.line = SourceLine{f, names.line->second};
    }
}

/// Remembers the open run, so that undoing opens it again. The same run, or a trace that was recorded anew with other
/// accesses, clears the history instead. Scenes of a tour change nothing, as undoing leaves a tour as a whole.
void rememberOpen(Session& session, const OpenRequest& next, bool keepsPlace, bool forScene) {
    if (session.comesBack && isSameRun(session.comesBack->request, next)) return;
    session.comesBack.reset();
    const bool isOther = session.opened.run && !isSameRun(session.opened.request, next);
    if (!isOther || (keepsPlace && !isProgram(next.input))) {
        session.history.clear();
    } else if (!forScene) {
        session.history.leave(whatIsOpen(session));
    }
}

/// The numbers of accesses, regions, sites and files of a trace. Equal numbers keep the indices of selections within
/// bounds.
std::array<std::uint64_t, 4> shapeOf(const sim::Trace& trace) {
    return {trace.size(), trace.regions().size(), trace.sites().size(), trace.files().size()};
}

/// What is assumed about this computer's caches, when they become the machine.
std::string assumptionsOf(const Opened& next, const Opened& last) {
    const bool isNew = !last.run || last.request.machine != next.request.machine;
    return isNew && sim::namesHost(next.request.machine) ? next.run->machine().note : "";
}

/// Whether the playhead has left the access that is asked about, unanswered.
bool isGivenUp(const Session& session) {
    const auto& p = session.prediction;
    if (!p || p->question == nullptr || p->revealed) return false;
    return session.player.position() > static_cast<double>(p->question->tick.value);
}

}  // namespace

void clearSelections(Session& session) {
    session.selected.reset();
    session.watched.clear();
    session.region.reset();
    session.pair.reset();
    session.line.reset();
    session.range.reset();
    session.seen.reset();
}

void leaveTrace(Session& session) {
    clearSelections(session);
    session.overlays.regionColour.reset();
    session.ringView.hues.clear();
    session.ringView.gauge.region = 0;
    session.viewSettings.leaveTrace();
}

void takeRun(Session& session, Opened next, bool forScene) {
    const bool sameAccesses = session.opened.run && session.opened.run->trace().sharesAccesses(next.run->trace());
    const bool keepsPlace = std::exchange(session.keepsPlace, false) && session.opened.run;
    const bool isNewMachine = sameAccesses && session.opened.run->machine() != next.run->machine();
    rememberOpen(session, next.request, keepsPlace, forScene);
    // A user who opens something else needs no welcome.
    if (session.opened.run) session.welcome = false;
    const SelectedNames names = keepsPlace ? namesOfSelected(session, next.run->trace()) : SelectedNames{};
    // If the playhead has not yet returned to its place since the last change of values, keep that place.
    const double place = session.resumeAt.value_or(session.player.position());
    session.resumeAt.reset();
    if (sameAccesses || keepsPlace) session.resumeAt = place;
    if (!sameAccesses && !keepsPlace && next.start > 0) session.resumeAt = static_cast<double>(next.start);
    keepCompared(session, next, sameAccesses);
    if (sameAccesses && next.request.changes != session.opened.request.changes) {
        movePicks(session, session.opened.run->trace(), next.run->trace());
    }
    const auto marked = sameAccesses ? session.marked() : std::nullopt;
    if (isNewMachine) session.viewSettings.stay.reset();
    const std::string assumptions = assumptionsOf(next, session.opened);
    session.changedOnDisk.clear();
    session.opened = std::move(next);
    session.selected = marked ? std::optional(blockAt(*marked)) : std::nullopt;
    session.touched.reset();
    session.search.reset();
    session.prediction.reset();
    session.sceneText.reset();
    const sim::MachineConfig& machine = session.opened.run->machine();
    if (session.cpu && *session.cpu >= machine.cpus) session.cpu.reset();
    session.viewSettings.keepLevels(machine);
    if (!sameAccesses) {
        leaveTrace(session);
        selectNames(session, names);
        session.message = fmt::format("{}", fmt::join(sim::warningsOf(session.opened.run->trace()), "\n"));
    }
    if (!assumptions.empty()) session.message += (session.message.empty() ? "" : "\n") + assumptions;
    if (!sameAccesses && !keepsPlace && !session.paceChosen) {
        // A scene is about its moment.
        session.player.setPace(forScene ? Player::kStepping : Player::startingPace(session.toPlay()));
    }
    session.player.seek(0, 0);
}

void reopen(Session& session, std::string input) {
    OpenRequest request = session.opened.request;
    request.input = std::move(input);
    session.requests.add(request::Open{std::move(request)});
    session.keepsPlace = true;
    session.error.clear();
}

std::optional<request::OpenCompared> takeComparedRequest(Session& session) {
    return session.opened.run ? session.requests.take<request::OpenCompared>() : std::nullopt;
}

void enterCompared(Session& session, ComparedRun compared) {
    // The new run comes last, so that existing indices of runs stay valid.
    session.compared.push_back(std::move(compared));
    session.viewSettings.compares = true;
}

void failOpening(Session& session, const sim::Error& error) {
    session.keepsPlace = false;
    session.comesBack.reset();
    if (!session.opened.run) {
        session.fatal = error;
        session.requests.add(request::Quit{});
    } else if (!error.cancelled) {
        showError(session, error.sentence());
    }
}

void endBuilding(Session& session) {
    if (session.resumeAt) session.player.seek(*std::exchange(session.resumeAt, std::nullopt), session.end());
}

void notePicture(Session& session, glm::ivec2 size) {
    session.pictureSize = size;
}

void notePlace(Session& session, WindowPlace place) {
    session.place = place;
}

void noteChange(Session& session, std::string file) {
    session.changedOnDisk = std::move(file);
}

void refuse(Session& session, std::string sentence) {
    session.refused = sentence;
    (session.prompt.isOpen() ? session.prompt.error : session.message) = std::move(sentence);
}

void showError(Session& session, std::string words) {
    session.error = std::move(words);
}

void closeCards(Session& session) {
    if (session.prompt.isOpen()) ask(session, Asks::nothing, "");
    session.lookUp.open = false;
    session.help = false;
    session.error.clear();
    session.message.clear();
    session.welcome = false;
    session.changedOnDisk.clear();
    session.overlays.picture = session.overlays.costs = false;
    session.overlays.regionColour.reset();
}

void ask(Session& session, Asks what, std::string text) {
    Prompt& prompt = session.prompt;
    prompt.asks = what;
    prompt.text = std::move(text);
    prompt.error.clear();
    ++prompt.serial;
    session.focus = what == Asks::nothing ? Field::none : Field::prompt;
}

std::shared_ptr<const ViewState> captureViewState(const Session& session) {
    return captureViewState(session.camera, session.look());
}

ViewHistory::State whatIsOpen(const Session& session) {
    std::shared_ptr<const ViewState> state = captureViewState(session);
    WasOpen open{.request = session.opened.request,
                 .state = state,
                 .position = session.player.position(),
                 .shape = shapeOf(session.opened.run->trace())};
    if (const auto& p = session.presentation) {
        open.tour = p->tour;
        open.file = p->file;
        open.reading = p->reading;
        open.scene = p->scene;
    }
    return {std::move(state), std::make_shared<const WasOpen>(std::move(open))};
}

void comeBack(Session& session) {
    const std::shared_ptr<const WasOpen> wanted = std::exchange(session.comesBack, nullptr);
    if (!wanted) return;
    restoreViewState(*wanted->state, session.camera, session.look());
    // A file may have been written anew.
    if (shapeOf(session.opened.run->trace()) != wanted->shape) leaveTrace(session);
    if (!session.player.led()) session.resumeAt = wanted->position;
}

void movePlayhead(Session& session, double seconds) {
    session.history.rest(seconds);
    // The playhead waits until the new run is built up to the old position, or to the first recorded access.
    if (session.resumeAt && (session.end() >= *session.resumeAt || session.complete())) {
        session.player.seek(*std::exchange(session.resumeAt, std::nullopt), session.end());
    }
    session.player.advance(seconds, session.end(), session.played(), session.clock());
}

void moveLook(Session& session, double seconds) {
    if (!session.player.led()) session.ringView.growth = {};  // the user has taken the playhead from the scene
    // Playing past the access abandons the question, so the access may be shown.
    if (isGivenUp(session)) session.prediction.reset();
    if (session.talk.on && !session.talk.clockPaused) session.talk.clock += seconds;
    if (session.reducedMotion) session.camera.put(session.camera.target());
    session.camera.advance(seconds);
    for (auto& [view, choice] : session.viewSettings.cells) {
        const float step = static_cast<float>(seconds) / kInterleaving;
        choice.interleavedShare = choice.interleaved ? std::min(1.0f, choice.interleavedShare + step)
                                                     : std::max(0.0f, choice.interleavedShare - step);
    }
    const auto turn = [&](BlockChoice& choice) {
        const float step = session.reducedMotion ? 1 : static_cast<float>(seconds) / kTurning;
        choice.depth = choice.solid ? std::min(1.0f, choice.depth + step) : std::max(0.0f, choice.depth - step);
    };
    turn(session.viewSettings.blocks);
    for (auto& [view, choice] : session.viewSettings.ownBlocks) turn(choice);
}

}  // namespace whorl::app
