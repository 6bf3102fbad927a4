// What happens to the session without a command of the person's: the program starts, a run is opened, time passes.
// These functions and the commands (commands.h) are all that changes a session.
#pragma once

#include <optional>
#include <string>

#include "app/session/session.h"
#include "app/session/tour.h"
#include "sim/base/error.h"

namespace whorl::app {

/// What the program is started with.
struct SessionStart {
    OpenRequest request;
    std::optional<scene::Ground> ground;  ///< none: as it was the last time
    bool paused = false;
    std::optional<TourScene> scene;  ///< to begin with: paused at its moment, with its words
};

void startSession(Session& session, SessionStart start);

/// How a scene is looked at; the rest of the session stays. It is the first half of showing a scene, for which the run
/// need not be open yet.
void applySceneView(Session& session, const TourScene& scene);

/// The request to open something, once.
std::optional<OpenRequest> takeOpenRequest(Session& session);
/// Whether background work shall stop, once.
bool takeCancelRequest(Session& session);

/// A run has been opened and takes the place of the one before. What still has a meaning is kept: with the same
/// accesses (another machine, or another layout) the playhead and all choices of regions and blocks; with another trace
/// only how things look. A run whose layout is changed keeps the one before, or the baseline that there is, as its
/// baseline.
void enterRun(Session& session, Opened next);

/// What was asked for could not be opened. With nothing else to show the program ends with the error; else it is shown,
/// unless the person cancelled.
void failOpening(Session& session, const sim::Error& error);

void showError(Session& session, std::string words);

/// So many seconds pass: the playhead and the camera move.
void passTime(Session& session, double seconds);

}  // namespace whorl::app
