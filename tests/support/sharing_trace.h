// A trace of two CPUs, small enough to be computed by hand, in which both kinds of sharing happen.
#pragma once

#include "sim/analysis/history_of.h"
#include "sim/trace/trace_builder.h"
#include "support/shared_trace.h"

namespace whorl::app {

/// The objects P and Q lie in one block, R in another of the same set, S in the other set. On sharedMachine, with
/// memory 50 cycles away:
///   tick  CPU                     in L1                                     access cycles
///   0     0    a.c:1 writes P     block 0x1000 filled in cache 0            1 + 5 + 50
///   1     1    a.c:2 writes Q     … filled in 1, invalidated in 0           1 + 5        P, Q unshared: false sharing
///   2     0    a.c:1 writes P+4   … filled in 0, invalidated in 1           1 + 5
///   3     0    b.c:3 reads R      block 0x2000 filled, 0x1000 evicted       1 + 5 + 50
///   4     0    b.c:3 reads P      block 0x1000 filled, 0x2000 evicted       1 + 5
///   5     0    b.c:4 writes S     block 0x3020 filled in cache 0            1 + 5 + 50
///   6     1    b.c:4 writes S     … filled in 1, invalidated in 0           1 + 5        true sharing
/// Stays in L1, by block, cache and time, named by the tick at which they began: 0, 2, 4, 1 | 3 | 5, 6.
inline Session sharingSession() {
    sim::TraceBuilder b("sharing");
    const auto object = [&](const char* name, const char* className, std::uint64_t base, std::uint64_t size) {
        b.newObject(sim::test::object(name, base, size, className));
    };
    object("P", "Half", 0x1000, 16);
    object("Q", "Half", 0x1010, 16);
    object("R", "Row", 0x2000, 32);
    object("S", "Row", 0x3020, 32);
    const auto access = [&](int cpu, sim::Op op, std::uint64_t address, const char* file, std::uint32_t line) {
        b.add(sim::test::access(op, address, 4, static_cast<std::uint8_t>(cpu), b.site(file, line)));
    };
    access(0, sim::Op::write, 0x1000, "a.c", 1);
    access(1, sim::Op::write, 0x1010, "a.c", 2);
    access(0, sim::Op::write, 0x1004, "a.c", 1);
    access(0, sim::Op::read, 0x2000, "b.c", 3);
    access(0, sim::Op::read, 0x1000, "b.c", 3);
    access(0, sim::Op::write, 0x3020, "b.c", 4);
    access(1, sim::Op::write, 0x3020, "b.c", 4);
    sim::MachineConfig machine = sharedMachine();
    machine.memoryLatency = 50;
    machine.upgradeLatency = 0;
    machine.writebackLatency = 0;
    return sessionOn(sim::test::built(b, machine), "sharing");
}

inline std::shared_ptr<const sim::History> historyIn(const Session& s, std::uint64_t from, std::uint64_t to) {
    sim::Progress progress;
    return sim::historyOf(*s.opened.run, {sim::Tick{from}, sim::Tick{to}}, progress);
}

}  // namespace whorl::app
