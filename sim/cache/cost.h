// The cost of an access: the cycles that its CPU stalls.
#pragma once

#include <cstdint>
#include <span>

#include "sim/cache/event.h"
#include "sim/machine/machine_config.h"
#include "sim/trace/access.h"

namespace whorl::sim {

/// Cycles of simulated time.
using Cycles = std::uint64_t;

/// The cycles that an event stalls the CPU whose access caused it: the lookup latency of each level on the way outward
/// and of memory, and the latency of an upgrade, a write-back, a page walk or a page fault.
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
        case EventKind::pageFault:
            return machine.memory.fault;
        default:
            return 0;
    }
}

/// The number of accesses that an access counts as, 0 or 1: by convention the write half of a modify may not count.
inline std::uint64_t countOf(const Access& access, const MachineConfig& machine) {
    return access.modify && machine.conventions.modifyCountsOnce ? 0 : 1;
}

/// The cycles of an access beyond the expected ones: `cost`, that of all its events, less its first lookup in the
/// nearest level. An access that does not count is expected to take no time.
inline Cycles penaltyOf(Cycles cost, const Access& access, const MachineConfig& machine) {
    return cost - countOf(access, machine) * machine.lookUp();
}

/// The cost of some accesses: their number, and the cycles that their CPUs waited.
struct Cost {
    std::uint64_t accesses = 0;
    Cycles cycles = 0;

    Cost& operator+=(const Cost& more) {
        accesses += more.accesses;
        cycles += more.cycles;
        return *this;
    }
    bool operator==(const Cost&) const = default;
};

/// The cycles that an access with these events stalls its CPU, if it is recorded; unrecorded accesses take no time.
inline Cycles costOf(std::span<const Event> events, const MachineConfig& machine) {
    Cycles cost = 0;
    for (const Event& e : events) cost += costOf(e, machine);
    return cost;
}

}  // namespace whorl::sim
