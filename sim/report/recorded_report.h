// What the recording in a trace tells, as a text table and as CSV; json.h has it as JSON. Nothing in it is simulated.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sim/analysis/history.h"
#include "sim/analysis/recorded_counts.h"
#include "sim/report/table.h"
#include "sim/report/tables.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

struct RecordedReport {
    RecordedCounts counts;
    std::vector<Table> tables;  ///< those below, and those of history_tables.h
};

/// A row for each region, object, source line, CPU or function: accesses, access cycles, and the blocks that its
/// accesses loaded into each level. The most cycles first. The history must have been made from the recording, with
/// room for all stays.
Table recordedTable(Grouping grouping, const RecordedCounts& counts, const History& recorded, const Trace& trace);

/// A row for each block of a level that had an access or an event: those of the accesses that begin in it, and how
/// often it was loaded, replaced and invalidated in the caches of the level.
Table recordedBlocks(std::size_t level, const History& recorded, const Trace& trace);

/// Pairs of regions, or of objects, of which one's accesses replaced blocks of the other, as by conflictTable().
Table recordedConflicts(Grouping grouping, const History& recorded, const Trace& trace);

/// The counters of a cache with their keys, as in CSV and JSON.
std::vector<std::pair<std::string, std::uint64_t>> recordedCounters(const RecordedCache& cache);

/// What a recording does not tell, in a sentence.
std::string notRecorded();

/// The counts as tables for a terminal, then the first `top` rows of each table, and what is not recorded.
std::string recordedAsText(const RecordedReport& report, std::size_t top);

/// The counts in long form: a row for each counter of each CPU and each cache.
Table recordedCountsTable(const RecordedReport& report);

}  // namespace whorl::sim
