// What the accesses of a trace alone tell about caches, before anything is simulated: reuse distances, and how much of
// a machine's caches a trace can fill.
//
// A reuse distance is the number of other blocks used since the last use of a block. A fully associative LRU cache of
// any size hits exactly where the distance is less than its number of blocks (Mattson et al., IBM Systems Journal 9(2),
// 1970), so one pass over a trace gives the miss ratios for all sizes.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "sim/base/containers.h"
#include "sim/base/jobs.h"
#include "sim/base/progress.h"
#include "sim/machine/machine_config.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// Computes the exact distance of each use, in time at most logarithmic and memory linear in the number of blocks. The
/// blocks used last, where most uses are, form a list. Every other block has a position, in the sequence in which they
/// left that list; a bit is set there, and a Fenwick tree counts the bits. When the positions run out, the set bits are
/// compacted.
class ReuseStack {
  public:
    static constexpr std::uint64_t kNever = ~std::uint64_t{0};

    /// The number of other blocks used since the last use of this one; kNever when it was not used before. Blocks are
    /// identified by small numbers from 0 (see BlockIds).
    std::uint64_t use(std::uint32_t id) {
        // Moves each block by one place until it meets this one.
        std::uint32_t moved = id;
        for (std::size_t i = 0; i < recent_.size(); ++i) {
            std::swap(moved, recent_[i]);
            if (moved == id) return i;
        }
        return useOther(id, moved);
    }

  private:
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};
    static constexpr std::size_t kRecent = 16;

    std::uint64_t useOther(std::uint32_t id, std::uint32_t leaves);
    std::uint64_t setUpTo(std::size_t word) const;
    void change(std::size_t word, std::uint32_t by);
    void squeeze();

    std::array<std::uint32_t, kRecent> recent_ = nobody();              ///< the last one first
    std::vector<std::uint64_t> bits_ = std::vector<std::uint64_t>(64);  ///< by position: it is some block's
    std::vector<std::uint32_t> tree_ = std::vector<std::uint32_t>(65);  ///< Fenwick tree of the bits set, by word
    std::vector<std::uint32_t> places_;                                 ///< by block: its position, or kNone
    std::size_t next_ = 0;                                              ///< the position of the next block
    std::uint64_t placed_ = 0;                                          ///< blocks that have one

    static std::array<std::uint32_t, kRecent> nobody() {
        std::array<std::uint32_t, kRecent> none{};
        none.fill(kNone);
        return none;
    }
};

/// How often each distance occurred. Distances are clustered, so only pages with entries are allocated.
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
    /// First uses of blocks, which miss in every cache.
    std::uint64_t firstUses() const { return first_; }
    /// The number of uses at this distance.
    std::uint64_t at(std::uint64_t distance) const;
    /// Greater than the largest distance: a cache with this number of blocks misses only first uses.
    std::uint64_t end() const;
    /// The misses of a fully associative LRU cache with this number of blocks.
    std::uint64_t misses(std::uint64_t blocks) const;
    /// The misses of that cache per use, 0 to 1; 0 without uses.
    double missRatio(std::uint64_t blocks) const;

  private:
    static constexpr std::size_t kPage = 256;
    using Page = std::array<std::uint64_t, kPage>;

    std::uint64_t uses_ = 0;
    std::uint64_t first_ = 0;
    std::vector<std::unique_ptr<Page>> pages_;
};

/// The distances of a trace for one block size. An access that straddles blocks uses each.
struct Reuse {
    std::uint32_t block = 64;  ///< bytes
    ReuseHistogram all;
    std::vector<ReuseHistogram> regions;  ///< the last: outside all regions
};

/// The distances of the accesses of a range, as if all CPUs shared one cache; earlier and unrecorded accesses only fill
/// it. Progress is in accesses. With threads, the trace is decoded ahead. Empty when cancelled.
std::optional<Reuse> reuseOf(const Trace& trace, std::uint32_t block, Range range, Progress& progress,
                             const ThreadRunner& threads = {});

/// How much of a machine a trace can use.
struct UsableParts {
    /// By level: how many of the accessed blocks its caches together can hold. A cache can hold no more than its size,
    /// and no more than the distinct blocks that its CPUs access. (Prefetchers may bring in others.)
    std::vector<std::uint64_t> blocks;
    std::uint64_t idleCpus = 0;  ///< the CPUs that access nothing, a bit each
};

/// Decodes the trace if several CPUs made it. Empty when cancelled.
std::optional<UsableParts> usableParts(const Trace& trace, const MachineConfig& machine, Progress& progress);

}  // namespace whorl::sim
