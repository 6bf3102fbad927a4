// What a range of a run did to each cell, a way of a set, of the caches of one level. A plain value that owns its
// memory.
//
// A hit belongs to the way that it hits, a miss to the way that its block then fills. A miss that fills nothing (a
// write where writes do not allocate, or any miss in an exclusive level) is unplaced: it belongs only to its set. Every
// request for a block counts as one, whatever the conventions, except the write half of a modify where that does not
// count. The penalty of an access belongs where the first of its own requests that missed in this level belongs.
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
    std::uint64_t distinctBlocks = 0;  ///< different blocks that were there, including the one at the beginning
    Cycles penalty = 0;                ///< see CellSums::penalty

    std::uint64_t requests() const { return hits + misses; }
    CacheCellSums& operator+=(const CacheCellSums& more);
    bool operator==(const CacheCellSums&) const = default;
};

class CacheCellTable {
  public:
    /// `ways` and `unplaced` as below, not scaled; `inSets`: the number of different blocks in each set.
    CacheCellTable(Range range, std::size_t level, const MachineConfig& machine, double share,
                   std::vector<CacheCellSums> ways, std::vector<CacheCellSums> unplaced,
                   std::vector<std::uint64_t> inSets);

    Range range() const { return range_; }
    std::size_t level() const { return level_; }
    std::uint32_t caches() const { return caches_; }
    std::uint32_t sets() const { return sets_; }
    std::uint32_t ways() const { return ways_; }
    /// 1, or the share of the range's accesses that were played. Below 1 all sums are estimates, scaled up, except the
    /// distinct blocks: those are the blocks that were seen.
    double share() const { return share_; }

    const CacheCellSums& at(std::uint32_t cache, SetIndex set, WayIndex way) const {
        return cells_[setAt(cache, set) * ways_ + way.value];
    }
    /// The misses of a set that filled no way, and their penalty.
    const CacheCellSums& unplaced(std::uint32_t cache, SetIndex set) const { return unplaced_[setAt(cache, set)]; }
    /// The sum over a set, including unplaced misses. A block that was in several ways counts once as a distinct block.
    CacheCellSums ofSet(std::uint32_t cache, SetIndex set) const;
    /// The size of the table in memory, in bytes.
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
    std::vector<std::uint64_t> inSets_;    ///< distinct blocks, by cache and set
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
