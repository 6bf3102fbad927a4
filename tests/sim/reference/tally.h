// Counts and costs: both follow from the accesses and the list of events.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "sim/machine/machine_config.h"
#include "sim/reference/happening.h"
#include "sim/trace/access.h"

namespace whorl::reference {

struct CacheCounts {
    std::uint64_t reads = 0, writes = 0;  ///< requests, hits and misses together
    std::uint64_t readMisses = 0, writeMisses = 0;
    std::uint64_t fills = 0, evictions = 0, moves = 0;
    std::uint64_t invalidations = 0;      ///< for coherence
    std::uint64_t backInvalidations = 0;  ///< for inclusion
    std::uint64_t pagedOut = 0;           ///< with their page
    std::uint64_t writebacks = 0, downgrades = 0, upgrades = 0;
    std::uint64_t prefetches = 0;
    std::uint64_t writeThroughs = 0, writeThroughBytes = 0;
    std::uint64_t usefulPrefetches = 0;  ///< blocks that were requested after a prefetch had filled them

    bool operator==(const CacheCounts&) const = default;
};

struct PageCounts {
    std::uint64_t faults = 0, writtenBack = 0;

    bool operator==(const PageCounts&) const = default;
};

struct TlbCounts {
    std::uint64_t accesses = 0, misses = 0;

    bool operator==(const TlbCounts&) const = default;
};

class Tally {
  public:
    explicit Tally(sim::MachineConfig config) : config_(std::move(config)) {}

    /// Takes the next access and all its events.
    void take(const sim::Access& access, const std::vector<Happening>& happenings);

    std::uint64_t reads() const { return reads_; }
    std::uint64_t writes() const { return writes_; }
    std::uint64_t memoryReads() const { return memoryReads_; }
    std::uint64_t memoryWrites() const { return memoryWrites_; }
    CacheCounts cache(std::size_t level, std::size_t index) const;
    TlbCounts tlb(std::size_t cpu) const;
    PageCounts pages(std::size_t cpu) const;
    /// Cycles that the CPU's accesses have taken so far.
    std::uint64_t clock(std::size_t cpu) const;

  private:
    /// Of one level within one access.
    struct Request {
        bool counted = false, missed = false;
    };

    void count(const Happening& happening);
    void countRequest(const Happening& happening);
    std::uint64_t costOf(const Happening& happening) const;

    sim::MachineConfig config_;
    std::uint64_t reads_ = 0, writes_ = 0, memoryReads_ = 0, memoryWrites_ = 0;
    std::map<std::pair<std::size_t, std::size_t>, CacheCounts> caches_;  ///< by level and index
    /// The prefetched blocks that have not been requested yet.
    std::map<std::pair<std::size_t, std::size_t>, std::set<std::uint64_t>> early_;
    std::map<std::size_t, Request> requests_;  ///< by level, of the CPU's own within this access
    std::map<std::size_t, TlbCounts> tlbs_;    ///< by CPU
    std::map<std::size_t, PageCounts> pages_;  ///< by CPU
    std::map<std::size_t, std::uint64_t> clocks_;
};

}  // namespace whorl::reference
