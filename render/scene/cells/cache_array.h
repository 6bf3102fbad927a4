// The cells of a cache as groups: in parallel, an array of sets for each way; interleaved, one array of sets with all
// ways of a set side by side.
//
// Source: K. Proudfoot, "Visualizing Memory Hierarchies" (static cache display).
#pragma once

#include <cstdint>
#include <optional>

#include "render/scene/cells/cell_flow.h"
#include "sim/base/types.h"

namespace whorl::scene {

struct CacheArrayShape {
    std::uint32_t sets = 1;
    std::uint32_t ways = 1;
    std::uint32_t columns = 8;  ///< sets in a row
    bool interleaved = false;
    bool operator==(const CacheArrayShape&) const = default;
};

class CacheArray {
  public:
    explicit CacheArray(const CacheArrayShape& shape);

    struct Cell {
        sim::SetIndex set;
        sim::WayIndex way;
        bool operator==(const Cell&) const = default;
    };

    const CacheArrayShape& shape() const { return shape_; }
    const CellGroups& groups() const { return groups_; }
    CellPlace placeOf(const Cell& cell) const;
    std::optional<Cell> at(const CellPlace& place) const;

  private:
    CacheArrayShape shape_;
    CellGroups groups_;
};

/// How many sets a row has unless chosen: a power of two. `nearer`: blocks in one way of the next nearer level, 0 for
/// the nearest. Its rows then match those of that level; a cache with fewer sets is made about twice as wide as high.
std::uint32_t usualColumns(std::uint32_t sets, std::uint64_t nearer);

}  // namespace whorl::scene
