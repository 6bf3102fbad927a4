// The program in its window.
#pragma once

#include <optional>

#include "app/opening.h"
#include "app/tour.h"
#include "render/scene/scene.h"
#include "sim/error.h"

namespace whorl::app {

struct ShowOptions {
    OpenRequest request;
    scene::Ground ground = scene::Ground::dark;
    bool paused = false;
    std::optional<TourScene> scene;  ///< to begin with: paused at its moment, with its words
};

/// Opens a window and runs until it is closed; gives the exit status. Needs a display.
sim::Expected<int> show(const ShowOptions& options);

}  // namespace whorl::app
