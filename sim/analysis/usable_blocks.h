// How much of a machine's caches a trace can fill: known from its accesses alone, before anything is simulated.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/base/progress.h"
#include "sim/machine/machine_config.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// By level: how many of the accessed blocks its caches together can hold. A cache can hold no more than its size, and
/// no more than the distinct blocks that its CPUs access. (Prefetchers may bring in others.) Decodes the trace if
/// several CPUs made it. Empty when cancelled.
std::optional<std::vector<std::uint64_t>> usableBlocks(const Trace& trace, const MachineConfig& machine,
                                                       Progress& progress);

}  // namespace whorl::sim
