// Finds the part of a BlockView under a pixel.
#pragma once

#include <optional>

#include "render/scene/space/block_scene.h"
#include "render/scene/space/stay_fold.h"

namespace whorl::scene {

/// The stay under a pixel, or up to four pixels beside it: index into HistoryLevel::stays.
std::optional<std::uint32_t> pickStay(const BlockView& view, const BlockLook& look, glm::vec2 pixel);
/// The cell that holds a stay, where that is folded: of its two ends, the one nearer to a pixel if its fill and its
/// departure are counted apart. None if it is drawn by itself, or coloured by its states, which are folded apart.
struct CellAround {
    FoldGrid grid;
    Interval cycles;
    std::uint32_t count = 0;  ///< stays, or fills and departures
};
std::optional<CellAround> cellAround(const BlockView& view, const BlockLook& look, std::uint32_t stay, glm::vec2 pixel);
/// The time under a pixel, on the plane through the target, in cycles with a fraction; the nearest that is shown.
double timeAt(const BlockView& view, const BlockLook& look, glm::vec2 pixel);

}  // namespace whorl::scene
