// What lies under the mouse.
#pragma once

#include <glm/vec2.hpp>

#include "render/scene/rings/ring_layout.h"
#include "render/scene/scene.h"

namespace whorl::scene {

/// What is drawn at a point: the topmost glyph or cell within its radius, else the nearest within a few pixels; else
/// the trail that passes there; else the arm, ring, arc or CPU that the point lies in. Kind none if there is nothing.
/// The layout and the view are those of the scene.
Target pick(const Scene& scene, const RingLayout& layout, const View& view, glm::vec2 point);

}  // namespace whorl::scene
