// Event counters of each cache and of memory. Every count that is displayed comes from here.
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

#include "sim/cache/event.h"
#include "sim/machine/machine_config.h"
#include "sim/trace/access.h"

namespace whorl::sim {

struct CacheCounters {
    std::uint64_t reads = 0;   ///< read requests for blocks, hit or miss
    std::uint64_t writes = 0;  ///< write requests for blocks, hit or miss
    std::uint64_t readMisses = 0;
    std::uint64_t writeMisses = 0;
    std::uint64_t fills = 0;
    std::uint64_t evictions = 0;          ///< valid blocks evicted, clean or dirty
    std::uint64_t writebacks = 0;         ///< dirty blocks written to the next level
    std::uint64_t invalidations = 0;      ///< blocks invalidated because another CPU wrote
    std::uint64_t backInvalidations = 0;  ///< blocks invalidated because an inclusive level evicted them
    std::uint64_t pagedOut = 0;           ///< blocks invalidated because their page left memory
    std::uint64_t downgrades = 0;         ///< blocks that lost write permission because another CPU read
    std::uint64_t upgrades = 0;           ///< blocks that gained write permission
    std::uint64_t moves = 0;              ///< blocks moved from an exclusive level to the nearer one
    std::uint64_t prefetches = 0;
    std::uint64_t usefulPrefetches = 0;  ///< prefetched blocks that were requested later
    std::uint64_t writeThroughs = 0;     ///< writes that went on to the next level at once
    std::uint64_t writeThroughBytes = 0;

    std::uint64_t accesses() const { return reads + writes; }
    std::uint64_t misses() const { return readMisses + writeMisses; }
    std::uint64_t hits() const { return accesses() - misses(); }
    /// See Event::isTransfer().
    std::uint64_t transfers() const { return fills + writebacks + writeThroughs; }
    /// Hits per access, 0 to 1; 0 if there are no accesses.
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

/// The sum of per-CPU counts over all CPUs.
inline std::uint64_t ofAllCpus(const std::vector<std::uint64_t>& counts) {
    return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

class Counters {
  public:
    explicit Counters(const MachineConfig& machine);

    std::uint64_t reads = 0;   ///< loads of the program
    std::uint64_t writes = 0;  ///< stores of the program
    MemoryCounters memory;
    std::vector<std::uint64_t> tlbMisses;       ///< by CPU; empty without a TLB
    std::vector<std::uint64_t> pageFaults;      ///< by CPU; empty unless memory is bounded
    std::vector<std::uint64_t> pageWritebacks;  ///< by CPU, as above: modified pages that its faults evicted

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
        if (!(a.modify && conventions_.modifyCountsOnce)) ++(a.isWrite() ? writes : reads);
    }
    void count(const Event& e);

    /// Subtracts the counts at an earlier point of the same run, which leaves those in between.
    Counters& operator-=(const Counters& earlier);
    bool operator==(const Counters&) const = default;

  private:
    static void count(const Event& e, CacheCounters& c);

    std::vector<std::size_t> first_;  ///< by level: the index of its first cache
    std::vector<CacheCounters> caches_;
    Conventions conventions_;
};

}  // namespace whorl::sim
