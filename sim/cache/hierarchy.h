// The caches of a machine and the way of an access through them: a tree whose leaves are the CPUs and whose root is
// memory. Its state is a plain value: copying it is a checkpoint.
//
// The convention, on which independent simulators agree: an access that straddles blocks touches each, in address
// order; on a miss the next level is asked first, then the victim is written back; a write-back is a write to the next
// level and allocates there; invalid ways are filled first. MachineConfig::conventions has switches for other ways.
//
// Coherence is write-invalidate: before a block is written, every copy outside the writer's own path to memory goes.
// Two caches compete for blocks of the size of the outermost level at which they are apart, so an invalidation there
// takes all smaller blocks of nearer levels along.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sim/cache/cache.h"
#include "sim/cache/event.h"
#include "sim/cache/prefetch.h"
#include "sim/machine/machine_config.h"
#include "sim/trace/access.h"

namespace whorl::sim {

/// What OPT levels need to know beforehand, cache by cache in the hierarchy's order; null where nothing is needed.
using Future = std::vector<std::shared_ptr<const NextRequests>>;

class Hierarchy {
  public:
    /// The machine must be sound, as `checked` says.
    explicit Hierarchy(const MachineConfig& machine, const Future& future = {});

    const MachineConfig& machine() const { return *machine_; }
    std::size_t levels() const { return first_.size(); }
    std::uint32_t caches(std::size_t level) const { return machine_->caches(level); }
    const Cache& cache(std::size_t level, std::uint32_t index = 0) const { return caches_[first_[level] + index]; }
    /// All caches, level by level, as one row, and where a cache stands in it.
    std::size_t cacheCount() const { return caches_.size(); }
    std::size_t cacheIndex(std::size_t level, std::uint32_t index) const { return first_[level] + index; }

    /// Plays one access and tells all that happens.
    void access(const Access& a, EventList& events);

    /// Whether the machine is of the plain kind for which there is a faster way to play: one CPU, and levels with LRU,
    /// write-back, write-allocate and nothing more.
    bool isPlain() const { return plain_; }
    /// The same, but that levels may be inclusive or exclusive.
    bool isSimple() const { return simple_; }
    RawCache raw(std::size_t level) { return caches_[level].raw(); }

    /// Plays an access if it does nothing but hit one block of the nearest level, as most do, on a machine where that
    /// is known to touch nothing else; else changes nothing. Gives the way, or Cache::kNoWay.
    std::uint32_t hitNearest(const PackedAccess& a);
    /// The event of an access that was played so.
    Event nearestHit(const PackedAccess& a, std::uint32_t way) const;

    std::size_t bytes() const;
    bool operator==(const Hierarchy& other) const;

  private:
    friend class HierarchyPatch;
    friend class Walk;

    std::shared_ptr<const MachineConfig> machine_;
    std::vector<std::size_t> first_;  ///< of each level: its first cache
    std::vector<Cache> caches_;
    std::vector<Cache> tlbs_;           ///< one a CPU, or none; their blocks are pages
    std::vector<StrideTable> strides_;  ///< by cache; empty when no level has a stride prefetcher
    bool simple_ = false;
    bool plain_ = false;
    bool quickReads_ = false;   ///< a hit of the nearest level concerns that alone, if it is a read
    bool quickWrites_ = false;  ///< …, if it is a write
};

inline std::uint32_t Hierarchy::hitNearest(const PackedAccess& a) {
    if (!(a.isWrite() ? quickWrites_ : quickReads_)) return Cache::kNoWay;
    Cache& cache = caches_[machine_->cacheOf(0, a.cpu())];
    const BlockAddress block = cache.blockOf(a.address());
    if (block != cache.blockOf(ByteAddress{a.address().value + (a.size() - 1)})) return Cache::kNoWay;
    const std::uint32_t way = cache.find(block);
    if (way == Cache::kNoWay) return way;
    const SetIndex set = cache.setOf(block);
    cache.use(set, WayIndex{way});
    if (a.isWrite()) cache.set(set, WayIndex{way}, Cache::dirty);
    return way;
}

inline Event Hierarchy::nearestHit(const PackedAccess& a, std::uint32_t way) const {
    const std::uint32_t index = machine_->cacheOf(0, a.cpu());
    const BlockAddress block = cache(0, index).blockOf(a.address());
    Event e;
    e.cache = static_cast<std::uint8_t>(index);
    e.write = a.isWrite();
    e.demand = true;
    e.set = cache(0, index).setOf(block);
    e.way = WayIndex{way};
    e.block = block;
    return e;
}

}  // namespace whorl::sim
