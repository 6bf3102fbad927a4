// The bytes of each block that are used while it is in a cache: a byte is used when a CPU behind the cache accesses it,
// at the hit or the fill that serves the access or later while the block is there.
//
// An access that hits in the nearest level changes a byte mask there and nothing else. The bytes used since are passed
// on to the farther levels before one of their blocks comes or goes, and when the nearest level gives the block up:
// between two such events the same caches hold it, so that the result is as if each access marked its bytes in all of
// them.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/types.h"
#include "sim/base/zero_pages.h"
#include "sim/cache/cache.h"
#include "sim/cache/counters.h"
#include "sim/cache/event.h"
#include "sim/cache/hierarchy.h"
#include "sim/machine/machine_config.h"
#include "sim/trace/access.h"

namespace whorl::sim {

class BlockUse {
  public:
    static constexpr std::uint64_t kNoFill = ~std::uint64_t{0};  ///< of a free slot, in states of earlier versions
    static constexpr std::uint64_t kUncounted = kNoFill - 1;     ///< `fill` of an unrecorded access

    /// The time of a block in a cache.
    struct Stay {
        std::size_t level;
        std::size_t cache;   ///< index within the level
        std::size_t slot;    ///< set * ways + way
        std::uint64_t fill;  ///< number of counted fills of its level before its own; or kUncounted
        std::uint32_t used;  ///< bytes used
    };

    explicit BlockUse(const MachineConfig& machine);

    /// Begins an access; its events follow, each passed to `take`, and then `end`.
    void begin(const Access& access) { access_ = access; }
    /// Takes the next event. If it ends a stay, calls ended(const Stay&).
    template <class Ended>
    void take(const Event& e, Ended&& ended) {
        if (e.kind == EventKind::eviction || e.kind == EventKind::invalidation || e.kind == EventKind::moved) {
            ended(close(e));
        } else {
            take(e);
        }
    }
    void end() { finishRequest(); }

    /// The number of bytes of the block in a slot that have been used so far; 0 if it is empty. All accesses must have
    /// been settled.
    std::uint32_t usedIn(std::size_t level, std::size_t cache, std::size_t slot) const {
        const Cache& of = at(level, cache);
        return of.holds(slot) ? bytesIn(level, of.used, slot) : 0;
    }
    std::size_t slots(std::size_t level) const { return at(level, 0).fills.size(); }
    /// Passes the used bytes of the nearest level on to the farther levels. Changes no result.
    void settle();

    /// The whole state, compressed, at a cost in proportion to the blocks held. unpack() restores it in a new object
    /// for the same machine, and returns false for a state of another one.
    std::string packed() const;
    bool unpack(std::string_view packed);
    /// Whether it knows of the blocks in a machine's caches, and of no others.
    bool isOf(const Hierarchy& machine) const;

    /// Calls f(const Stay&) for each block that is still in a cache, with the bytes used so far. All accesses must have
    /// been settled.
    template <class F>
    void forEachOpen(F&& f) const;

    /// Marks the bytes of accesses that only hit in the nearest level, which need nothing else. Only with a single
    /// nearest cache.
    class NearestHits {
      public:
        explicit NearestHits(BlockUse& use)
            : use_(use),
              fresh_(use.fresh_[0].data()),
              within_((std::uint64_t{1} << use.shift_[0]) - 1),
              isNarrow_(use.words_[0] == 1) {}
        void add(std::uint32_t slot, const PackedAccess& access) {
            const std::uint64_t first = access.address().value & within_;
            if (isNarrow_) [[likely]] {
                fresh_[slot] |= ~std::uint64_t{0} >> (64 - access.size()) << first;
            } else {
                use_.mark(use_.fresh_[0], 0, slot, first, access.size());
            }
        }

      private:
        BlockUse& use_;
        std::uint64_t* fresh_;
        std::uint64_t within_;
        bool isNarrow_;
    };

  private:
    static constexpr std::size_t kWordBits = 64;

