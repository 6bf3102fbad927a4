// Changes to the session that are not user commands: program start, opening of a run, passing of time. Only these
// functions and the commands (commands.h) change a session.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/session/session.h"
#include "app/session/tour/tour.h"
#include "sim/base/error.h"

namespace whorl::app {

/// The startup options.
struct SessionStart {
    OpenRequest request;
    std::optional<scene::Ground> ground;   ///< none: as saved in the last session
    std::vector<OpenRequest> beside = {};  ///< opened beside it
    TimeLock lock = TimeLock::access;
    bool paused = false;
    std::optional<TourStart> tour = {};  ///< a scene of it is shown first
    bool presents = false;               ///< to an audience
    bool speaker = false;                ///< the speaker's window is open
    bool welcomes = false;               ///< who has never opened anything is offered the tour for beginners
};

void startSession(Session& session, SessionStart start);

/// For commands that cannot be done: tells why, in a sentence, under the field in which a command is typed if that is
/// open, else in a message. Whoever gave the command finds it in Session::refused.
void refuse(Session& session, std::string sentence);

/// Nothing is selected, watched, or chosen of the time.
void clearSelections(Session& session);
/// The same, and of what views show of a trace: selections in one are meaningless in another.
void leaveTrace(Session& session);

/// Replaces the open run. State that is still meaningful is kept: with the same accesses (another machine or layout)
/// the playhead, the range and the selected and watched regions and blocks; with another trace only the display
/// settings; the playhead goes to its first recorded access, and no run stays beside it. A run with a changed layout
/// stands beside the unchanged one.
void enterRun(Session& session, Opened next);

/// Opens a trace that was recorded anew of the same program: the playhead, the pace, the view, and what is selected by
/// name stay. An error about the last one is forgotten.
void reopen(Session& session, std::string input);

/// Returns and removes the next pending request to open something beside the open run, if there is one.
std::optional<request::OpenBeside> takeBesideRequest(Session& session);
/// Adds a run beside the open one.
void enterBeside(Session& session, Beside beside);

/// Handles a failure to open. If nothing is open the program exits with the error; otherwise the error is shown, unless
/// the user cancelled.
void failOpening(Session& session, const sim::Error& error);

/// The open run is built no further: its end has been reached, or that was cancelled.
void endBuilding(Session& session);

/// The size of the part of the window that shows the views, in pixels; and where the window stands, once that has been
/// changed.
void notePicture(Session& session, glm::ivec2 size);
void notePlace(Session& session, WindowPlace place);
/// The open file has changed on disk, and rests.
void noteChange(Session& session, std::string file);

void showError(Session& session, std::string words);
/// Closes all that lies over the picture.
void closeCards(Session& session);

/// Advances the playhead and the camera by this many seconds.
void passTime(Session& session, double seconds);

}  // namespace whorl::app
