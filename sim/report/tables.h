// Where the accesses, the misses and the cycles of a stretch went: tables read off its ledger, ranked.
#pragma once

#include <optional>
#include <string_view>

#include "sim/replay/measuring.h"
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
/// most. The figures must have a ledger.
Table tableBy(Grouping grouping, const Figures& figures, const Trace& trace);

/// The same by blocks of the size of a level's.
Table blockTable(std::size_t level, const Figures& figures, const Trace& trace);

/// The pairs of regions, or of objects, that throw each other out of a level: those that do so most come first. One
/// that throws out itself is a pair too. `grouping` is region or object.
Table conflictTable(Grouping grouping, const Figures& figures, const Trace& trace);

}  // namespace whorl::sim
