// What is too small to be drawn one by one in a BlockView, folded into cells of a grid over time and rows: each cell
// counts what it holds, and is brighter the more that is.
//
// Source: B. Taudul, Tracy Profiler: zones that are narrower than three pixels are drawn as one, and say so.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "render/scene/space/block_frame.h"

namespace whorl::scene {

/// The grid that a BlockView is folded by. It does not depend on which part of the time is shown, but for its length:
/// cells keep their contents while the view is moved along.
struct FoldGrid {
    static constexpr float kPixels = 3;  ///< a cell is at least so wide, and so high

    double step = 0;         ///< cycles of a cell; shorter stays are folded. 0: nothing is
    std::uint32_t rows = 1;  ///< of a cell
    /// All fills and departures are counted, whatever the length of the stays: there are so many rows that stays would
    /// cover everything.
    bool events = false;

    bool isOn() const { return step > 0; }
    /// The cell along time that holds a cycle; it begins at cell * step.
    std::int64_t cellAt(double cycle) const;
    /// Whether a stay, or another thing so many cycles long, is folded: as a whole, into the cell of its middle.
    bool folds(const sim::Stay& stay) const { return folds(static_cast<double>(stay.to - stay.from)); }
    bool folds(double cycles) const { return !events && cycles < step; }
    bool operator==(const FoldGrid&) const = default;
};

/// The grid for what is drawn automatically; other ways to draw are not folded.
FoldGrid foldGrid(const BlockLook& look, const BlockFrame& frame);

/// What was folded into a picture.
struct Folded {
    FoldGrid grid;
    std::uint32_t most = 0;  ///< in one cell; 0: nothing was folded

    bool operator==(const Folded&) const = default;
};

/// The cells of one group of rows in one plane, as they are filled.
class FoldedRow {
  public:
    struct Cell {
        std::int64_t at = 0;  ///< it begins at at * step
        std::uint32_t count = 0;
        double from = 0;  ///< what it holds lies between these cycles
        double to = 0;
        Rgba colour;  ///< of more than half of what it holds, else `several`
        Rgba several;
        bool dimmed = false;
        std::uint32_t part = 0;  ///< how often the row was split before
    };

    /// Of one row in the order of time; where a cell has several rows, one row after the other. `several`: the colour
    /// of a cell that holds things of several colours, none of them more than half; dimmed as `colour` is.
    void add(const FoldGrid& grid, double from, double to, Rgba colour, Rgba several, bool dimmed);
    /// What is added from now on lies in cells of its own: something between is drawn by itself.
    void split() { ++part_; }
    bool isEmpty() const { return cells_.empty(); }
    /// The cells, ascending; the row is empty after that.
    std::vector<Cell> take();

  private:
    static void join(Cell& into, const Cell& other);
    void gather();
    static Cell whole(std::vector<Cell>::const_iterator from, std::vector<Cell>::const_iterator to);

    static constexpr std::size_t kLeastGathered = 4096;  ///< cells

    std::vector<Cell> cells_;            ///< of one colour each
    std::size_t most_ = kLeastGathered;  ///< so many cells are gathered before more are added
    std::uint32_t part_ = 0;
    bool isMixed_ = false;  ///< there may be several for one place
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

}  // namespace whorl::scene
