// The program in its window.
#pragma once

#include <string>

#include "app/session/transitions.h"
#include "sim/base/error.h"

namespace whorl::app {

struct WindowOptions {
    SessionStart start;
    std::string stateFile;  ///< where what is chosen is kept, as StateFile has it; empty: nowhere
};

/// Opens a window and runs until it is closed; gives the exit status. Needs a display.
sim::Expected<int> runWindow(const WindowOptions& options);

}  // namespace whorl::app
