// What a range of a run did to each cell, a way of a set, of the caches of one level. A plain value that owns its
// memory.
//
// A hit belongs to the way it hits, a miss to the way that its block was then filled into; a miss that fills nothing,
// as of a write where writes do not allocate or in an exclusive level, is unplaced: it belongs to its set only. Every
// request for a block counts as one, whatever the conventions, but for the write half of a modify where that does not
// count. The penalty of an access belongs to where the first of its own requests that missed in this level belongs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "sim/base/progress.h"
#include "sim/base/types.h"
#include "sim/cache/cost.h"
#include "sim/replay/run.h"

namespace whorl::sim {

struct CacheCellSums {
    std::uint64_t hits = 0;
    std::uint64_t misses = 0;
    std::uint64_t evictions = 0;
    std::uint64_t writebacks = 0;
    std::uint64_t distinctBlocks = 0;  ///< different blocks that were there, that at the beginning included
    Cycles penalty = 0;                ///< see CellSums::penalty

    std::uint64_t requests() const { return hits + misses; }
    CacheCellSums& operator+=(const CacheCellSums& more);
    bool operator==(const CacheCellSums&) const = default;
};

class CacheCellTable {
  public:
    /// `ways` and `unplaced` as below, not scaled; `inSets`: the different blocks in each set.
    CacheCellTable(Range range, std::size_t level, const MachineConfig& machine, double share,
                   std::vector<CacheCellSums> ways, std::vector<CacheCellSums> unplaced,
                   std::vector<std::uint64_t> inSets);

    Range range() const { return range_; }
    std::size_t level() const { return level_; }
    std::uint32_t caches() const { return caches_; }
    std::uint32_t sets() const { return sets_; }
    std::uint32_t ways() const { return ways_; }
    /// 1, or the share of the range's accesses that were played: then all sums are estimates, scaled up, but for the
    /// distinct blocks, which are those that were seen.
    double share() const { return share_; }

    const CacheCellSums& at(std::uint32_t cache, SetIndex set, WayIndex way) const {
        return cells_[setAt(cache, set) * ways_ + way.value];
    }
    /// The misses of a set that filled no way, and their penalty.
    const CacheCellSums& unplaced(std::uint32_t cache, SetIndex set) const { return unplaced_[setAt(cache, set)]; }
    /// The sum over a set, unplaced misses included. Its distinct blocks are those of the set: one that was in several
    /// ways counts once.
    CacheCellSums ofSet(std::uint32_t cache, SetIndex set) const;
    /// Its size in memory.
    std::size_t bytes() const;

  private:
    std::size_t setAt(std::uint32_t cache, SetIndex set) const { return std::size_t{cache} * sets_ + set.value; }

    Range range_;
    std::size_t level_;
    std::uint32_t caches_;
    std::uint32_t sets_;
    std::uint32_t ways_;
    double share_;
    std::vector<CacheCellSums> cells_;     ///< by cache, set and way
    std::vector<CacheCellSums> unplaced_;  ///< by cache and set
    std::vector<std::uint64_t> inSets_;    ///< distinct blocks, likewise
};

struct CacheCellRequest {
    Range range;
    std::size_t level = 0;
    std::uint64_t sample = 0;  ///< see CellRequest::sample

    bool operator==(const CacheCellRequest&) const = default;
};

/// Plays a range of a run, which must be built that far, or a sample of it. Progress is in accesses. Null when
/// cancelled.
std::shared_ptr<const CacheCellTable> cacheCellsOf(const Run& run, const CacheCellRequest& request, Progress& progress);

}  // namespace whorl::sim
