// The program in its window.
#pragma once

#include "app/opening.h"
#include "render/scene/scene.h"
#include "sim/error.h"

namespace whorl::app {

struct ShowOptions {
    OpenRequest request;
    scene::Ground ground = scene::Ground::dark;
    bool paused = false;
};

/// Opens a window and runs until it is closed; gives the exit status. Needs a display.
sim::Expected<int> show(const ShowOptions& options);

}  // namespace whorl::app
