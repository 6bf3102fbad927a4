// Costs of functions with those of all that they called: inclusive costs.
#pragma once

#include <vector>

#include "sim/replay/measures.h"
#include "sim/report/table.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

struct Tally;

/// By function, the sums over all sites whose accesses were made while it ran: those of a function that calls itself
/// count once.
std::vector<Tally> inclusiveTallies(const TallyTable& sites, const Trace& trace);

/// Adds the columns for inclusive sums.
void addInclusiveColumns(Table& table, const MachineConfig& machine);
/// `all`: the cycles of all accesses.
void addInclusiveCells(std::vector<Cell>& row, const Tally& inclusive, std::uint64_t all);

/// A row for each function and place that it was called from, the highest inclusive cycles first. The measures must
/// have a ledger.
Table callerTable(const Measures& measures, const Trace& trace);

/// A row for each function within the functions that called it: depth first, of those called by one function the
/// highest inclusive cycles first. `forPeople`: without what has less than a two-hundredth of all cycles.
Table callTree(const Measures& measures, const Trace& trace, bool forPeople);

}  // namespace whorl::sim
