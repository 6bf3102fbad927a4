// Ranked tables of what regions, objects, source lines, sets, blocks and CPUs cost, from the ledger of a range.
#pragma once

#include <optional>
#include <string_view>

#include "sim/replay/measures.h"
#include "sim/report/table.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// What a table has a row for.
enum class Grouping {
    region,
    object,
    line,   ///< of the source; an instruction where the line is not known
    set,    ///< of every cache
    block,  ///< of the nearest level's size
    cpu,
};

/// "region", "object", "line", or its other name "source", "set", "block", "cpu", or nothing for another word.
std::optional<Grouping> groupingNamed(std::string_view word);

/// A row for each thing that was accessed or missed: accesses, cycles waited, misses by level; of regions, objects,
/// lines and CPUs also by kind. What costs the most cycles comes first; of sets, which wait for nothing, what missed
/// most. The measures must have a ledger.
Table tableBy(Grouping grouping, const Measures& measures, const Trace& trace);

/// The same by blocks of the size of a level's.
Table blockTable(std::size_t level, const Measures& measures, const Trace& trace);

/// The pairs of regions, or of objects, that evict each other from a level: those that do so most come first. One
/// that evicts itself is a pair too. `grouping` is region or object.
Table conflictTable(Grouping grouping, const Measures& measures, const Trace& trace);

}  // namespace whorl::sim
