// The counts that everything shown is made of: what each cache and memory saw, summed over accesses.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/cache/event.h"
#include "sim/machine/machine_config.h"
#include "sim/trace/access.h"

namespace whorl::sim {

struct CacheCounters {
    std::uint64_t reads = 0;   ///< block requests that were reads, hit or miss
    std::uint64_t writes = 0;  ///< block requests that were writes
    std::uint64_t readMisses = 0;
    std::uint64_t writeMisses = 0;
    std::uint64_t fills = 0;
    std::uint64_t evictions = 0;          ///< valid blocks that made room, clean or dirty
    std::uint64_t writebacks = 0;         ///< blocks whose new data went to the next level
    std::uint64_t invalidations = 0;      ///< blocks taken away because another CPU wrote
    std::uint64_t backInvalidations = 0;  ///< blocks taken away because an inclusive level gave them up
    std::uint64_t downgrades = 0;         ///< blocks that became readable to others
    std::uint64_t upgrades = 0;           ///< blocks that became writable
    std::uint64_t moves = 0;              ///< blocks that an exclusive level gave to the nearer one
    std::uint64_t prefetches = 0;
    std::uint64_t usefulPrefetches = 0;  ///< blocks brought by a prefetch, and then asked for

    std::uint64_t accesses() const { return reads + writes; }
    std::uint64_t misses() const { return readMisses + writeMisses; }
    std::uint64_t hits() const { return accesses() - misses(); }
    /// Hits per access, 0 to 1; 0 when there were none.
    double hitRate() const {
        return accesses() == 0 ? 0.0 : static_cast<double>(hits()) / static_cast<double>(accesses());
    }
    CacheCounters& operator+=(const CacheCounters& o);
    CacheCounters& operator-=(const CacheCounters& o);
    bool operator==(const CacheCounters&) const = default;
};

struct MemoryCounters {
    std::uint64_t reads = 0;   ///< blocks fetched from it
    std::uint64_t writes = 0;  ///< blocks, or parts of them, written to it
    bool operator==(const MemoryCounters&) const = default;
};

class Counters {
  public:
    explicit Counters(const MachineConfig& machine);

    std::uint64_t reads = 0;   ///< accesses of the program that were loads
    std::uint64_t writes = 0;  ///< … that were stores
    MemoryCounters memory;
    std::vector<std::uint64_t> tlbMisses;  ///< by CPU; empty without a TLB

    std::uint64_t accesses() const { return reads + writes; }
    std::size_t levels() const { return first_.size(); }
    std::size_t cachesAt(std::size_t level) const {
        return (level + 1 < first_.size() ? first_[level + 1] : caches_.size()) - first_[level];
    }
    const CacheCounters& cache(std::size_t level, std::size_t index) const { return caches_[first_[level] + index]; }
    CacheCounters& cache(std::size_t level, std::size_t index) { return caches_[first_[level] + index]; }
    /// The sum over a level's caches.
    CacheCounters level(std::size_t level) const;

    void count(const Access& a) {
        if (!(a.modify && modifyOnce_)) ++(a.isWrite() ? writes : reads);
    }
    void count(const Event& e);

    /// What happened between two moments of a run: the later counts less the earlier ones.
    Counters& operator-=(const Counters& earlier);
    bool operator==(const Counters&) const = default;

  private:
    std::vector<std::size_t> first_;  ///< of each level: its first cache
    std::vector<CacheCounters> caches_;
    bool modifyOnce_;
    bool straddleOnce_;
};

}  // namespace whorl::sim
