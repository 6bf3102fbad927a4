// What each word and each class cost, as tables like those of sim/report/tables.h.
#pragma once

#include <memory>
#include <string>

#include "sim/analysis/history.h"
#include "sim/base/error.h"
#include "sim/replay/measuring.h"
#include "sim/report/table.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// A history for one question: plays the whole trace on a machine, which must be sound for its own CPUs, and then the
/// stretch. An error when the machine is not sound with the trace's CPUs, and when it was cancelled.
Expected<std::shared_ptr<const History>> historyFor(const std::shared_ptr<const Trace>& trace,
                                                    const MachineConfig& machine, Stretch stretch, Progress& progress);

/// How a person calls an address in something that it lies in: "B[3]", "node 7+0x10", "0x1040".
std::string placeIn(const Trace& trace, const CostNode& object, ByteAddress address);

/// A row for each word that was accessed: where it lies, accesses, cycles waited. What cost most comes first.
Table wordTable(const History& history, const Trace& trace);

/// A row for each class, and one for what has none: instances, words, accesses, cycles waited.
Table classTable(const History& history);

}  // namespace whorl::sim
