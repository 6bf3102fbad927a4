// Folds stays that are too small to draw one by one in a BlockView into the cells of a grid over time and rows: each
// cell counts its stays, or its fills and departures, and is brighter the more there are.
//
// Source: B. Taudul, Tracy Profiler: zones that are narrower than three pixels are drawn as one and marked as such.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "render/scene/colour.h"
#include "render/scene/space/block_view.h"
#include "sim/analysis/history.h"

namespace whorl::scene {

/// The grid that a BlockView is folded by. It does not depend on which part of the time is shown, but for its length:
/// cells keep their contents while the view is moved along.
struct FoldGrid {
    static constexpr float kPixels = 3;  ///< least width and height of a cell

    double step = 0;         ///< cycles of a cell; shorter stays are folded. 0: no folding
    std::uint32_t rows = 1;  ///< rows of a cell
    /// All fills and departures are counted, whatever the length of the stays: with this many rows, stays would cover
    /// everything.
    bool events = false;

    bool isOn() const { return step > 0; }
    /// The cell along time that holds a cycle; it begins at cell * step.
    std::int64_t cellAt(double cycle) const;
    /// Whether a stay, or any stretch of `cycles` length, is folded: as a whole, into the cell of its middle.
    bool folds(const sim::Stay& stay) const { return folds(static_cast<double>(stay.to - stay.from)); }
    bool folds(double cycles) const { return !events && cycles < step; }
    bool operator==(const FoldGrid&) const = default;
};

/// The grid for what is drawn automatically; other ways to draw are not folded.
FoldGrid foldGrid(const BlockLook& look, const BlockFrame& frame);

/// The result of folding in a picture.
struct Folded {
    FoldGrid grid;
    std::uint32_t most = 0;  ///< largest count of a cell; 0: nothing was folded

    bool operator==(const Folded&) const = default;
};

/// The cells of one group of rows in one plane, as they are filled.
class FoldedRow {
  public:
    struct Cell {
        std::int64_t at = 0;  ///< it begins at at * step
        std::uint32_t count = 0;
        double from = 0;  ///< the contents lie between these cycles
        double to = 0;
        Rgba colour;  ///< the colour of more than half of the contents, else `several`
        Rgba several;
        bool dimmed = false;
        std::uint32_t part = 0;  ///< number of splits of the row before this cell
    };

    /// Adds the stays of one row in the order of time; where a cell has several rows, one row after the other.
    /// `several`: the colour of a cell that holds things of several colours, none of them more than half; dimmed as
    /// `colour` is.
    void add(const FoldGrid& grid, double from, double to, Rgba colour, Rgba several, bool dimmed);
    /// Later additions lie in new cells: a stay in between is drawn by itself.
    void split() { ++part_; }
    bool isEmpty() const { return cells_.empty(); }
    /// The cells, ascending; the row is empty after that.
    std::vector<Cell> take();

  private:
    static void join(Cell& into, const Cell& other);
    void gather();
    static Cell whole(std::vector<Cell>::const_iterator from, std::vector<Cell>::const_iterator to);

    static constexpr std::size_t kMinGathered = 4096;  ///< cells

    std::vector<Cell> cells_;          ///< each of one colour
    std::size_t most_ = kMinGathered;  ///< the number of cells from which on add() first gathers them
    std::uint32_t part_ = 0;
    bool isMixed_ = false;  ///< there may be several cells for one place
};

/// The colours of cells: that of what they hold, half way to the ground for one, a little nearer to black on a light
/// ground, or white on a dark one, for many; a step for each doubling up to 64. What is dimmed stays below the colour
/// itself.
class FoldedColours {
  public:
    explicit FoldedColours(Ground ground) : ground_(ground) {}

    Rgba of(Rgba colour, std::uint32_t count, bool dimmed);

  private:
    static constexpr std::size_t kSteps = 7;

    // Mixing takes some time, and most cells are like the one before.
    Ground ground_;
    Rgba colour_{0, 0, 0, 0};
    std::array<std::optional<Rgba>, kSteps> steps_;
};

// Merges the stays of one block in several caches into one lane of a BlockView without room for a lane per cache.

class LaneMerge {
  public:
    /// A stretch of time, cycles [from, to), in which one cache holds the block.
    struct Part {
        double from = 0;
        double to = 0;
        Rgba colour;
        std::uint32_t stay = sim::Stay::kNone;
    };
    /// A stretch of time with the same set of colours.
    struct Span {
        double from = 0;
        double to = 0;
        std::vector<Rgba> colours;              ///< each once, in the order in which parts with them were added first
        std::uint32_t stay = sim::Stay::kNone;  ///< the stay of the only part; none: several parts
        bool operator==(const Span&) const = default;
    };

    void add(const Part& part) {
        if (part.to > part.from) parts_.push_back(part);
    }
    /// Calls each(const Span&) for the stretches that any part covers, ascending and apart from each other. Empty
    /// after that. One stretch at a time: a block may have a million stays.
    template <class F>
    void take(F&& each) {
        begin();
        Span last;
        Span next;
        while (advance(next)) {
            const bool goesOn = last.to == next.from && last.stay == next.stay && last.colours == next.colours;
            if (goesOn) {
                last.to = next.to;
                continue;
            }
            if (last.to > last.from) each(last);
            std::swap(last, next);
        }
        if (last.to > last.from) each(last);
        parts_.clear();
    }

  private:
    void begin();
    bool advance(Span& next);

    std::vector<Part> parts_;
    // State of take().
    std::vector<Rgba> colours_;      ///< in the order in which they were added first
    std::vector<std::size_t> here_;  ///< the parts at `now_`, few at a time: at most one of each cache
    std::size_t next_ = 0;           ///< the first part that has not begun
    double now_ = 0;
};

}  // namespace whorl::scene
