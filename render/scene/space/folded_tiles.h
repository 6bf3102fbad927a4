// The surface of a folded graph as it is drawn: its nodes gathered into tiles that are large enough to be seen.
#pragma once

#include "render/scene/space/folded_scene.h"

namespace whorl::scene {

/// The part of the surface that is in the picture. Whole columns and rows are gathered, so that tiles of different
/// sizes meet without cracks.
SpaceSurface tilesOf(const FoldedGraph& graph, const FoldedLook& look, const glm::mat4& toClip);

}  // namespace whorl::scene
