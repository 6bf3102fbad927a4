// Ranked tables of the costs of regions, objects, source lines, functions and CPUs, from the ledger of a range; of
// blocks, pages, sets and ways; and reuse distances as tables of miss ratios.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/analysis/history.h"
#include "sim/analysis/reuse.h"
#include "sim/replay/measures.h"
#include "sim/replay/totals/ledger.h"
#include "sim/report/table.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

class CacheCellTable;
class CellTable;

/// What a table has a row for.
enum class Grouping {
    region,
    object,
    line,  ///< a source line; an instruction where the line is not known
    cpu,
    function,  ///< with all its lines
};

/// "region", "object", "line", or its other name "source", "cpu", "function", or empty for any other word.
std::optional<Grouping> groupingNamed(std::string_view word);

/// A table without rows: the thing, its accesses and access cycles.
Table costTableBy(Grouping grouping);

/// A row for each thing that was accessed or missed: accesses, access cycles, misses by level and kind, and the use of
/// the blocks filled; of a function also what it cost with all that it called, if calls were recorded. The most cycles
/// first. The measures must have a ledger. `showsUse`: for people, too.
Table tableBy(Grouping grouping, const Measures& measures, const Trace& trace, bool showsUse = false);

/// The pairs of regions that evict each other from a level, the most frequent first. One that evicts itself is also a
/// pair.
Table conflictTable(const Measures& measures, const Trace& trace);
/// The pairs in a history, of regions or of objects. The history must have room for all stays.
Table conflictTable(Grouping grouping, const History& history, const Trace& trace);

/// The miss ratios of fully associative LRU caches: a row for each region (and one for all) and size, in powers of two
/// from one block up to the number that the trace can use.
Table missRatioCurve(const Reuse& reuse, const Trace& trace);

/// The miss ratios for people: a row for each size, a column for all regions and one for each of the most used regions.
Table missRatioTable(const Reuse& reuse, const Trace& trace);

// What a range did to each cell of memory, a block or a page, and to each set and way of the caches.

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
