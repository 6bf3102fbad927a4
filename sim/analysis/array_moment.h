// An array at a moment: which level holds each element, what the access at hand touches, what the last misses brought
// in and drove out, and when each element was last accessed. It depends on the run and the time alone.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "sim/replay/snapshot.h"
#include "sim/trace/layout/array_shape.h"

namespace whorl::sim {

/// Elements arranged in rows and columns, and joined into cells where there are too many.
struct ArrayGrid {
    std::uint64_t rows = 1;
    std::uint64_t columns = 1;
    std::uint64_t lead = 0;        ///< free places before the first element
    std::uint64_t rowsOfCell = 1;  ///< rows of elements in a cell
    std::uint64_t columnsOfCell = 1;

    std::size_t cellRows() const { return static_cast<std::size_t>((rows - 1) / rowsOfCell + 1); }
    std::size_t cellColumns() const { return static_cast<std::size_t>((columns - 1) / columnsOfCell + 1); }
    std::size_t cells() const { return cellRows() * cellColumns(); }
    bool isJoined() const { return rowsOfCell > 1 || columnsOfCell > 1; }
    std::uint64_t rowOf(std::uint64_t element) const { return (lead + element) / columns; }
    std::uint64_t columnOf(std::uint64_t element) const { return (lead + element) % columns; }
    /// The cell of an element: cells are numbered row by row.
    std::size_t cellOf(std::uint64_t element) const {
        return static_cast<std::size_t>(rowOf(element) / rowsOfCell) * cellColumns() +
               static_cast<std::size_t>(columnOf(element) / columnsOfCell);
    }
    /// The first element behind the part of a row that an element's cell holds.
    std::uint64_t endOfCell(std::uint64_t element) const {
        const std::uint64_t column = columnOf(element);
        return element + std::min(columnsOfCell - column % columnsOfCell, columns - column);
    }
    bool operator==(const ArrayGrid&) const = default;
};

/// By cell: the nearest level in which any cache holds a part of it; the number of levels: only memory does. Takes time
/// for each block in the caches, not for each element.
std::vector<std::uint8_t> nearestLevels(const Hierarchy& hierarchy, const ArrayShape& shape, const ArrayGrid& grid);

/// The nearest level that holds a part of a single element, by looking for its blocks.
std::uint8_t nearestLevel(const Hierarchy& hierarchy, const ArrayShape& shape, std::uint64_t element);

struct ArrayMoment {
    /// Blocks that came in or left by one access: the elements in them.
    struct Moved {
        std::vector<std::uint64_t> elements;
        bool isIn = false;  ///< filled into a cache; else evicted from one, invalidated, or moved to a nearer one
        double age = 0;     ///< as StepAge gives it
    };
    std::vector<std::uint8_t> levels;         ///< by cell, see nearestLevels
    std::vector<std::uint8_t> singles;        ///< those of the elements that were asked for
    const Step* current = nullptr;            ///< the access at hand; null before the first
    std::optional<ArrayShape::Span> touched;  ///< the elements that it touches, if they are of this array
    std::vector<std::uint64_t> together;      ///< the elements in the blocks of those
    std::vector<Moved> moved;                 ///< of the steps that are shown, the newest last
};

/// The elements in the blocks, of `bytes` each, that hold these elements.
std::vector<std::uint64_t> sharingBlocks(const ArrayShape& shape, const ArrayShape::Span& elements,
                                         std::uint64_t bytes);

/// The age of what a step did, or nothing for a step that is not shown.
using StepAge = std::function<std::optional<double>(const Step&)>;

/// `singles`: elements whose own levels are also wanted, as cells may join several. The snapshot must outlive the
/// result.
ArrayMoment arrayAt(const Snapshot& snapshot, const ArrayShape& shape, const ArrayGrid& grid,
                    std::span<const std::uint64_t> singles, const StepAge& ageOf);

/// The last access to each element of an array, at any time. Keeps the last time, so that those soon after it are
/// cheap; this does not affect the results. For one thread.
class ElementTouches {
  public:
    /// Accesses that it looks back: what was last accessed before counts as not accessed.
    static constexpr std::uint64_t kReach = 1'000'000;
    /// Of larger arrays only the element that was accessed last is known.
    static constexpr std::uint64_t kMostElements = std::uint64_t{1} << 18;

    /// `trace`: the trace of the shape. Both must outlive it.
    ElementTouches(const Trace& trace, const ArrayShape& shape);

    /// Goes to the time after `at` accesses.
    void moveTo(Tick at);
    /// The last access to an element.
    std::optional<Tick> last(std::uint64_t element) const { return known(now_.last.empty() ? 0 : now_.last[element]); }
    /// The last access to the array, and the first element that it touched.
    std::optional<Tick> latest() const { return known(now_.latest); }
    std::uint64_t latestElement() const { return now_.latestElement; }

  private:
    std::optional<Tick> known(std::uint64_t after) const {
        return after == 0 || after + kReach <= now_.at ? std::nullopt : std::optional(Tick{after - 1});
    }

    /// Distance to the time that is kept for going back.
    static constexpr std::uint64_t kStep = std::uint64_t{1} << 15;
    struct Known {
        std::uint64_t at = 0;      ///< accesses that have been looked at
        std::uint64_t latest = 0;  ///< one more than the tick of the last access; 0: none
        std::uint64_t latestElement = 0;
        std::vector<std::uint64_t> last = {};  ///< by element, as `latest`; empty for a large array
    };
    void goOn(Tick to);

    const Trace* trace_;
    const ArrayShape* shape_;
    Known now_;
    Known before_;  ///< at an earlier time, or of nothing
};

}  // namespace whorl::sim
