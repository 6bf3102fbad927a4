// Reuse distances as tables of miss ratios.
#pragma once

#include "sim/analysis/reuse.h"
#include "sim/report/table.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// The miss ratios of fully associative LRU caches: a row for each region (and one for all) and size, in powers of two
/// from one block up to the number that the trace can use.
Table missRatioCurve(const Reuse& reuse, const Trace& trace);

/// The miss ratios for people: a row for each size, a column for all regions and one for each of the most used regions.
Table missRatioTable(const Reuse& reuse, const Trace& trace);

}  // namespace whorl::sim
