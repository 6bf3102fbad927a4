// The program in its window.
#pragma once

#include <optional>
#include <string>

#include "app/session/tour.h"
#include "app/tasks/opening.h"
#include "render/scene/scene.h"
#include "sim/base/error.h"

namespace whorl::app {

struct WindowOptions {
    OpenRequest request;
    std::optional<scene::Ground> ground;  ///< none: as it was the last time
    bool paused = false;
    std::string stateFile;           ///< where what is chosen is kept, as StateFile has it; empty: nowhere
    std::optional<TourScene> scene;  ///< to begin with: paused at its moment, with its words
};

/// Opens a window and runs until it is closed; gives the exit status. Needs a display.
sim::Expected<int> runWindow(const WindowOptions& options);

}  // namespace whorl::app
