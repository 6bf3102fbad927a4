// Runs the program in its window, on a desktop.
#pragma once

#include "app/window/main_loop.h"

namespace whorl::app {

/// Opens a window and runs until it is closed, or a signal asks to end. Needs a display; when that is lost, the
/// settings are saved and the program ends with an error.
sim::Expected<void> runWindow(const WindowOptions& options);

}  // namespace whorl::app
