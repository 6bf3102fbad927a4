// All commands and their text form, used by the command log, links and tests. Only commands and transitions
// (transitions.h) change a session. The key bindings are in bindings.h.
#pragma once

#include <span>
#include <string_view>

#include "app/session/bookmark_commands.h"
#include "app/session/camera_commands.h"
#include "app/session/cell_commands.h"
#include "app/session/command.h"
#include "app/session/copy_commands.h"
#include "app/session/display_commands.h"
#include "app/session/picture_commands.h"
#include "app/session/place_commands.h"
#include "app/session/predict_commands.h"
#include "app/session/prompt_commands.h"
#include "app/session/run_commands.h"
#include "app/session/search_commands.h"
#include "app/session/selection_commands.h"
#include "app/session/settings.h"
#include "app/session/stage_commands.h"
#include "app/session/time_commands.h"
#include "app/session/tour_commands.h"
#include "app/session/view_commands.h"

namespace whorl::app {

/// Calls f.operator()<C>() for each kind of command but for those of settings().
template <class F>
void forEachCommand(F&& f) {
    command::TimeCommands::forEach(f);
    command::SearchCommands::forEach(f);
    command::SelectionCommands::forEach(f);
    command::DisplayCommands::forEach(f);
    command::CameraCommands::forEach(f);
    command::PictureCommands::forEach(f);
    command::ViewCommands::forEach(f);
    command::CellCommands::forEach(f);
    command::PlaceCommands::forEach(f);
    command::PredictCommands::forEach(f);
    command::RunCommands::forEach(f);
    command::PromptCommands::forEach(f);
    command::BookmarkCommands::forEach(f);
    command::CopyCommands::forEach(f);
    command::TourCommands::forEach(f);
    command::StageCommands::forEach(f);
}

/// The registry of all kinds of commands.
std::span<const CommandType> commandTypes();

/// Parses a command's text. The error is one sentence that names the command and shows its syntax.
sim::Expected<Command> parseCommand(std::string_view text);

/// Executes commands in order, remembers what they change in the view (see ViewHistory), and appends the text of each
/// to the file named by WHORL_COMMAND_LOG, if that is set.
void applyAll(Session& session, const Commands& commands);

}  // namespace whorl::app
