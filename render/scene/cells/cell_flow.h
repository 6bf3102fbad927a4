// Where cells are in the picture: groups of rows flow like text, one below the other, and into a next column where
// there is room beside. Everything is in whole pixels of the content, whose upper left corner is (0, 0); a view shows a
// part of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "render/scene/flat_scene.h"

namespace whorl::scene {

// Cells as groups of rows: the way from memory or a cache to a two-dimensional array. A group is what is kept together,
// such as a region, a page, or one way of a cache; in it, rows of the same number of cells lie below each other. Places
// are counted in cells; where they are in the picture is up to CellFlow.

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

/// The size of a cell: `pixels` pixels across, or so small that a pixel shows 2^fold × 2^fold cells.
struct CellScale {
    int pixels = 8;  ///< 1 when folded
    int fold = 0;

    static constexpr int kMaxPixels = 256;
    static constexpr int kMaxFold = 12;
    /// The side of a cell, pixels; less than 1 if folded.
    double size() const;
    /// The next larger or smaller scale; the same scale at the ends.
    CellScale larger() const;
    CellScale smaller() const;
    auto operator<=>(const CellScale&) const = default;
};

/// The room for the cells, and what takes room between them, pixels.
struct FlowLook {
    glm::ivec2 room{0};  ///< size of the area for the cells
    int title = 18;      ///< height of a title
    int gap = 6;         ///< gap between groups, and where rows are left out
    int gutter = 14;     ///< gap between columns
    /// Height of the columns, in groups as high as the highest, so that no group is cut; 0: as high as the room.
    int stack = 0;
    bool operator==(const FlowLook&) const = default;
};

class CellFlow {
  public:
    /// `order`: the groups as they follow one another; empty: as they are numbered.
    CellFlow(const CellGroups& groups, std::vector<std::uint32_t> order, CellScale scale, const FlowLook& look);

    /// Rows of a group that lie together.
    struct Run {
        std::uint32_t group = 0;
        std::uint32_t firstRow = 0;  ///< in rows of pixels: each shows 2^fold rows of cells
        std::uint32_t rows = 0;      ///< in rows of pixels
        glm::ivec2 at{0};            ///< upper left corner of the first row
        int titleY = -1;             ///< the top of the title above; none: -1
        bool isGap = false;          ///< something is left out just above
    };

    CellScale scale() const { return scale_; }
    glm::ivec2 size() const { return size_; }
    /// By column, then downward.
    const std::vector<Run>& runs() const { return runs_; }
    /// The width of a row, pixels.
    int rowWidth() const;
    /// The box of a run's rows.
    PixelBox boxOf(const Run& run) const;
    /// The box of a cell; folded: of the pixel that shows it. Nothing if the group is not in the flow.
    std::optional<PixelBox> boxOf(const CellPlace& place) const;
    /// The first cell of those shown at a pixel of the content.
    std::optional<CellPlace> at(glm::ivec2 p) const;
    /// Calls f(Run) for the runs that may be seen in a part of the content.
    template <class F>
    void forEachIn(const PixelBox& part, F&& f) const {
        for (const Run& run : runs_) {
            const PixelBox box = boxOf(run);
            if (box.high.x <= part.low.x || box.low.x >= part.high.x) continue;
            const int top = run.titleY >= 0 ? run.titleY : box.low.y;
            if (box.high.y <= part.low.y || top >= part.high.y) continue;
            f(run);
        }
    }

  private:
    /// Where the next row goes.
    struct Pen {
        int column = 0;
        int y = 0;
    };
    int heightOf(const CellGroup& g, const FlowLook& look) const;
    void place(std::uint32_t group, const CellGroup& g, const FlowLook& look, Pen& pen);

    CellScale scale_;
    bool isInOrder_ = true;  ///< the groups follow one another as they are numbered
    std::uint32_t columns_;
    int stride_ = 0;        ///< distance from a column to the next, pixels; 0: one column, as high as needed
    int columnHeight_ = 0;  ///< pixels; unused with one column
    glm::ivec2 size_{0};
    std::vector<Run> runs_;
    std::vector<std::uint32_t> firstRun_;  ///< by group: index into runs_
};

/// The largest scale at which everything fits into the picture, else the smallest; and the stack for it. So that no
/// group is cut, and groups stand beside each other rather than below, cells may be a little smaller.
struct CellFit {
    CellScale scale;
    int stack = 0;
    bool operator==(const CellFit&) const = default;
};
CellFit fitOf(const CellGroups& groups, const FlowLook& look, int mostPixels);

}  // namespace whorl::scene
