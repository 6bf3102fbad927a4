// Flows of blocks between the rings, drawn when too many blocks move to follow each: a band for each region and each
// pair of places, as broad as the number of blocks that took that way.
#pragma once

#include "render/scene/rings/frame_context.h"

namespace whorl::scene {

/// Adds the bands of Snapshot::flows to a scene.
void addFlowBands(Scene& scene, const FrameContext& frame);

}  // namespace whorl::scene
