// The cost of an access: the cycles that its CPU stalls.
#pragma once

#include <cstdint>

#include "sim/cache/event.h"
#include "sim/machine/machine_config.h"

namespace whorl::sim {

/// Cycles of simulated time.
using Cycles = std::uint64_t;

/// The cycles that an event stalls the CPU whose access caused it: the lookup latency of each level on the way outward
/// and of memory, and the latency of an upgrade, a write-back or a page walk.
inline Cycles costOf(const Event& e, const MachineConfig& machine) {
    switch (e.kind) {
        case EventKind::hit:
        case EventKind::miss:
            return e.demand && !e.half ? machine.levels[e.level].latency : 0;
        case EventKind::memory:
            return e.demand ? machine.memoryLatency : 0;
        case EventKind::upgrade:
            return e.demand ? machine.upgradeLatency : 0;
        case EventKind::writeback:
            return machine.writebackLatency;
        case EventKind::tlbMiss:
            return machine.tlb.walk;
        default:
            return 0;
    }
}

}  // namespace whorl::sim
