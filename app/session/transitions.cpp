#include "app/session/transitions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "sim/machine/machine_config.h"
#include "sim/report/warnings.h"

namespace whorl::app {

namespace {

/// The seconds in which the ways of a cache move from one arrangement to the other.
constexpr float kInterleaving = 0.5f;

/// A run with a changed layout is compared with the unchanged one on the same machine.
void keepBaseline(Session& session, const Opened& next) {
    const Opened& last = session.opened;
    std::optional<Opened>& baseline = session.baseline;
    if (!baseline && last.run && last.request.changes.empty()) baseline = last;
    const bool fits = baseline && !next.request.changes.empty() && baseline->run->machine() == next.run->machine() &&
                      baseline->run->trace().sharesAccesses(next.run->trace());
    if (!fits) baseline.reset();
}

/// Selections in one trace are meaningless in another.
void leaveTrace(Session& session) {
    session.range.reset();
    session.seen.reset();
    session.region.reset();
    session.pair.reset();
    session.line.reset();
    session.watched.clear();
    session.overlays.regionColour.reset();
    session.look.hues.clear();
    session.look.gauge.region = 0;
    session.viewSettings.leaveTrace();
}

/// What is assumed about this computer's caches, when they become the machine.
std::string assumptionsOf(const Opened& next, const Opened& last) {
    const bool isNew = !last.run || last.request.machine != next.request.machine;
    return isNew && sim::namesHost(next.request.machine) ? next.run->machine().note : "";
}

/// Moves to the scene's position and shows its text before other messages.
void enterScene(Session& session, const TourScene& scene) {
    session.resumeAt = scene.at;
    arrange(session, scene);
    std::string words = fmt::format("{}. {}", scene.title, scene.words);
    if (!session.message.empty()) words += "\n" + session.message;
    session.message = std::move(words);
}

}  // namespace

void startSession(Session& session, SessionStart start) {
    if (start.ground) session.ground = *start.ground;
    if (start.scene) applySceneView(session, *start.scene);
    session.openNext = std::move(start.request);
    session.playWhenOpen = !start.paused && !start.scene;
    session.scene = std::move(start.scene);
}

void applySceneView(Session& session, const TourScene& scene) {
    if (scene.history) session.trails = std::min(*scene.history, Session::kMostTrails);
    if (scene.lapse) session.lapse = std::clamp<std::uint64_t>(*scene.lapse, 1, Session::kMostLapse);
    if (scene.elements) session.look.grain = *scene.elements ? scene::Grain::elements : scene::Grain::blocks;
}

std::optional<OpenRequest> takeOpenRequest(Session& session) {
    return std::exchange(session.openNext, std::nullopt);
}

bool takeCancelRequest(Session& session) {
    return std::exchange(session.cancelRequested, false);
}

void enterRun(Session& session, Opened next) {
    const bool sameAccesses = session.opened.run && session.opened.run->trace().sharesAccesses(next.run->trace());
    session.resumeAt.reset();
    if (sameAccesses) session.resumeAt = session.player.position();
    if (!sameAccesses && next.start > 0) session.resumeAt = static_cast<double>(next.start);
    keepBaseline(session, next);
    if (next.request.changes != session.opened.request.changes) session.viewSettings.clearAddressPicks();
    const std::string assumptions = assumptionsOf(next, session.opened);
    session.opened = std::move(next);
    session.selected.reset();
    session.search.reset();
    const sim::MachineConfig& machine = session.opened.run->machine();
    if (session.cpu && *session.cpu >= machine.cpus) session.cpu.reset();
    session.viewSettings.keepLevels(machine.levels.size());
    if (!sameAccesses) {
        leaveTrace(session);
        session.message = fmt::format("{}", fmt::join(sim::warningsOf(session.opened.run->trace()), "\n"));
    }
    if (!assumptions.empty()) session.message += (session.message.empty() ? "" : "\n") + assumptions;
    if (session.scene) enterScene(session, *std::exchange(session.scene, std::nullopt));
    session.player.seek(0, 0);
    if (std::exchange(session.playWhenOpen, false)) session.player.play();
}

void failOpening(Session& session, const sim::Error& error) {
    if (!session.opened.run) {
        session.fatal = error;
        session.quit = true;
    } else if (!error.cancelled) {
        showError(session, error.sentence());
    }
}

void showError(Session& session, std::string words) {
    session.error = std::move(words);
}

void passTime(Session& session, double seconds) {
    // The playhead waits until the new run is built up to the old position, or to the first recorded access.
    if (session.resumeAt && (session.end() >= *session.resumeAt || session.complete())) {
        session.player.seek(*std::exchange(session.resumeAt, std::nullopt), session.end());
    }
    std::optional<Player::Loop> loop;
    if (const auto& range = session.range) {
        loop = {static_cast<double>(range->from.value), static_cast<double>(range->to.value)};
    }
    session.player.advance(seconds, session.end(), session.complete(), loop);
    if (session.look.reducedMotion) session.camera.put(session.camera.target());
    session.camera.advance(seconds);
    for (auto& [view, choice] : session.viewSettings.cells) {
        const float step = static_cast<float>(seconds) / kInterleaving;
        choice.interleavedShare = choice.interleaved ? std::min(1.0f, choice.interleavedShare + step)
                                                     : std::max(0.0f, choice.interleavedShare - step);
    }
}

}  // namespace whorl::app
