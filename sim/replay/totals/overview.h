// The overview of a run: cumulative sums at equal steps, so that the sums of any range, at every zoom, are a difference
// of two. Grows with the run, and drops every other step once it is full, so it stays small for any trace.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/cache/counters.h"
#include "sim/replay/totals/miss_kind.h"

namespace whorl::sim {

class Overview {
  public:
    /// Regions beyond this number are counted together as the last.
    static constexpr std::size_t kMaxRegions = 64;

    /// The counts of one level.
    struct Share {
        std::uint64_t requests = 0;
        std::uint64_t hits = 0;
        std::array<std::uint64_t, kMissKinds> misses{};  ///< by kind
    };
    /// All sums up to a tick.
    struct Sums {
        std::vector<Share> levels;
        std::vector<std::uint64_t> regions;  ///< accesses
        MemoryCounters memory;
        std::uint64_t cycles = 0;
    };

    static constexpr std::size_t kMaxBuckets = 8192;

    /// `accesses` is the expected number, if known; steps then have their final length from the start. `begin` is the
    /// first tick; the overview may cover a part of a run.
    Overview(std::size_t levels, std::size_t regions, std::size_t maxBuckets = kMaxBuckets, std::uint64_t accesses = 0,
             std::uint64_t begin = 0);

    /// The tick at which the next sums are due: the end of the current bucket.
    std::uint64_t nextEnd() const { return begin_ + (buckets() + 1) * perBucket_; }
    /// The end of the bucket of the access at a tick. Does not change while an overview of the expected number of
    /// accesses grows.
    Tick endAfter(Tick at) const { return Tick{at.value + perBucket_ - (at.value - begin_) % perBucket_}; }
    /// Adds the sums at nextEnd().
    void add(const Sums& sums);
    /// Adds the sums at the last tick, within the current bucket or at its end.
    void finish(std::uint64_t tick, const Sums& sums);
    /// Makes a copy of an earlier state of this, which nothing else changes, the same as this. Costs as much as there
    /// is new, or turned, since the last call.
    void passOnTo(Overview& copy);
    /// Reclassifies a miss of the access with this index from false to true sharing.
    void turnTrue(std::size_t level, std::uint64_t tick);

    std::size_t levels() const { return levels_; }
    std::size_t regions() const { return regions_; }
    /// The ticks between which there are sums.
    Tick begin() const { return Tick{begin_}; }
    Tick end() const { return Tick{end_}; }
    std::uint64_t accessesPerBucket() const { return perBucket_; }
    /// The number of full buckets.
    std::size_t buckets() const { return rows_.size() / width_ - 1; }

    /// The accesses [from, to), which must not begin before the first tick, rounded outward to whole buckets.
    Range outward(Range range) const;
    /// The counts of a level over the accesses [from, to), rounded outward to whole buckets.
    Share share(std::size_t level, std::uint64_t from, std::uint64_t to) const;
    /// The number of accesses to a region in [from, to), rounded outward to whole buckets.
    std::uint64_t regionShare(std::size_t region, std::uint64_t from, std::uint64_t to) const;
    /// The blocks that the accesses in [from, to), rounded outward to whole buckets, read from memory and wrote to it.
    MemoryCounters memory(std::uint64_t from, std::uint64_t to) const;
    /// The access cycles of the accesses in [from, to), rounded outward to whole buckets.
    std::uint64_t cycles(std::uint64_t from, std::uint64_t to) const;

  private:
    /// The index of the row with the sums at a tick, rounded down or up.
    std::size_t rowBefore(std::uint64_t tick) const;
    std::size_t rowAfter(std::uint64_t tick) const;
    std::uint64_t difference(std::size_t column, std::uint64_t from, std::uint64_t to) const;
    void put(std::vector<std::uint64_t>& rows, const Sums& sums) const;
    const std::uint64_t* row(std::size_t index) const;
    std::size_t columnOf(std::size_t level) const { return level * (2 + kMissKinds); }

    static constexpr std::size_t kLastColumns = 3;  ///< memory's reads and writes, and the cycles

    std::size_t levels_;
    std::size_t regions_;
    std::size_t width_;
    std::size_t maxBuckets_;
    std::uint64_t begin_;
    std::uint64_t perBucket_ = 1;
    std::uint64_t end_ = 0;            ///< the last tick for which there are sums
    std::size_t passedOn_ = 0;         ///< the leading rows that have not changed since they were passed on
    std::vector<std::uint64_t> rows_;  ///< the sums at the start of each bucket, and at the end of the last
    std::vector<std::uint64_t> last_;  ///< the sums at the end of the run, if it is within a bucket; else empty
};

}  // namespace whorl::sim
