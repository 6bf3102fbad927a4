// The results of a measurement, and what to know about a trace before trusting its numbers. Only sums and ratios of the
// counts are computed here.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/analysis/window_estimate.h"
#include "sim/replay/measures.h"
#include "sim/report/document.h"
#include "sim/report/table.h"
#include "sim/trace/trace.h"
#include "sim/trace/trace_passes.h"

namespace whorl::sim {

struct Report {
    Measures measures;
    bool kinds = false;  ///< also the kinds of misses, which need a ledger
    bool use = false;    ///< also how many bytes of the filled blocks were used; needs a ledger, too
    /// Executed during the measured accesses; 0 if unknown.
    std::uint64_t instructions = 0;
    std::optional<WindowEstimate> windows;  ///< of the whole program, where the trace consists of windows
    std::vector<Table> tables;              ///< see tables.h and history_tables.h
};

/// The misses of a level, or a cache, per thousand instructions.
double missesPerThousand(const CacheCounters& counters, std::uint64_t instructions);

/// "L2: 456 blocks read, 14 592 bytes; 64 writes, 2 048 bytes": the traffic (sim/analysis/figures.h) of each level from
/// the second one on, and of memory.
std::vector<std::string> trafficInWords(const Counters& counters, const MachineConfig& machine);

/// The counts in long form: a row for each counter of each cache.
Table countsTable(const Report& report);

/// {"accesses", "reads", "writes", "cycles", "cycles_per_access", "elapsed_cycles", "machine", "cpus": [{"cycles"}],
/// "levels": [{"name", "sets", "ways", "block", "size", "caches": [{"cpus", "accesses", "hits", "misses", …}],
/// "read_bytes", "written_bytes"}], "memory": {"reads", "writes", "read_bytes", "written_bytes"}, "tlb": {"misses",
/// "cpus"}, "pages": {"faults", "writebacks", "cpus"}, "tables": {name: [rows]}}; "elapsed_cycles", "tlb", "pages" and
/// "tables" only where there are any.
JsonValue reportAsJson(const Report& report);

/// The counts as a table, then the first `top` rows of each table. CSV: the first table, or else the counts.
Document reportDocument(Report report);

/// One sentence each: the data lost by a damaged file, malformed lines, skipped accesses. Empty when nothing is
/// missing.
std::vector<std::string> warningsOf(const Trace& trace);

/// A recording with more accesses is long: a part of it answers most questions sooner.
inline constexpr std::uint64_t kLongRecording = 50'000'000;

/// How to record only a part of a program, of which one function makes most accesses: "longest_match makes about 81 %
/// of the accesses: whorl capture --start-at longest_match --max 20M records a part that has them". Empty if no
/// function makes many.
std::string partToRecord(const BusyFunction& busiest);

}  // namespace whorl::sim
