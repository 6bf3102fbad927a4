// Pathlines of the last accesses: straight and red where a block came in, turning and in the region's hue where one
// left, along the arm where it was used again, from CPU to CPU where a write took it away.
#pragma once

#include "render/scene/rings/moving_glyphs.h"

namespace whorl::scene {

/// Adds them to a scene: of the last `history` accesses, or of all since the last frame if those are more.
void addTrails(Scene& scene, const Shot& shot);

}  // namespace whorl::scene
