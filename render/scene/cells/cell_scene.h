// The picture of cells of memory or of a cache: title, cells, boundaries, outlines with names, lines of conflict,
// marks, key. A pure function of its arguments.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "render/scene/cells/cache_array.h"
#include "render/scene/cells/cell_flow.h"
#include "render/scene/cells/cell_painting.h"
#include "render/scene/cells/chart.h"
#include "render/scene/cells/memory_cells.h"

namespace whorl::scene {

/// How the picture looks, whatever is in it.
struct CellLook : ChartLook {
    std::string title;  ///< "Memory: L1 misses"; its note: over what
    CellKey key;
    int keyRoom = 0;  ///< the height kept for the key, pixels; does not depend on the numbers in it
    bool operator==(const CellLook&) const = default;
};

/// The part of the picture for the cells, and how they flow in it.
PixelBox cellArea(const CellLook& look);
FlowLook flowLookOf(const CellLook& look);

/// Adds title and key, outside of the cells.
void addCellFrame(FlatScene& scene, const CellLook& look);

/// Whether cells have halos: those of a glow, when they are smaller than three pixels.
bool hasHalos(CellScaling scaling, const CellScale& scale);

/// A range of memory that is outlined, such as an array.
struct CellOutline {
    sim::ByteAddress first;
    sim::ByteAddress last;
    std::string name;  ///< written in it where there is room; may be empty
    Rgba colour;
    int thick = 1;
};

/// A line from what came in to what it evicted. Where there are many, those between the same regions are drawn as one,
/// the wider the more there are; within a region those that are near each other; but not the steps of a walk, which go
/// straight up.
struct ConflictLine {
    sim::ByteAddress in;
    sim::ByteAddress out;
    float strength = 1;  ///< 0 to 1
};

struct CellBoundary {
    std::uint64_t bytes = 0;
    int thick = 1;
    Rgba colour;
};

/// A page whose state is shown along its edge.
struct PageMark {
    sim::ByteAddress first;
    std::uint64_t bytes = 0;
    Rgba colour;
};

struct MemoryPicture {
    const MemoryCells& cells;
    const CellFlow& flow;
    const CellValues& values;  ///< folded as the flow is
    EntryColour colourOf;
    glm::ivec2 scroll{0};
    std::vector<CellBoundary> boundaries;
    std::vector<PageMark> pages;
    std::vector<CellOutline> outlines;
    std::vector<ConflictLine> conflicts;
    std::vector<CellOutline> marks;  ///< picked and watched memory: over everything else
};
FlatScene memoryScene(const MemoryPicture& picture, const CellLook& look);

struct CachePicture {
    const CacheArray& array;
    const CellFlow& flow;
    const CellValues& values;
    EntryColour colourOf;
    glm::ivec2 scroll{0};
    std::vector<CellPlace> marks;
    Rgba mark;
    /// Where the cells come from while the arrangement changes, and how far they are, 0 to 1.
    const CacheArray* before = nullptr;
    const CellFlow* flowBefore = nullptr;
    float share = 1;
};
FlatScene cacheScene(const CachePicture& picture, const CellLook& look);

// Chooses how long rows are and how large cells, so that all of them are seen at a glance. Pure functions.

struct ArrangedMemory {
    MemoryCells cells;
    CellFit fit;
};

/// `shape.columns` 0: rows are `way` bytes long, one way of the nearest level, halved until the cells are large enough.
/// Rows are never longer than a piece.
ArrangedMemory arrangedMemory(const sim::Trace& trace, MemoryShape shape, std::uint64_t way, const FlowLook& look);

struct ArrangedCache {
    CacheArray array;
    CellFit fit;
};

/// `shape.columns` 0: as from usualColumns(), halved while that makes the cells much larger. `nearer`: the sets of the
/// next nearer level, 0 for the nearest.
ArrangedCache arrangedCache(CacheArrayShape shape, std::uint64_t nearer, const FlowLook& look);

// All cells in a small picture in the corner of a zoomed one, with the part of them that is seen: a zoom keeps its
// context.

class CellInset {
  public:
    /// Lies in the lower right corner of `area`. `groups` without titles; `order` as for CellFlow.
    CellInset(const CellGroups& groups, const std::vector<std::uint32_t>& order, const PixelBox& area);

    /// Whether a picture with this area has room for one.
    static bool fits(const PixelBox& area);
    /// The place of the inset in the picture, pixels.
    const PixelBox& box() const { return box_; }
    /// The first cell of those shown at a pixel of the picture.
    std::optional<CellPlace> at(glm::ivec2 p) const;

    /// Paints the inset over a picture with cells placed by `flow` and seen through `window`.
    void paint(FlatScene& scene, FoldedValues& values, const EntryColour& colourOf, MemoryCurve curve,
               const CellFlow& flow, const CellWindow& window) const;

  private:
    CellWindow window() const;
    void markSeen(Raster& raster, const CellFlow& flow, const CellWindow& window, Rgba colour) const;

    CellGroups groups_;
    PixelBox box_;
    CellFlow flow_;
};

}  // namespace whorl::scene
