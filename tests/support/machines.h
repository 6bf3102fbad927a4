// Machines that several tests use.
#pragma once

#include <string_view>

#include "sim/machine/machine_config.h"

namespace whorl::sim::test {

/// Caches in short notation, with times that are easy to add: a cycle for L1 and 100 for memory.
inline MachineConfig simplyTimed(std::string_view geometry) {
    MachineConfig machine = parseGeometry(geometry).value();
    machine.name = "small";
    machine.levels[0].latency = 1;
    machine.memoryLatency = 100;
    return machine;
}

/// One level of blocks of 32 bytes, private to each CPU, where sharing costs little.
inline MachineConfig sharingMachine() {
    MachineConfig machine = simplyTimed("1K/2/32");
    machine.upgradeLatency = 5;
    return machine;
}

/// Two levels of blocks of 32 bytes.
inline MachineConfig twoLevels() {
    return parseGeometry("1K/2/32, 8K/4/32").value();
}

/// Two CPUs with an L1 of two sets of one block of 32 bytes each; the L2 that they share has room for all.
inline MachineConfig sharedMachine() {
    MachineConfig m;
    m.cpus = 2;
    m.levels = {{.name = "L1", .size = 64, .ways = 1, .block = 32, .sharedBy = 1, .latency = 1},
                {.name = "L2", .size = 1024, .ways = 4, .block = 32, .latency = 5}};
    return m;
}

}  // namespace whorl::sim::test
