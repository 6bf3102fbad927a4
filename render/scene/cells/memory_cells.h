// Memory as groups of cells: by region, by address, or in pieces as large as one way of a cache or a page; row by row,
// or along a Hilbert curve. Rows begin at multiples of their length, so that cells below each other are a row apart:
// when a row is one way of a cache, they compete for the same set. Only what is at most half a row long is one row
// wherever it begins. Depends on the trace alone, not on a simulation.
//
// Source: K. Proudfoot, "Visualizing Memory Hierarchies" (static main memory display).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "render/scene/cells/cell_flow.h"
#include "sim/base/types.h"
#include "sim/trace/trace.h"

namespace whorl::scene {

enum class MemoryGroups : std::uint8_t {
    regions,  ///< a group a region; untouched rows of large regions are left out
    address,  ///< a group a touched stretch of the address space
    pieces,   ///< a group an aligned piece of `piece` bytes that is touched
};

enum class MemoryCurve : std::uint8_t {
    linear,
    hilbert,  ///< squares as wide as a row, filled so that neighbours in memory are neighbours in the picture
    treemap,  ///< no cells: boxes as large as regions and allocations, see treemap.h
};

struct MemoryShape {
    std::uint64_t cell = 64;     ///< bytes of a cell, a power of two
    std::uint32_t columns = 64;  ///< cells of a row, a power of two
    MemoryGroups groups = MemoryGroups::regions;
    MemoryCurve curve = MemoryCurve::linear;
    std::uint64_t piece = 4096;  ///< bytes, a power of two, at least a row
    /// Successive regions of at most so many cells have one title together: "23 globals".
    std::uint32_t gathered = 0;

    std::uint64_t row() const { return cell * columns; }
    bool operator==(const MemoryShape&) const = default;
};

inline constexpr std::uint64_t kMinCell = 4;                       ///< bytes: a word
inline constexpr std::uint64_t kMaxCell = std::uint64_t{1} << 21;  ///< bytes: a large page
inline constexpr std::uint32_t kMaxColumns = 4096;

class MemoryCells {
  public:
    MemoryCells(const sim::Trace& trace, const MemoryShape& shape);

    const MemoryShape& shape() const { return shape_; }
    /// By address.
    const CellGroups& groups() const { return groups_; }
    /// The region of the first byte of a group; Trace::regions().size() if it lies in none.
    std::size_t regionOf(std::uint32_t group) const { return extents_[group].region; }

    /// The place of the cell that holds an address; nothing if it is left out.
    std::optional<CellPlace> placeOf(sim::ByteAddress a) const;
    /// The first byte of a cell, rounded down to its size; nothing where there is no cell.
    std::optional<sim::ByteAddress> addressAt(const CellPlace& place) const;
    /// The first and the last byte of the cells of a group.
    sim::ByteAddress firstOf(std::uint32_t group) const;
    sim::ByteAddress lastOf(std::uint32_t group) const;
    /// The number (an address divided by the size of a cell) of the cell at row 0, column 0 of a group.
    std::uint64_t originOf(std::uint32_t group) const { return extents_[group].origin; }
    /// The group that holds an address.
    std::optional<std::uint32_t> groupOf(sim::ByteAddress a) const;

  private:
    /// The cells of a group: those with the numbers [first, last], an address divided by the size of a cell; cell
    /// number `origin` is at row 0, column 0.
    struct Extent {
        std::uint64_t origin = 0;
        std::uint64_t first = 0;
        std::uint64_t last = 0;
        std::size_t region = 0;
    };

    void addRegions(const sim::Trace& trace);
    void addRanges(const sim::Trace& trace);
    void addPieces(const sim::Trace& trace);
    void addPart(std::uint64_t first, std::uint64_t last, std::size_t region, bool follows);
    void gather(const sim::Trace& trace);

    MemoryShape shape_;
    CellGroups groups_;
    std::vector<Extent> extents_;  ///< by group
};

/// The position along a Hilbert curve through a square of n × n cells (n a power of two), and the reverse.
/// Source: H. S. Warren, "Hacker's Delight", chapter 16, in the form of Wikipedia's "Hilbert curve".
std::uint64_t hilbertIndex(std::uint32_t n, std::uint32_t x, std::uint32_t y);
struct HilbertPoint {
    std::uint32_t x = 0;
    std::uint32_t y = 0;
};
HilbertPoint hilbertPoint(std::uint32_t n, std::uint64_t index);

}  // namespace whorl::scene
