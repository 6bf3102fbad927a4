// One cache: sets of ways that hold blocks. It knows places and the order of eviction, not what lies behind it; blocks
// stay in their way while they are resident. A plain value: copying it is part of a checkpoint.
#pragma once

#include <cstdint>
#include <memory>
#include <new>
#include <vector>

#include "sim/base/types.h"
#include "sim/machine/machine_config.h"

namespace whorl::sim {

/// A way as it stands. `rank` is its place in the order of eviction: 0 is evicted last, the highest rank of a full set
/// next. Ranks of the valid ways of a set are 0, 1, 2, … without gaps.
struct Line {
    bool valid = false;
    bool dirty = false;
    bool owned = false;       ///< no other cache has it: it may be written unasked
    bool prefetched = false;  ///< brought in by a prefetch, and not asked for yet
    std::uint16_t rank = 0;
    BlockAddress block;
};

/// For each request that a cache will get, in order: the place of the next one for the same block. Made beforehand, for
/// the policy that looks into the future.
using NextRequests = std::vector<std::uint32_t>;

/// Memory from the start of a line of the processor's own cache, so that a set of eight ways is one line of it.
template <class T>
struct LineAligned {
    using value_type = T;
    static constexpr std::align_val_t kLine{64};

    LineAligned() = default;
    template <class U>
    LineAligned(const LineAligned<U>&) {}  // NOLINT(google-explicit-constructor): allocators convert
    T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), kLine)); }
    void deallocate(T* at, std::size_t) { ::operator delete(at, kLine); }
    bool operator==(const LineAligned&) const = default;
};

/// Arrays as the hot loop of plain machines sees them: `ways` neighbours make a set.
struct RawCache {
    std::uint64_t* blocks;
    std::uint16_t* ranks;
    std::uint8_t* flags;
    std::uint16_t* occupied;
    std::uint64_t setMask;
    std::uint32_t ways;
    std::uint32_t blockShift;
};

class Cache {
  public:
    static constexpr std::uint64_t kNoBlock = ~std::uint64_t{0};
    static constexpr std::uint32_t kNoWay = ~std::uint32_t{0};
    enum Flag : std::uint8_t { dirty = 1, owned = 2, prefetched = 4 };

    /// `index`: which of its level's caches it is; only the random policy cares.
    Cache(const LevelConfig& config, std::uint32_t index);

    std::uint32_t sets() const { return setMask_ + 1; }
    std::uint32_t ways() const { return ways_; }
    std::uint32_t blockShift() const { return blockShift_; }
    Policy policy() const { return policy_; }

    BlockAddress blockOf(ByteAddress a) const { return BlockAddress{a.value >> blockShift_}; }
    ByteAddress addressOf(BlockAddress b) const { return ByteAddress{b.value << blockShift_}; }
    SetIndex setOf(BlockAddress b) const { return SetIndex{static_cast<std::uint32_t>(b.value) & setMask_}; }

    /// The way that holds a block, or kNoWay. Changes nothing.
    std::uint32_t find(BlockAddress block) const {
        const std::uint64_t* tag = &blocks_[first(setOf(block))];
        for (std::uint32_t w = 0; w < ways_; ++w) {
            if (tag[w] == block.value) return w;
        }
        return kNoWay;
    }
    bool holds(BlockAddress block) const { return find(block) != kNoWay; }

    bool isFull(SetIndex set) const { return occupied_[set.value] == ways_; }
    /// The lowest way of a set that holds nothing; there must be one.
    WayIndex freeWay(SetIndex set) const;
    /// The way that a full set gives up. The random policy draws: asked twice, it may answer otherwise.
    WayIndex chooseVictim(SetIndex set);

    /// The block in this way was hit.
    void use(SetIndex set, WayIndex way);
    /// Puts a block without flags into a free way.
    void fill(SetIndex set, WayIndex way, BlockAddress block);
    /// Takes a block out of its way.
    void remove(SetIndex set, WayIndex way);
    /// The next request comes: told before its hit or miss, to a cache that looks into the future only.
    void nextRequest() { ++requests_; }
    /// Gives the cache its future. See futureOf.
    void setFuture(std::shared_ptr<const NextRequests> future) { future_ = std::move(future); }

    bool has(SetIndex set, WayIndex way, Flag flag) const { return (flags_[first(set) + way.value] & flag) != 0; }
    void set(SetIndex set, WayIndex way, Flag flag) { flags_[first(set) + way.value] |= flag; }
    void clear(SetIndex set, WayIndex way, Flag flag) {
        flags_[first(set) + way.value] &= static_cast<std::uint8_t>(~flag);
    }
    BlockAddress blockIn(SetIndex set, WayIndex way) const { return BlockAddress{blocks_[first(set) + way.value]}; }

    Line line(SetIndex set, WayIndex way) const;
    /// The lines of a set, by way.
    std::vector<Line> lines(SetIndex set) const;
    /// The rank of each way of a set in the order of eviction; only those of valid ways have a meaning.
    std::vector<std::uint16_t> ranks(SetIndex set) const;
    /// How many ways of a set hold a block.
    std::uint32_t occupied(SetIndex set) const { return occupied_[set.value]; }

    /// Whether a set is, way by way and in the order of eviction, as it is in another cache of the same shape.
    bool hasSameSet(const Cache& other, SetIndex set) const;
    /// Makes it so.
    void copySetFrom(const Cache& other, SetIndex set);

    RawCache raw() {
        return {blocks_.data(), ranks_.data(), flags_.data(), occupied_.data(), setMask_, ways_, blockShift_};
    }
    /// What a copy takes, in bytes.
    std::size_t bytes() const;

    bool operator==(const Cache&) const = default;

  private:
    friend class CachePatch;

    /// Room behind the arrays, so that vectors can be read from any set on.
    static constexpr std::size_t kMargin = 16;

    std::size_t first(SetIndex set) const { return std::size_t{set.value} * ways_; }
    bool keepsRanks() const { return policy_ == Policy::lru || policy_ == Policy::fifo || policy_ == Policy::mru; }
    void bringToFront(SetIndex set, WayIndex way);
    void pointAway(SetIndex set, WayIndex way);
    WayIndex pointedAt(SetIndex set) const;

    std::uint32_t setMask_;
    std::uint32_t ways_;
    std::uint32_t blockShift_;
    Policy policy_;
    std::uint64_t random_;        ///< the random policy's state
    std::uint64_t requests_ = 0;  ///< requests so far
    std::vector<std::uint64_t, LineAligned<std::uint64_t>> blocks_;
    /// What the policy keeps of each way: LRU, MRU: its recency; FIFO: its age; SRRIP: its prediction; tree-PLRU: way m
    /// has the bit of the node whose right half begins at m.
    std::vector<std::uint16_t, LineAligned<std::uint16_t>> ranks_;
    std::vector<std::uint8_t, LineAligned<std::uint8_t>> flags_;
    std::vector<std::uint16_t> occupied_;
    std::vector<std::uint32_t> nextUse_;  ///< OPT: by way, the place of the next request
    std::shared_ptr<const NextRequests> future_;
};

}  // namespace whorl::sim
