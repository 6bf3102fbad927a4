// What of a BlockView lies under a pixel.
#pragma once

#include <optional>

#include "render/scene/space/block_scene.h"

namespace whorl::scene {

/// The stay under a pixel, or up to four pixels beside it: index into HistoryLevel::stays.
std::optional<std::uint32_t> pickStay(const BlockView& view, const BlockLook& look, glm::vec2 pixel);
/// The time under a pixel, on the plane through the target, in cycles with a fraction; the nearest that is shown.
double timeAt(const BlockView& view, const BlockLook& look, glm::vec2 pixel);

}  // namespace whorl::scene
