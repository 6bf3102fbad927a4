// The surface of a folded graph as it is drawn: its nodes gathered into tiles as large as the picture can show.
#pragma once

#include "render/scene/space/folded_graph.h"

namespace whorl::scene {

/// What of the surface is in the picture. Whole columns and rows are gathered, so that no two tiles of different size
/// meet with a crack between them.
SpaceSurface tilesOf(const FoldedGraph& graph, const FoldedLook& look, const glm::mat4& toClip);

}  // namespace whorl::scene
