// Random machines with any of the options, all of them sound, and random traces that exercise them: the same for the
// same seed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/machine/machine_config.h"
#include "sim/trace/access.h"

namespace whorl::reference {

struct Case {
    sim::MachineConfig machine;
    std::vector<sim::Access> trace;
};

/// A machine of 1 to 4 small levels and 1 to 8 CPUs, with `accesses` accesses. One case in four is about several CPUs
/// that share, one in four about a single CPU; the others are unrestricted.
Case randomCase(std::uint64_t seed, std::size_t accesses);
/// Such a case on a machine without caches.
Case uncachedCase(std::uint64_t seed, std::size_t accesses);

}  // namespace whorl::reference