    /// The blocks of a cache.
    struct Cache {
        Sets sets;
        std::uint32_t ways;
        ZeroVector<std::uint64_t> blocks;
        ZeroVector<std::uint64_t> fills;  ///< by slot: the number of the fill
        ZeroVector<std::uint64_t> used;   ///< by slot: a bit for each byte
        std::vector<std::uint64_t> held;  ///< a bit for each slot: whether it holds a block, and thus has a fill
        /// Nearest level, by slot and farther level: the slot in the farther level in which the block was last seen.
        ZeroVector<std::uint32_t> seen;

        bool holds(std::size_t slot) const { return (held[slot / kWordBits] >> slot % kWordBits & 1) != 0; }
        /// Calls f(std::size_t) for each slot that holds a block.
        template <class F>
        void forEachHeld(F&& f) const {
            for (std::size_t m = 0; m < held.size(); ++m) {
                for (std::uint64_t rest = held[m]; rest != 0; rest &= rest - 1) {
                    f(m * kWordBits + static_cast<std::size_t>(std::countr_zero(rest)));
                }
            }
        }

        void hold(std::size_t slot, bool holds) {
            const std::uint64_t bit = std::uint64_t{1} << slot % kWordBits;
            held[slot / kWordBits] = holds ? held[slot / kWordBits] | bit : held[slot / kWordBits] & ~bit;
        }
    };
    /// A request of the CPU for a block of the nearest level.
    struct Request {
        bool isOpen = false;
        bool isInNearest = false;  ///< the nearest level has the block, and passes its bytes on later
        std::size_t nearest = 0;   ///< the CPU's cache in the nearest level
        std::uint64_t address = 0;
        std::uint32_t bytes = 0;
        /// By level: the slot in which the request was last served.
        std::array<std::uint32_t, kMaxLevels> served{};
    };
    static constexpr std::size_t kNoSlot = ~std::size_t{0};

    void take(const Event& e);
    void request(const Event& e);
    void finishRequest();
    void fill(const Event& e);
    Stay close(const Event& e);
    void markRequested(std::size_t level, std::size_t cache, std::size_t slot);
    void mark(std::span<std::uint64_t> masks, std::size_t level, std::size_t slot, std::uint64_t first,
              std::uint64_t bytes) const;
    void settle(std::size_t nearest, std::size_t slot);
    void settleWide(std::size_t nearest, std::size_t slot);
    void settleWithin(std::size_t level, std::size_t cache, std::uint64_t block);
    std::size_t findFarther(std::size_t nearest, std::size_t slot, std::size_t level, std::uint64_t block);
    bool isRequested(std::size_t level, std::size_t cache, std::uint64_t block) const;
    /// The cache of a level on the path from a nearest cache to memory, as an index into caches_.
    std::uint32_t onPath(std::size_t nearest, std::size_t level) const {
        return paths_[nearest * first_.size() + level];
    }
    std::size_t find(const Cache& cache, std::uint64_t block) const;
    template <class Self, class F>
    static void forHeld(Self& self, F&& f);
    std::uint64_t mostWords() const;
    std::uint32_t bytesIn(std::size_t level, std::span<const std::uint64_t> masks, std::size_t slot) const;
    Cache& at(std::size_t level, std::size_t cache) { return caches_[first_[level] + cache]; }
    const Cache& at(std::size_t level, std::size_t cache) const { return caches_[first_[level] + cache]; }

    const MachineConfig& machine_;
    std::vector<std::size_t> first_;  ///< by level: index of its first cache
    std::vector<unsigned> shift_;     ///< by level: shift from an address to its block
    std::vector<std::size_t> words_;  ///< by level: words of a mask
    std::vector<Cache> caches_;
    std::vector<std::uint32_t> paths_;  ///< by cache of the nearest level and level; see onPath
    /// By cache of the nearest level, by slot: the bytes used but not yet passed on to the farther levels.
    std::vector<std::vector<std::uint64_t>> fresh_;
    std::vector<std::uint64_t> fills_;  ///< by level
    Access access_;
    Request request_;
};

template <class F>
void BlockUse::forEachOpen(F&& f) const {
    for (std::size_t l = 0; l < first_.size(); ++l) {
        for (std::uint32_t i = 0; i < machine_.caches(l); ++i) {
            const Cache& cache = at(l, i);
            cache.forEachHeld([&](std::size_t slot) {
                f(Stay{l, i, slot, cache.fills[slot], bytesIn(l, cache.used, slot)});
            });
        }
    }
}

/// The use of the blocks filled into a cache: their number, and the number of their bytes that were used before they
/// left (see BlockUse), or until the end.
struct StaySum {
    std::uint64_t fills = 0;
    std::uint64_t usedBytes = 0;

