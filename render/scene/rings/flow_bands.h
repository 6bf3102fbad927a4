// Flows of blocks between the rings, drawn under the glyphs when too many blocks move to follow each: a tapering stream
// for each region and each pair of places, as broad as the number of blocks that took that way, with streaks that drift
// along it. What comes in and what leaves flow side by side along the region's spoke.
#pragma once

#include "render/scene/rings/frame_context.h"

namespace whorl::scene {

/// Adds the bands of Snapshot::flows to a scene.
void addFlowBands(Scene& scene, const FrameContext& frame);

}  // namespace whorl::scene
