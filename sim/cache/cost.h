// What an access costs: the cycles that its CPU waits.
#pragma once

#include <cstdint>

#include "sim/cache/event.h"
#include "sim/machine/machine_config.h"

namespace whorl::sim {

/// Cycles of simulated time.
using Cycles = std::uint64_t;

/// What an event costs the CPU whose access it belongs to: a look into each level on the way outward and memory's
/// latency, and what an upgrade, a write-back or a page walk stalls it.
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