    StaySum& operator+=(const StaySum& more) {
        fills += more.fills;
        usedBytes += more.usedBytes;
        return *this;
    }
    StaySum& operator-=(const StaySum& part) {
        fills -= part.fills;
        usedBytes -= part.usedBytes;
        return *this;
    }
    bool operator==(const StaySum&) const = default;

    /// The share of the bytes that was used, 0 to 1; 0 without fills. `block` is the block size in bytes.
    double utilization(std::uint32_t block) const {
        return fills == 0 ? 0.0 : static_cast<double>(usedBytes) / (static_cast<double>(fills) * block);
    }
    std::uint64_t unusedBytes(std::uint32_t block) const { return fills * block - usedBytes; }
    /// Fills that would have been saved if all bytes of the others had been used.
    std::uint64_t savedByFullUse(std::uint32_t block) const { return unusedBytes(block) / block; }
};

/// The bytes of each block that were used between its fill and its removal: for each counted fill of a level, in order,
/// in one byte each if that suffices.
class StayUseList {
  public:
    /// `block` is the block size of the level in bytes.
    explicit StayUseList(std::uint32_t block) : isNarrow_(block <= 255) {}

    std::uint64_t size() const { return isNarrow_ ? narrow_.size() : wide_.size(); }
    std::uint32_t operator[](std::uint64_t fill) const { return isNarrow_ ? narrow_[fill] : wide_[fill]; }
    void set(std::uint64_t fill, std::uint32_t used) {
        if (fill >= size()) isNarrow_ ? narrow_.resize(fill + 1) : wide_.resize(fill + 1);
        if (isNarrow_) {
            narrow_[fill] = static_cast<std::uint8_t>(used);
        } else {
            wide_[fill] = static_cast<std::uint16_t>(used);
        }
    }
    /// Ends the list: no more is set, and sums can be computed.
    void finish() {
        for (std::uint64_t fill = 0, sum = 0; fill < size(); ++fill) {
            if (fill % kStride == 0) sums_.push_back(sum);
            sum += (*this)[fill];
        }
    }
    /// The sum over the first `fills` fills, at most size().
    StaySum sumOf(std::uint64_t fills) const {
        StaySum sum{.fills = fills};
        if (fills == 0) return sum;
        const std::uint64_t from = (fills - 1) / kStride;
        sum.usedBytes = sums_[from];
        for (std::uint64_t fill = from * kStride; fill < fills; ++fill) sum.usedBytes += (*this)[fill];
        return sum;
    }
    std::size_t bytes() const {
        return sizeof *this + narrow_.capacity() + wide_.capacity() * sizeof wide_[0] +
               sums_.capacity() * sizeof sums_[0];
    }

  private:
    static constexpr std::uint64_t kStride = 1024;  ///< fills between two sums

    bool isNarrow_;
    std::vector<std::uint8_t> narrow_;
    std::vector<std::uint16_t> wide_;
    std::vector<std::uint64_t> sums_;  ///< sums before every kStride-th fill
};

/// Returns the bytes used of consecutive fills from a tick on, for replaying a range of a run.
class StayUseReader {
  public:
    /// `lists` are those of the whole run, by level; null while it is not complete, when the use is unknown. `before`
    /// are the counts at that tick.
    StayUseReader(std::shared_ptr<const std::vector<StayUseList>> lists, const Counters& before)
        : lists_(std::move(lists)) {
        for (std::size_t l = 0; l < before.levels(); ++l) filled_.push_back(before.level(l).fills);
    }

    bool isKnown() const { return lists_ != nullptr; }
    std::uint32_t next(std::size_t level) {
        const StayUseList& list = (*lists_)[level];
        const std::uint64_t fill = filled_[level]++;
        return fill < list.size() ? list[fill] : 0;  // lists of an excerpt's file may be too short
    }

  private:
    std::shared_ptr<const std::vector<StayUseList>> lists_;
    std::vector<std::uint64_t> filled_;
};

}  // namespace whorl::sim
