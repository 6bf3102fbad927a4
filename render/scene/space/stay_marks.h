// The stays of a BlockView as points, lines, faces and boxes.
#pragma once

#include "render/scene/space/block_frame.h"
#include "render/scene/space/stay_fold.h"

namespace whorl::scene {

/// Adds them to a scene whose toClip and eye are set; boxes and faces only as many as the budget of the look allows.
/// Gives what was folded.
Folded addStayMarks(SpaceScene& scene, const BlockView& view, const BlockLook& look, const BlockFrame& frame);

/// Adds the twelve edges of a box.
void addEdges(std::vector<SpaceSegment>& segments, glm::vec3 low, glm::vec3 high, Rgba colour);

}  // namespace whorl::scene
