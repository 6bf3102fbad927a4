// Cells as groups of rows: the way from memory or a cache to a two-dimensional array. A group is what is kept together,
// such as a region, a page, or one way of a cache; in it, rows of the same number of cells lie below each other. Places
// are counted in cells; where they are in the picture is up to CellFlow.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace whorl::scene {

struct CellPlace {
    std::uint32_t group = 0;
    std::uint32_t row = 0;
    std::uint32_t column = 0;
    auto operator<=>(const CellPlace&) const = default;
};

struct CellGroup {
    std::string name;             ///< a shorter title, where there is no room for the whole
    std::string title;            ///< above its rows; empty: none
    std::uint32_t rows = 0;       ///< at least 1
    bool follows = false;         ///< belongs to the group before it
    bool isAfterGap = false;      ///< memory between it and the group before it is left out
    std::uint64_t firstCell = 0;  ///< the cells that exist: the first, counted along the rows (or the curve) from 0,
    std::uint64_t cells = 0;      ///< … and how many
};

struct CellGroups {
    std::uint32_t columns = 1;
    std::vector<CellGroup> groups;

    std::uint64_t rows() const {
        std::uint64_t sum = 0;
        for (const CellGroup& g : groups) sum += g.rows;
        return sum;
    }
};

}  // namespace whorl::scene
