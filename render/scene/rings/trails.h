// Trails: the pathlines of the last accesses. Straight and red where a block came in, turning and in the region's hue
// where one was evicted, along the arm where its rank changed, from CPU to CPU where a write invalidated it.
#pragma once

#include "render/scene/rings/frame_context.h"

namespace whorl::scene {

/// Adds the trails of the last View::trails accesses, or in time-lapse of all since the last frame if those are more.
void addTrails(Scene& scene, const FrameContext& frame);

}  // namespace whorl::scene
