// What each word and each class cost, as tables like those of sim/report/tables.h.
#pragma once

#include <string>

#include "sim/analysis/history.h"
#include "sim/report/table.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// How a person calls an address in something that it lies in: "B[3]", "node 7+0x10", "0x1040".
std::string placeIn(const Trace& trace, const CostNode& object, ByteAddress address);

/// A row for each word that was accessed: where it lies, accesses, cycles waited. What cost most comes first.
Table wordTable(const History& history, const Trace& trace);

/// A row for each class, and one for what has none: instances, words, accesses, cycles waited.
Table classTable(const History& history);

}  // namespace whorl::sim
