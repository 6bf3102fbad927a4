// All kinds of commands: what parseCommand() reads texts by. The key bindings are in bindings.h.
#pragma once

#include "app/commands/cell_commands.h"
#include "app/commands/display_commands.h"
#include "app/commands/file_commands.h"
#include "app/commands/layout_commands.h"
#include "app/commands/predict_commands.h"
#include "app/commands/prompt_commands.h"
#include "app/commands/selection_commands.h"
#include "app/commands/time_commands.h"
#include "app/commands/tour_commands.h"
#include "app/commands/view_commands.h"
#include "app/session/command.h"
#include "app/session/settings.h"

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
    command::LayoutCommands::forEach(f);
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

}  // namespace whorl::app
