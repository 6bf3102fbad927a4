// Chooses how long rows are and how large cells, so that all of them are seen at a glance. Pure functions.
#pragma once

#include "render/scene/cells/cache_array.h"
#include "render/scene/cells/cell_flow.h"
#include "render/scene/cells/memory_cells.h"

namespace whorl::scene {

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

}  // namespace whorl::scene
