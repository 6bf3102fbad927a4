// Where a tooltip goes so that it does not cover what it is about. A pure function.
#pragma once

#include <glm/vec2.hpp>

#include "render/scene/raster.h"

namespace whorl::app {

/// The upper left corner of a box of this size beside another one, `gap` pixels away: to the right, to the left, below
/// or above, the first of these where it is inside of the screen. Where there is no room on any side, at the right
/// edge.
glm::ivec2 placeBeside(const scene::PixelBox& lit, glm::ivec2 size, glm::ivec2 screen, int gap);

}  // namespace whorl::app
