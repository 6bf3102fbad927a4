// What a picture shows that does not change with time or view.
#pragma once

#include "render/scene/rings/memory_slots.h"
#include "sim/machine/machine_config.h"
#include "sim/trace/trace.h"

namespace whorl::scene {

struct Subject {
    const sim::Trace& trace;
    const sim::MachineConfig& machine;
    const MemorySlots& memorySlots;

    /// The region of a block: of its first byte that lies in one. The number of regions: in none of them.
    std::size_t regionOf(sim::ByteAddress base, std::uint64_t size) const;
    /// The CPUs that use a cache, from the first to before the end.
    std::uint32_t firstCpu(std::size_t level, std::uint32_t cache) const {
        return cache * (machine.cpus / machine.caches(level));
    }
    std::uint32_t endCpu(std::size_t level, std::uint32_t cache) const { return firstCpu(level, cache + 1); }
    /// The cache of a level farther out that a cache's blocks go to.
    std::uint32_t outerCache(std::size_t outer, std::size_t level, std::uint32_t cache) const {
        return machine.cacheOf(outer, firstCpu(level, cache));
    }
};

}  // namespace whorl::scene
