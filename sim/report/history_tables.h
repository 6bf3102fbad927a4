// The costs of each word and each class, as tables like those of sim/report/tables.h.
#pragma once

#include <string>

#include "sim/analysis/history.h"
#include "sim/report/table.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// A readable name for an address within something: "B[3]", "node 7+0x10", "0x1040".
std::string placeIn(const Trace& trace, const CostNode& object, ByteAddress address);

/// A row for each word that was accessed: its place, accesses, access cycles. The highest cost first.
Table wordTable(const History& history, const Trace& trace);

/// A row for each class, and one for everything without a class: instances, words, accesses, access cycles, those per
/// instance and per word.
Table classTable(const History& history);

/// A row for each field of each structure ("Node.next"), over all its instances, and one for everything in no field:
/// words, accesses, access cycles. A word belongs to the field at its start.
Table fieldTable(const History& history, const Trace& trace);

}  // namespace whorl::sim
