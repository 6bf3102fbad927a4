// The window as each command opens it, and its option --control.
#pragma once

#include "app/cli/option_parser.h"
#include "app/window/main_loop.h"

namespace whorl::app {

/// Adds --control.
void addControlOption(OptionParser& command, WindowOptions& window);

/// Opens a window that remembers settings and can save pictures, also under names that programs say, and runs until it
/// is closed; see runWindow().
sim::Expected<void> showWindow(WindowOptions window);

}  // namespace whorl::app
