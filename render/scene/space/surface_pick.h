// Finds the part of a surface, such as that of a folded graph, under a pixel.
#pragma once

#include <optional>

#include "render/scene/space/space_scene.h"

namespace whorl::scene {

/// The node of the tile under a pixel (SpaceSurface::nodes). None beside the surface, or where there is no node.
std::optional<std::uint32_t> pickTile(const SpaceScene& scene, glm::vec2 pixel);
/// The node under a pixel: that whose name stands there, else that of the tile.
std::optional<std::uint32_t> pickNode(const SpaceScene& scene, glm::vec2 pixel);

}  // namespace whorl::scene
