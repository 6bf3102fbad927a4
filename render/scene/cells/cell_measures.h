// The numbers that cells show: from the sums of a range (sim/analysis/cell_table.h, cache_cells.h), or from what the
// last accesses did (sim/analysis/activity.h). Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "render/scene/cells/cache_array.h"
#include "render/scene/cells/cell_metric.h"
#include "render/scene/cells/cell_values.h"
#include "render/scene/cells/memory_cells.h"
#include "sim/analysis/activity.h"
#include "sim/analysis/cache_cells.h"
#include "sim/analysis/cell_table.h"

namespace whorl::scene {

/// The value of a metric over a range of a cell of memory. Shares are from 0 to 1; a level is its index, memory the
/// number of levels. Nothing if it has none, such as a miss rate without requests.
std::optional<double> valueOf(const CellQuantity& quantity, const sim::CellTable& table, sim::ByteAddress cell,
                              std::uint64_t bytes, const sim::MachineConfig& machine);
std::optional<double> valueOf(CellMetric metric, const sim::CacheCellSums& sums);

/// The values of all touched cells. Cells of blocks that were prefetched but never accessed may have no place.
CellValues memoryValues(const CellQuantity& quantity, const sim::CellTable& table, const MemoryCells& cells,
                        const sim::MachineConfig& machine);
CellValues cacheValues(CellMetric metric, const sim::CacheCellTable& table, std::uint32_t cache,
                       const CacheArray& array);

/// The moment that a live display shows.
struct CellMoment {
    double t = 0;           ///< the playhead
    double halfLife = 200;  ///< half-life of the glow, accesses
};

/// The values of the cells that the activity touched; for the residence, of all blocks in the caches. The glow has the
/// light of hits as value and the light of misses as other. The time since an access is in accesses, limited to those
/// that the activity reaches back.
CellValues memoryNow(const CellQuantity& quantity, const sim::Activity& activity, const MemoryCells& cells,
                     const CellMoment& moment);
/// `level` and `cache` are those of the array. The activity must hold that level's touches. The owner's value is the
/// index of a region.
CellValues cacheNow(CellMetric metric, const sim::Activity& activity, std::size_t level, std::uint32_t cache,
                    const CacheArray& array, const sim::Trace& trace, const CellMoment& moment);

/// How strongly something that happened in the access `tick` shows at time t: it comes up while the access is in
/// motion, and then decays.
float lightOf(sim::Tick tick, const CellMoment& moment);

}  // namespace whorl::scene
