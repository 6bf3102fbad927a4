// A report on the recording in a trace. Nothing in it is simulated.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/analysis/history.h"
#include "sim/analysis/recorded_history.h"
#include "sim/report/document.h"
#include "sim/report/table.h"
#include "sim/report/tables.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

struct RecordedReport {
    RecordedCounts counts;
    std::vector<Table> tables;  ///< the tables below, and those of history_tables.h
};

/// A row for each region, object, source line, CPU or function: accesses, access cycles, and the blocks that its
/// accesses loaded into each level. The most cycles first. The history must have been made from the recording, with
/// room for all stays.
Table recordedTable(Grouping grouping, const RecordedCounts& counts, const History& recorded, const Trace& trace);

/// A row for each block of a level that had an access or an event: the sums of the accesses that begin in it, and how
/// often it was loaded, replaced and invalidated in the caches of the level.
Table recordedBlocks(std::size_t level, const History& recorded, const Trace& trace);

/// The counts as tables, then the first `top` rows of each table, and what is not recorded. JSON: {"recorded": true,
/// "accesses", "reads", "writes", "waits", "cycles", "cycles_per_access", "elapsed_cycles", "cpus": [{"accesses",
/// "reads", "writes", "waits", "cycles"}], "levels": [{"name", "block", "caches": [{"cpus", "loads", …}]}], "tables":
/// {name: [rows]}, "not_recorded": sentence}. CSV: the first table, or else the counts, a row for each.
Document recordedDocument(RecordedReport report);

}  // namespace whorl::sim
