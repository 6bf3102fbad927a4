// The stays of a BlockView as points, lines, faces and boxes.
#pragma once

#include <vector>

#include "render/scene/space/block_view.h"
#include "render/scene/space/space_scene.h"
#include "render/scene/space/stay_fold.h"

namespace whorl::scene {

/// The bar of one stay, or of the part of it that is seen, where it may have room for text: pixels.
struct StayBar {
    std::uint32_t stay = 0;
    glm::vec2 low{0};
    glm::vec2 high{0};
    Rgba colour;
};

struct StayMarks {
    Folded folded;
    std::vector<StayBar> bars;  ///< only for a view that is seen face on
};

/// Adds the stays to a scene, whose toClip and eye must be set. The budget of the look limits the boxes and faces.
StayMarks addStayMarks(SpaceScene& scene, const BlockView& view, const BlockLook& look, const BlockFrame& frame);

/// Adds the twelve edges of a box.
void addEdges(std::vector<SpaceSegment>& segments, glm::vec3 low, glm::vec3 high, Rgba colour);

}  // namespace whorl::scene
