// Ranked tables of the costs of regions, objects, source lines, sets, blocks and CPUs, from the ledger of a range.
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

/// "region", "object", "line", or its other name "source", "set", "block", "cpu", or empty for any other word.
std::optional<Grouping> groupingNamed(std::string_view word);

/// A row for each thing that was accessed or missed: accesses, access cycles, misses by level; for regions, objects,
/// lines and CPUs also by kind; and, but for sets, the use of the blocks filled. The most cycles first; for sets, which
/// have no access cycles, the most misses. The measures must have a ledger. `showsUse`: for people, too.
Table tableBy(Grouping grouping, const Measures& measures, const Trace& trace, bool showsUse = false);

/// The same by blocks of a level's size.
Table blockTable(std::size_t level, const Measures& measures, const Trace& trace, bool showsUse = false);

/// The pairs of regions, or of objects, that evict each other from a level, the most frequent first. One that evicts
/// itself is also a pair. `grouping` is region or object.
Table conflictTable(Grouping grouping, const Measures& measures, const Trace& trace);

}  // namespace whorl::sim
