// The counts of several machines in one pass over a trace, for sweeps of the nearest level.
#pragma once

#include <memory>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/progress.h"
#include "sim/machine/machine_config.h"
#include "sim/replay/measures.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// Whether measureJointly() can measure a trace on a machine: it has one CPU, and simple levels that do not look back
/// (isSimpleMachine, none inclusive or exclusive), and the trace has no timing of its own and begins with empty
/// caches. The machine must be sound for the CPUs of the trace.
bool canMeasureJointly(const Trace& trace, const MachineConfig& machine);

/// Plays a trace up to the end of the range on machines for which that is so, and whose nearest levels have blocks of
/// the same size; they may differ in all else. Gives for each what measure() gives without a ledger. Progress is in
/// accesses. An error when cancelled.
Expected<std::vector<Measures>> measureJointly(const Trace& trace, const std::vector<MachineConfig>& machines,
                                               Range range, Progress& progress);

}  // namespace whorl::sim
