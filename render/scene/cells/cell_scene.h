// The picture of cells of memory or of a cache: title, cells, boundaries, outlines with names, lines of conflict,
// marks, key. A pure function of its arguments.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "render/scene/cells/cache_array.h"
#include "render/scene/cells/cell_painting.h"
#include "render/scene/cells/chart.h"

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

/// A line from what came in to what it evicted.
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

}  // namespace whorl::scene
