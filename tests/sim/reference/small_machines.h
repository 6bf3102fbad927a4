// Machines so small that all their states can be tested: two or three CPUs that share a few blocks.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/machine/machine_config.h"
#include "sim/trace/access.h"

namespace whorl::reference {

struct SmallMachine {
    std::string name;
    sim::MachineConfig machine;
};

/// Each coherence protocol combined with each arrangement of one to three levels; some have memory of two pages. All
/// use LRU and have blocks of 4 bytes at the first level.
std::vector<SmallMachine> smallMachines(std::uint32_t cpus);

/// A read and a write by each CPU of each of `words` words of 4 bytes.
std::vector<sim::Access> accessesOfAll(std::uint32_t cpus, std::uint64_t words);

}  // namespace whorl::reference
