// What begins, opens and passes time in a session with a tour, or without one.
#pragma once

#include <optional>
#include <vector>

#include "app/session/session.h"
#include "app/tours/tour_catalogue.h"

namespace whorl::app {

/// The startup options.
struct SessionStart {
    OpenRequest request;
    std::optional<scene::Ground> ground;     ///< none: as saved in the last session
    std::vector<OpenRequest> compared = {};  ///< opened beside it
    TimeLock lock = TimeLock::access;
    bool paused = false;
    std::optional<TourStart> tour = {};  ///< a scene of it is shown first
    bool presents = false;               ///< to an audience
    bool speaker = false;                ///< the speaker's window is open
    bool welcomes = false;               ///< offer the tour for beginners to a user who has never opened anything
};

void startSession(Session& session, SessionStart start);

/// Replaces the open run (see takeRun()), and enters the scene that waits for it.
void enterRun(Session& session, Opened next);

/// Advances the playhead, the scene and the camera by this many seconds.
void passTime(Session& session, double seconds);

}  // namespace whorl::app
