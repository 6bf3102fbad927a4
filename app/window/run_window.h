// Runs the program in its window, on a desktop.
#pragma once

#include "app/window/main_loop.h"

namespace whorl::app {

/// Opens a window and runs until it is closed; returns the exit status. Needs a display.
sim::Expected<int> runWindow(const WindowOptions& options);

}  // namespace whorl::app
