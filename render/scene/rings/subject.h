// What a picture shows: the part that depends neither on time nor on the view. Holds references; the objects behind
// them belong to the caller and must outlive it.
#pragma once

#include <cstdint>
#include <span>

#include "render/scene/region_looks.h"
#include "render/scene/rings/memory_slots.h"
#include "sim/machine/machine_config.h"
#include "sim/trace/trace.h"

namespace whorl::scene {

struct Subject {
    const sim::Trace& trace;
    const sim::MachineConfig& machine;
    const MemorySlots& memorySlots;
    const RegionLooks& looks;
    /// By level: how many blocks of the trace its caches can hold (sim/analysis/usable_blocks.h); empty: not known.
    std::span<const std::uint64_t> usable = {};

    /// Whether the last level has room for too many blocks to follow single ones. Then cached blocks stand out in
    /// memory, instead of those that are in memory alone.
    bool isLarge() const {
        if (machine.levels.empty()) return false;
        const std::size_t last = machine.levels.size() - 1;
        return machine.levels[last].blocks() * machine.caches(last) > kMaxFollowed;
    }
    static constexpr std::uint64_t kMaxFollowed = 512;

    /// The region of a block: that of its first byte that lies in one; the number of regions when none does.
    std::size_t regionOf(sim::ByteAddress base, std::uint64_t size) const;
    /// The cache of a level farther out that serves a cache.
    std::uint32_t outerCache(std::size_t outer, std::size_t level, std::uint32_t cache) const {
        return machine.cacheOf(outer, machine.firstCpu(level, cache));
    }
};

}  // namespace whorl::scene
