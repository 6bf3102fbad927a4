// Where cells are in the picture. Groups flow like words: beside each other, in lines as wide as the picture; one that
// is high is cut into strips beside each other, and those of less than a row stand close together. Everything is in
// whole pixels of the content, whose upper left corner is (0, 0); a view shows a part of it.
#pragma once

#include <algorithm>
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
    std::string title;            ///< above its rows; empty: it stands with the group before it
    std::uint32_t rows = 0;       ///< at least 1
    bool follows = false;         ///< belongs to the group before it
    bool isGathered = false;      ///< begins one of several small regions that share a title
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

/// The size of a cell: `pixels` pixels high, or so small that a pixel shows 2^fold × 2^fold cells.
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

/// How the cells of groups fit into a room.
struct CellFit {
    CellScale scale;
    int width = 0;          ///< of a cell, pixels; 0: as high
    int strips = 1;         ///< rows that have room beside each other
    std::uint32_t cut = 0;  ///< groups of more rows than this are cut into strips; 0: none is
    bool operator==(const CellFit&) const = default;
    /// The size of a cell at another scale, pixels: as wide for its height as at this one.
    glm::ivec2 cellAt(const CellScale& other) const;
    /// The pixels that a cell has; less than 1 if folded.
    double area() const;
};

/// The room for the cells, and what takes room between them, pixels.
struct FlowLook {
    glm::ivec2 room{0};  ///< size of the area for the cells
    int title = 18;      ///< height of a title
    int gap = 6;         ///< gap between groups, and where rows are left out
    int gutter = 14;     ///< gap between what stands beside each other
    float text = 0;      ///< height of the letters of titles; 0: a title is not wider than its cells
    CellFit fit;         ///< when cells are larger than in this, groups stay where they are
    bool operator==(const FlowLook&) const = default;
};

class CellFlow {
  public:
    /// `order`: the groups as they follow one another; empty: as they are numbered.
    CellFlow(const CellGroups& groups, std::vector<std::uint32_t> order, CellScale scale, const FlowLook& look);

    /// Rows of a group that lie together. `columns` of pixels are there, from `firstColumn` on.
    struct Run {
        std::uint32_t group = 0;
        std::uint32_t firstRow = 0;  ///< in rows of pixels: each shows 2^fold rows of cells
        std::uint32_t rows = 0;      ///< in rows of pixels
        std::uint32_t firstColumn = 0;
        std::uint32_t columns = 0;
        glm::ivec2 at{0};  ///< upper left corner of the first row's column 0
        int titleY = -1;   ///< the top of the title above; none: -1
        int titleWidth = 0;
        bool isGap = false;  ///< something is left out just before it
    };

    CellScale scale() const { return scale_; }
    glm::ivec2 size() const { return size_; }
    /// The size of a cell, or of the cells of a pixel, pixels.
    glm::ivec2 cell() const { return cell_; }
    /// By group, then downward.
    const std::vector<Run>& runs() const { return runs_; }
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
            PixelBox box = boxOf(run);
            if (run.titleY >= 0)
                box = {{box.low.x, run.titleY}, {std::max(box.high.x, box.low.x + run.titleWidth), box.high.y}};
            if (!commonOf(box, part).isEmpty()) f(run);
        }
    }

  private:
    /// Groups under one title.
    struct Chain;
    /// Where the next chain goes: the line that is being filled.
    struct Pen {
        int x = 0;
        int y = 0;
        int bottom = 0;  ///< of what is in the line
    };
    Chain chainFrom(const CellGroups& groups, const std::vector<std::uint32_t>& order, std::size_t first) const;
    void place(const Chain& chain, const FlowLook& look, Pen& pen);
    void putWords(const Chain& chain, glm::ivec2 at);
    void putStrips(const Chain& chain, int strips, glm::ivec2 at);
    void put(const Run& run);

    CellScale scale_;
    glm::ivec2 cell_{1};
    std::uint32_t columns_;  ///< of pixels
    int gutter_ = 0;
    int between_ = 0;        ///< gap between groups of a chain
    int strips_ = 1;         ///< most of them
    int wide_ = 0;           ///< the end of a line
    bool isInOrder_ = true;  ///< the groups follow one another as they are numbered
    glm::ivec2 size_{0};
    std::vector<Run> runs_;
    std::vector<std::uint32_t> firstRun_;  ///< by group: index into runs_
};

/// The cells of at most `mostPixels` that fill the picture: as few strips as leave cells no wider than `widest` times
/// their height, and as few groups cut as possible. Folded where even cells of a pixel have no room.
CellFit fitOf(const CellGroups& groups, const FlowLook& look, int mostPixels, int widest);

}  // namespace whorl::scene
