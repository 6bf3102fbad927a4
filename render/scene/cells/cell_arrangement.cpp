#include "render/scene/cells/cell_arrangement.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace whorl::scene {

namespace {

// Pixels of a cell.
constexpr int kEnough = 20;  ///< large enough: keep rows of one way, and try no shorter ones
/// Shorter rows must make cells larger by this factor.
constexpr double kMuchLarger = 1.25;
constexpr std::uint32_t kFewColumns = 8;

}  // namespace

ArrangedMemory arrangedMemory(const sim::Trace& trace, MemoryShape shape, std::uint64_t way, const FlowLook& look) {
    const std::uint64_t inPiece = shape.groups == MemoryGroups::pieces ? shape.piece / shape.cell : kMaxColumns;
    const auto most = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(inPiece, 1, kMaxColumns));
    const auto with = [&](std::uint32_t columns) {
        shape.columns = columns;
        MemoryCells cells(trace, shape);
        const CellFit fit = fitOf(cells.groups(), look, CellScale::kMaxPixels);
        return ArrangedMemory{std::move(cells), fit};
    };
    if (shape.columns != 0) return with(std::min(shape.columns, most));
    const std::uint32_t few = std::min(kFewColumns, most);
    const auto first =
        static_cast<std::uint32_t>(std::bit_floor(std::clamp<std::uint64_t>(way / shape.cell, few, most)));
    ArrangedMemory best = with(first);
    for (std::uint32_t columns = first / 2; columns >= few && best.fit.scale.pixels < kEnough; columns /= 2) {
        ArrangedMemory next = with(columns);
        if (next.fit.scale.size() >= kMuchLarger * best.fit.scale.size()) best = std::move(next);
    }
    return best;
}

ArrangedCache arrangedCache(CacheArrayShape shape, std::uint64_t nearer, const FlowLook& look) {
    const auto with = [&](std::uint32_t columns) {
        shape.columns = columns;
        CacheArray array(shape);
        const CellFit fit = fitOf(array.groups(), look, CellScale::kMaxPixels);
        return ArrangedCache{std::move(array), fit};
    };
    const std::uint32_t most = std::bit_ceil(shape.sets);
    if (shape.columns != 0) return with(std::min(shape.columns, most));
    const std::uint32_t first = std::min(usualColumns(shape.sets, nearer), most);
    ArrangedCache best = with(first);
    for (std::uint32_t columns = first / 2; columns > 0 && best.fit.scale.pixels < kEnough; columns /= 2) {
        ArrangedCache next = with(columns);
        if (next.fit.scale.size() >= kMuchLarger * best.fit.scale.size()) best = std::move(next);
    }
    return best;
}

}  // namespace whorl::scene
