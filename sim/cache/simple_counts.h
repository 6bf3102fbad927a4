// The counters of a simple machine from the fewer counts of its optimized loop.
#pragma once

#include "sim/cache/cost.h"
#include "sim/cache/counters.h"
#include "sim/cache/simple_run.h"
#include "sim/machine/machine_config.h"

namespace whorl::sim {

/// Adds the counts of a run to those of its machine, and its access cycles to the clock of its CPU.
void countSimple(const SimpleRun& run, const MachineConfig& machine, Counters& counters, Cycles& clock);

}  // namespace whorl::sim
