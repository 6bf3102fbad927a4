// Finds the part of the rings under a point of the picture.
#pragma once

#include <glm/vec2.hpp>

#include "render/scene/rings/ring_layout.h"
#include "render/scene/scene.h"

namespace whorl::scene {

/// The topmost glyph or cell that covers a point, else the nearest within a few pixels; else the trail that passes
/// there; else the arm, ring, arc or CPU that the point lies in; else a target of kind none. The layout and the view
/// must be those of the scene.
Target pick(const Scene& scene, const RingLayout& layout, const View& view, glm::vec2 point);

}  // namespace whorl::scene
