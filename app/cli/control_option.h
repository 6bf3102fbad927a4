// The option --control, for commands that open a window.
#pragma once

#include "app/cli/option_parser.h"
#include "app/window/main_loop.h"

namespace whorl::app {

/// Adds --control. Through it pictures can be saved under any name.
void addControlOption(OptionParser& command, WindowOptions& window);

}  // namespace whorl::app
