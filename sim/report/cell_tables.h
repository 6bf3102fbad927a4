// Tables of what a range did to each cell of memory, a block or a page, and to each set and way of the caches.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "sim/analysis/cache_cells.h"
#include "sim/analysis/cell_table.h"
#include "sim/replay/measures.h"
#include "sim/report/table.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// A row for each cell, the most cycles first: every sum of CellSums, the share of the nearest level's requests that
/// missed, the use of the blocks filled, the level that served most accesses, and the number of regions that it
/// conflicts with at each level. `thing`: what a cell is called. `showsUse`: the use of blocks also for people.
Table cellTable(std::string_view thing, const CellTable& cells, const MachineConfig& machine, const Trace& trace,
                bool showsUse = false);

/// A row for each set that was requested, of the tables of some levels; misses by kind, too. The most misses first. The
/// measures, of the same range, must have a ledger.
Table setTable(const std::vector<std::shared_ptr<const CacheCellTable>>& levels, const Measures& measures);

/// A row for each way of a level that anything happened in, and one without a way for the misses of a set that filled
/// none. The most misses first.
Table wayTable(const CacheCellTable& cells, const MachineConfig& machine);

}  // namespace whorl::sim
