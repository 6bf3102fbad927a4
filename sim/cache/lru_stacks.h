// A nearest level with several numbers of ways at once: the blocks of a set, ordered by their last access, are those of
// a cache of w ways down to position w.
//
// After Mattson, Gecsei, Slutz and Traiger, "Evaluation techniques for storage hierarchies", IBM Systems Journal 1970,
// with a dirty bit for all numbers of ways as in Thompson and Smith, "Efficient (stack) algorithms for analysis of
// write-back and sector memories", ACM TOCS 1989.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/cache/cache.h"
#include "sim/cache/simple_run.h"

namespace whorl::sim {

/// Caches of the same sets under LRU that allocate on writes and write back, each with another number of ways.
class LruStacks {
  public:
    static constexpr std::uint32_t kMostWays = 64;

    /// `ways`: ascending, each at most kMostWays.
    LruStacks(Sets sets, const std::vector<std::uint32_t>& ways);

    /// Plays accesses, each twice the number of its block, plus 1 if it writes. Appends to `others`, if given, those
    /// that are not a hit of the block accessed last in its set that changes nothing: only they can change anything in
    /// caches of the same blocks whose sets divide these ones.
    void play(std::span<const std::uint64_t> accesses, std::vector<std::uint64_t>* others);
    /// Counts hits of the blocks accessed last in their sets that change nothing.
    void countUnchanged(std::uint64_t reads, std::uint64_t writes);

    /// What the cache with the i-th number of ways requested of the next level since the last forget(), in order: twice
    /// the number of a block, plus 1 if it is written back.
    const std::vector<std::uint64_t>& requests(std::size_t i) const { return caches_[i].requests; }
    /// The counts of that cache since then.
    SimpleCounts counts(std::size_t i) const;
    /// Forgets requests and counts; the contents stay.
    void forget();

  private:
    struct OfWays {
        std::uint32_t ways;
        std::vector<std::uint64_t> requests;
        std::uint64_t newWays = 0;
        std::uint64_t writebacks = 0;
    };

    Sets sets_;
    std::uint32_t most_;  ///< the largest number of ways
    std::vector<OfWays> caches_;
    std::vector<std::uint64_t> blocks_;  ///< by set and position: 0 is the block accessed last
    std::vector<std::uint8_t> clean_;    ///< the block is dirty in caches of more ways than that
    std::vector<std::uint8_t> held_;     ///< blocks of each set
    /// Reads and writes, by the position at which the block was; at most_: it was not there.
    std::array<std::array<std::uint64_t, kMostWays + 1>, 2> accesses_{};

    void replay(std::uint64_t access, std::size_t set);
};

}  // namespace whorl::sim
