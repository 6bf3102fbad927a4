// Trails: the pathlines of the last accesses. Straight and red where a block came in, turning and in the region's hue
// where one was evicted, along the arm where its rank changed, an arrow from the CPU whose write took it away to the
// cache that lost it.
#pragma once

#include "render/scene/rings/frame_context.h"

namespace whorl::scene {

/// Adds the trails of the last View::trails accesses, or in time-lapse of those of the last few
/// frames if these are more.
void addTrails(Scene& scene, const FrameContext& frame);

}  // namespace whorl::scene
