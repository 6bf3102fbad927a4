// Commands by their text form, as the command log, links, tours and tests have them. Only commands and transitions
// (transitions.h) change a session.
#pragma once

#include <span>
#include <string_view>

#include "app/session/command.h"
#include "app/session/session.h"

namespace whorl::app {

/// All kinds of commands. Listed where all of them are known, in app/commands/commands.cpp.
std::span<const CommandType> commandTypes();

/// Parses a command's text. The error is one sentence that names the command and shows its syntax.
sim::Expected<Command> parseCommand(std::string_view text);

/// Executes commands in order, remembers what they change in the view (see ViewHistory), and appends the text of each
/// to the file named by WHORL_COMMAND_LOG, if that is set.
void applyAll(Session& session, const Commands& commands);

}  // namespace whorl::app
