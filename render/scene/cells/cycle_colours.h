// The colours of what CPUs spend their cycles on, and of the critical path. The levels have those of other views of
// cells; memory has one of its own, because red means misses, not time. Waits are striped.
#pragma once

#include <cstddef>

#include "render/scene/scene.h"
#include "sim/analysis/cycle_classes.h"

namespace whorl::scene {

/// `what` is an index of the classes.
Ink cycleInk(Ground ground, const sim::CycleClasses& classes, std::size_t what);

/// The critical path, here and where its parts are lit.
Rgba pathColour(Ground ground);

}  // namespace whorl::scene
