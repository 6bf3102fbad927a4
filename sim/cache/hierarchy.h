// The caches of a machine and the path of an access through them: a tree whose leaves are the CPUs and whose root is
// memory. A plain value: copying it is a checkpoint.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sim/cache/cache.h"
#include "sim/cache/event.h"
#include "sim/cache/page_table.h"
#include "sim/machine/machine_config.h"
#include "sim/trace/access.h"

namespace whorl::sim {

/// The request sequences of OPT caches, by cache in the hierarchy's order; null for other policies.
using Future = std::vector<std::shared_ptr<const NextRequests>>;

/// The stride prefetcher's table: the stride of each instruction or source line.
class StrideTable {
  public:
    /// Records a request and returns the stride in bytes if its confidence is sufficient, else 0. After Chen and Baer,
    /// IEEE Transactions on Computers 44(5), 1995, with a confidence of 0 to 3, sufficient from 2.
    std::int64_t learn(std::uint32_t site, std::uint64_t address) {
        Entry& e = entries_[site % entries_.size()];
        if (!e.used || e.site != site) {
            e = {.site = site, .used = true, .sure = 0, .last = address, .stride = 0};
            return 0;
        }
        const auto step = static_cast<std::int64_t>(address - e.last);
        if (step == e.stride && step != 0) {
            if (e.sure < 3) ++e.sure;
        } else {
            if (e.sure > 0) --e.sure;
            if (e.sure == 0) e.stride = step;
        }
        e.last = address;
        return e.sure >= 2 ? e.stride : 0;
    }
    bool operator==(const StrideTable&) const = default;

  private:
    friend class StoredState;

    struct Entry {
        std::uint32_t site = 0;
        bool used = false;
        std::uint8_t sure = 0;
        std::uint64_t last = 0;
        std::int64_t stride = 0;
        bool operator==(const Entry&) const = default;
    };
    std::array<Entry, 64> entries_;
};

class Hierarchy {
  public:
    /// The machine must be valid (see `checked`).
    explicit Hierarchy(const MachineConfig& machine, const Future& future = {});

    const MachineConfig& machine() const { return *machine_; }
    std::size_t levels() const { return first_.size(); }
    std::uint32_t caches(std::size_t level) const { return machine_->caches(level); }
    const Cache& cache(std::size_t level, std::uint32_t index = 0) const { return caches_[first_[level] + index]; }
    /// All caches as one sequence, level by level, and the index of a cache in it.
    std::size_t cacheCount() const { return caches_.size(); }
    std::size_t cacheIndex(std::size_t level, std::uint32_t index) const { return first_[level] + index; }
    /// A CPU's TLB: a cache whose blocks are pages. Null without TLBs.
    const Cache* tlb(std::uint32_t cpu) const { return tlbs_.empty() ? nullptr : &tlbs_[cpu]; }
    /// The pages in memory; null if it is not bounded, so that no page is ever missing. The page of every block in a
    /// cache is in memory, and so is every page in a TLB.
    const PageTable* pages() const { return pages_ ? &*pages_ : nullptr; }

    /// Simulates one access and emits its events.
    void access(const Access& a, EventList& events);

    /// Whether the machine is simple, so that the optimized loop (simple_loop.h) can simulate it: one CPU, no TLB,
    /// memory that is not bounded, and levels with LRU, write-back and write-allocate, inclusive, exclusive or neither,
    /// and no other features.
    bool isSimple() const { return simple_; }
    RawCache raw(std::size_t level) { return caches_[level].raw(machine_->levels[level].inclusion); }

    /// Simulates an access if it only hits one block of the nearest level, as most do, on a machine where such a hit
    /// affects nothing else. Returns the way, or Cache::kNoWay with nothing changed.
    std::uint32_t hitNearest(const PackedAccess& a);
    /// The event of an access simulated by hitNearest.
    Event nearestHit(const PackedAccess& a, std::uint32_t way) const;

    std::size_t bytes() const;
    bool operator==(const Hierarchy& other) const;

  private:
    friend class HierarchyPatch;
    friend class StoredState;
    friend class Walk;

    std::shared_ptr<const MachineConfig> machine_;
    std::vector<std::size_t> first_;  ///< by level: the index of its first cache
    std::vector<Cache> caches_;
    std::vector<Cache> tlbs_;           ///< by CPU; empty without a TLB. Their blocks are pages
    std::optional<PageTable> pages_;    ///< if memory is bounded
    std::vector<StrideTable> strides_;  ///< by cache; empty if no level has a stride prefetcher
    bool simple_ = false;
    bool quickReads_ = false;   ///< a read hit in the nearest level affects nothing else
    bool quickWrites_ = false;  ///< a write hit in the nearest level affects nothing else
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
