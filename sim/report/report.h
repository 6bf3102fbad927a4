// The results of a measurement as the world reads them: a table in words, JSON, and CSV. All that is computed here are
// sums and ratios of what was counted.
#pragma once

#include <string>
#include <vector>

#include "sim/replay/measuring.h"
#include "sim/report/table.h"

namespace whorl::sim {

struct Report {
    Figures figures;
    bool kinds = false;         ///< also the kinds of misses, which need a ledger
    std::vector<Table> tables;  ///< see tables.h and reuse.h
};

/// The counts as a table for a terminal, then the first `top` rows of each sheet.
std::string reportAsText(const Report& report, std::size_t top);

/// {"accesses", "reads", "writes", "cycles", "cycles_per_access", "elapsed_cycles", "machine", "cpus": [{"cycles"}],
/// "levels": [{"name", "sets", "ways", "block", "size", "caches": [{"cpus", "accesses", "hits", "misses", …}]}],
/// "memory": {"reads", "writes"}, "tlb": {"misses"}, "tables": {name: [rows]}}; "elapsed_cycles", "tlb" and "tables"
/// only where there are any. Indented, or on one line. What is not UTF-8 in names is replaced.
std::string reportAsJson(const Report& report, bool onOneLine = false);

/// The counts in long form: a row for each counter of each cache.
Table countsTable(const Report& report);

/// Cycles waited by all CPUs together.
Cycles cyclesOf(const Figures& figures);
/// … for each access; 0 when there were none.
double cyclesPerAccess(const Figures& figures);

}  // namespace whorl::sim
