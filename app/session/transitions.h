// Changes to the session that are not user commands: program start, opening of a run, passing of time. Only these
// functions and the commands (commands.h) change a session.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/session.h"
#include "sim/base/error.h"

namespace whorl::app {

/// Reports why a command cannot be executed, as a sentence: under the command prompt if that is open, else in a
/// message. The caller finds the sentence in Session::refused.
void refuse(Session& session, std::string sentence);

/// Clears what is selected and watched, and the chosen range and visible time span.
void clearSelections(Session& session);
/// Clears the selections and all view state that refers to the trace, which is meaningless in another trace.
void leaveTrace(Session& session);

/// Replaces the open run. State that is still meaningful is kept: with the same accesses (another machine or layout)
/// the playhead, the range and the selected and watched regions and blocks; with another trace only the display
/// settings; the playhead goes to its first recorded access, and no run stays beside it. A run with a changed layout
/// stands beside the unchanged one. `forScene`: a scene of a tour is entered next. See app/tours/presenting.h.
void takeRun(Session& session, Opened next, bool forScene);

/// Opens a trace that was recorded anew of the same program: the playhead, the pace, the view, and what is selected by
/// name stay. An error about the last one is forgotten.
void reopen(Session& session, std::string input);

/// Returns and removes the next pending request to open something beside the open run, if there is one.
std::optional<request::OpenCompared> takeComparedRequest(Session& session);
/// Adds a run beside the open one.
void enterCompared(Session& session, ComparedRun compared);

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

/// Closes the field in which something is typed over the picture, or asks for something else in it.
void ask(Session& session, Asks what, std::string text);

/// How the session looks: what undoing gives back.
std::shared_ptr<const ViewState> captureViewState(const Session& session);
/// How the session looks, and what is open.
ViewHistory::State whatIsOpen(const Session& session);
/// The open run looks as it did when it was left, if it is the one that undoing, or redoing, asked for.
void comeBack(Session& session);

/// Time passes: the playhead moves on; then what moves by itself.
void movePlayhead(Session& session, double seconds);
void moveLook(Session& session, double seconds);

}  // namespace whorl::app
