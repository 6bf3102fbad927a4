// Reuse distances: how many other blocks were used since a block was used last. A fully associative LRU cache of any
// size hits exactly where the distance is less than its number of blocks (Mattson et al., IBM Systems Journal 9(2),
// 1970), so one pass over a trace tells the miss ratios of them all.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sim/base/block_ids.h"
#include "sim/base/progress.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// Gives the distance of each use, exactly, in time that grows with the logarithm of the number of blocks; memory grows
/// with the number of blocks. Every use has a place, one after the other; a bit is set where a block's latest use is,
/// and a Fenwick tree counts the bits. When the places run out, those that are set move together.
class ReuseStack {
  public:
    static constexpr std::uint64_t kNever = ~std::uint64_t{0};

    /// The blocks used since the last use of this one, without it; kNever when it was not used before. Blocks are named
    /// by small numbers from 0 (see BlockIds).
    std::uint64_t use(std::uint32_t id);

  private:
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};

    std::uint64_t setUpTo(std::size_t word) const;
    void change(std::size_t word, std::uint32_t by);
    void squeeze();

    std::vector<std::uint64_t> bits_ = std::vector<std::uint64_t>(64);  ///< by place: it is some block's latest
    std::vector<std::uint32_t> tree_ = std::vector<std::uint32_t>(65);  ///< Fenwick tree of the bits set, by word
    std::vector<std::uint32_t> latest_;                                 ///< by block: its place, or kNone
    std::size_t next_ = 0;                                              ///< the place of the next use
    std::uint64_t blocks_ = 0;
};

/// How often each distance occurred. Distances lie in clusters, so only the pages that have some are there.
class ReuseHistogram {
  public:
    void add(std::uint64_t distance) {
        ++uses_;
        if (distance == ReuseStack::kNever) {
            ++first_;
            return;
        }
        const std::size_t page = distance / kPage;
        if (page >= pages_.size()) pages_.resize(page + 1);
        if (!pages_[page]) pages_[page] = std::make_unique<Page>();
        ++(*pages_[page])[distance % kPage];
    }

    std::uint64_t uses() const { return uses_; }
    /// Uses of blocks that were not used before: no cache has them.
    std::uint64_t firstUses() const { return first_; }
    /// How many uses were at this distance.
    std::uint64_t at(std::uint64_t distance) const;
    /// More than the largest distance: with so many blocks a cache misses nothing but first uses.
    std::uint64_t end() const;
    /// The misses of a fully associative LRU cache of so many blocks.
    std::uint64_t misses(std::uint64_t blocks) const;
    /// … for each use, 0 to 1; 0 when there were none.
    double missRatio(std::uint64_t blocks) const;

  private:
    static constexpr std::size_t kPage = 256;
    using Page = std::array<std::uint64_t, kPage>;

    std::uint64_t uses_ = 0;
    std::uint64_t first_ = 0;
    std::vector<std::unique_ptr<Page>> pages_;
};

/// The distances of a trace in blocks of one size. An access that straddles blocks uses each.
struct Reuse {
    std::uint32_t block = 64;  ///< bytes
    ReuseHistogram all;
    std::vector<ReuseHistogram> regions;  ///< the last: what lies in no region
};

/// The distances of the accesses of a range, as if all CPUs shared one cache; those before only fill it, and so do
/// those that are not recorded. Progress is in accesses. Nothing when it was cancelled.
std::optional<Reuse> reuseOf(const Trace& trace, std::uint32_t block, Range range, Progress& progress);

}  // namespace whorl::sim
