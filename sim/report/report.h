// The results of a measurement as a text table and as CSV; json.h has them as JSON. Only sums and ratios of the counts
// are computed here.
#pragma once

#include <string>
#include <vector>

#include "sim/replay/measures.h"
#include "sim/report/table.h"

namespace whorl::sim {

struct Report {
    Measures measures;
    bool kinds = false;         ///< also the kinds of misses, which need a ledger
    std::vector<Table> tables;  ///< see tables.h, history_tables.h and reuse_tables.h
};

/// The counts as a table for a terminal, then the first `top` rows of each table.
std::string reportAsText(const Report& report, std::size_t top);

/// The counts in long form: a row for each counter of each cache.
Table countsTable(const Report& report);

}  // namespace whorl::sim
