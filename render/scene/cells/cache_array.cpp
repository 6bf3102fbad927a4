#include "render/scene/cells/cache_array.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace whorl::scene {

CacheArray::CacheArray(const CacheArrayShape& shape) : shape_(shape) {
    const std::uint32_t rows = (shape.sets + shape.columns - 1) / shape.columns;
    if (shape.interleaved) {
        groups_.columns = shape.columns * shape.ways;
        groups_.groups.push_back({.title = {}, .rows = rows, .cells = std::uint64_t{shape.sets} * shape.ways});
        return;
    }
    groups_.columns = shape.columns;
    for (std::uint32_t way = 0; way < shape.ways; ++way) {
        groups_.groups.push_back({.title = fmt::format("way {}", way), .rows = rows, .cells = shape.sets});
    }
}

CellPlace CacheArray::placeOf(const Cell& cell) const {
    const std::uint32_t row = cell.set.value / shape_.columns;
    const std::uint32_t column = cell.set.value % shape_.columns;
    if (shape_.interleaved) return {0, row, column * shape_.ways + cell.way.value};
    return {cell.way.value, row, column};
}

std::optional<CacheArray::Cell> CacheArray::at(const CellPlace& place) const {
    if (place.column >= groups_.columns || place.group >= groups_.groups.size()) return std::nullopt;
    const std::uint32_t way = shape_.interleaved ? place.column % shape_.ways : place.group;
    const std::uint32_t column = shape_.interleaved ? place.column / shape_.ways : place.column;
    const std::uint64_t set = std::uint64_t{place.row} * shape_.columns + column;
    if (set >= shape_.sets) return std::nullopt;
    return Cell{sim::SetIndex{static_cast<std::uint32_t>(set)}, sim::WayIndex{way}};
}

std::uint32_t usualColumns(std::uint32_t sets, std::uint64_t nearer) {
    if (nearer > 0 && nearer < sets)
        return static_cast<std::uint32_t>(std::bit_floor(std::min<std::uint64_t>(nearer, 4096)));
    std::uint32_t columns = 1;
    while (std::uint64_t{columns} * columns < std::uint64_t{2} * sets) columns *= 2;
    return columns;
}

}  // namespace whorl::scene
