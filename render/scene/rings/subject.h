// What a picture shows: the part that depends neither on time nor on the view. Holds references; the objects behind
// them belong to the caller and must outlive it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "render/scene/region_looks.h"
#include "sim/base/types.h"
#include "sim/machine/machine_config.h"
#include "sim/trace/trace.h"

namespace whorl::scene {

// Memory slots: the blocks of main memory that the outer ring shows, numbered region by region in address order. They
// depend on the trace and the block size alone.

class MemorySlots {
  public:
    /// `block` is the size in bytes of the blocks that move between memory and the last level. A declared region has a
    /// slot for each of its blocks, unless there are more than kMaxWhole; any other for those that the trace touches.
    /// A block in two regions belongs to the first.
    MemorySlots(const sim::Trace& trace, std::uint64_t block);

    static constexpr std::uint64_t kMaxWhole = std::uint64_t{1} << 22;

    /// The slots of a region.
    struct Span {
        std::size_t region = 0;   ///< index into Trace::regions()
        std::uint32_t first = 0;  ///< its first slot
        std::uint32_t count = 0;
    };

    std::uint64_t blockSize() const { return block_; }
    std::uint32_t count() const { return static_cast<std::uint32_t>(addresses_.size()); }
    const std::vector<Span>& spans() const { return spans_; }
    sim::ByteAddress address(std::uint32_t slot) const { return addresses_[slot]; }

    static constexpr std::uint32_t kNone = ~std::uint32_t{0};
    /// The slot of the block that holds an address; kNone when the ring does not show it.
    std::uint32_t of(sim::ByteAddress address) const;
    /// The index into spans() of the span that holds a slot.
    std::size_t spanOf(std::uint32_t slot) const;

  private:
    std::uint64_t block_;
    std::vector<sim::ByteAddress> addresses_;  ///< addresses of the blocks, by slot, ascending
    std::vector<Span> spans_;
};

struct Subject {
    const sim::Trace& trace;
    const sim::MachineConfig& machine;
    const MemorySlots& memorySlots;
    const RegionLooks& looks;
    /// By level: how many blocks of the trace its caches can hold (sim/analysis/reuse.h); empty: not known.
    std::span<const std::uint64_t> usable = {};
    /// The CPUs that make no access in the trace, a bit each: their room in the rings goes to the others.
    std::uint64_t idleCpus = 0;

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
