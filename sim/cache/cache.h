// One cache: sets of ways that hold blocks, and a replacement policy. It knows nothing of other levels. A block stays
// in its way while it is resident. A plain value: copying it is part of a checkpoint.
#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

#include "sim/base/types.h"
#include "sim/machine/machine_config.h"

namespace whorl::sim {

/// Maps blocks to the sets of a cache: the block's number modulo the number of sets. Where it is a power of two, as in
/// most caches, a set is selected by bits of the address; otherwise by multiplication with the reciprocal, which takes
/// a fraction of the time of a division.
class Sets {
  public:
    /// There must be at least one set.
    explicit Sets(std::uint32_t count)
        : count_(count),
          mask_(isPowerOfTwo(count) ? count - 1 : 0),
          reciprocal_(isPowerOfTwo(count) ? 0 : ~std::uint64_t{0} / count) {}
    Sets() : Sets(1) {}

    std::uint32_t count() const { return count_; }
    bool arePowerOfTwo() const { return reciprocal_ == 0; }

    std::uint32_t of(std::uint64_t block) const {
        if (reciprocal_ == 0) return static_cast<std::uint32_t>(block) & mask_;
        // The quotient is exact or one too small.
        const auto quotient = static_cast<std::uint64_t>(static_cast<Wide>(block) * reciprocal_ >> 64);
        const auto rest = static_cast<std::uint32_t>(block - quotient * count_);
        return rest >= count_ ? rest - count_ : rest;
    }
    /// The set of a block; the number of sets must be a power of two.
    std::uint32_t ofPowerOfTwo(std::uint64_t block) const { return static_cast<std::uint32_t>(block) & mask_; }

    /// The tag of a block, which distinguishes the blocks of a set: the block's number divided by the number of sets.
    std::uint64_t tagOf(std::uint64_t block) const {
        return reciprocal_ == 0 ? block >> std::bit_width(mask_) : block / count_;
    }
    std::uint64_t blockOf(std::uint64_t tag, std::uint32_t set) const { return tag * count_ + set; }

    bool operator==(const Sets&) const = default;

  private:
    __extension__ using Wide = unsigned __int128;

    std::uint32_t count_;
    std::uint32_t mask_;        ///< selects the lowest bits of a block's number; 0 if the count is no power of two
    std::uint64_t reciprocal_;  ///< 2^64 / count, rounded down; 0 if it is a power of two
};

/// The state of a way. `rank` is its position in the eviction order: 0 is evicted last, the highest rank of a full set
/// next. Ranks of the valid ways of a set are 0, 1, 2, … without gaps.
struct Line {
    bool valid = false;
    bool dirty = false;
    bool owned = false;       ///< exclusive or modified: no other cache has it, so it may be written without an upgrade
    bool prefetched = false;  ///< prefetched and not requested since
    std::uint16_t rank = 0;
    BlockAddress block;
};

/// For each request that a cache will get, in order: the index of the next request for the same block. Computed in
/// advance, for the OPT policy.
using NextRequests = std::vector<std::uint32_t>;

/// Allocates memory aligned to a cache line of the host, so that the tags of an 8-way set fill exactly one line.
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

/// The arrays of a cache, for the optimized loops: `ways` consecutive entries form a set.
struct RawCache {
    std::uint64_t* blocks;
    std::uint16_t* ranks;
    std::uint8_t* flags;
    std::uint16_t* occupied;
    Sets sets;
    std::uint32_t ways;
    std::uint32_t blockShift;
    Inclusion inclusion;
};

class Cache {
  public:
    static constexpr std::uint64_t kNoBlock = ~std::uint64_t{0};
    static constexpr std::uint32_t kNoWay = ~std::uint32_t{0};
    /// `last`: the block is the last byte of the address space, in a cache with blocks of one byte; its number is that
    /// of kNoBlock.
    enum Flag : std::uint8_t { dirty = 1, owned = 2, prefetched = 4, last = 8 };

    /// `index`: the cache's index within its level; it only seeds the random policy.
    Cache(const LevelConfig& config, std::uint32_t index);

    std::uint32_t sets() const { return sets_.count(); }
    std::uint32_t ways() const { return ways_; }
    std::uint32_t blockShift() const { return blockShift_; }
    Policy policy() const { return policy_; }

    BlockAddress blockOf(ByteAddress a) const { return BlockAddress{a.value >> blockShift_}; }
    ByteAddress addressOf(BlockAddress b) const { return ByteAddress{b.value << blockShift_}; }
    SetIndex setOf(BlockAddress b) const { return SetIndex{sets_.of(b.value)}; }

    /// The way that holds a block, or kNoWay. No side effects.
    std::uint32_t find(BlockAddress block) const {
        const std::size_t at = first(setOf(block));
        const std::uint64_t* number = &blocks_[at];
        for (std::uint32_t w = 0; w < ways_; ++w) {
            if (number[w] == block.value && (block.value != kNoBlock || !isFree(at + w))) return w;
        }
        return kNoWay;
    }
    bool holds(BlockAddress block) const { return find(block) != kNoWay; }

    bool isFull(SetIndex set) const { return occupied_[set.value] == ways_; }
    /// The lowest free way of a set, which must have one.
    WayIndex freeWay(SetIndex set) const;
    /// The way of a full set to evict. With the random policy each call draws a new way; SRRIP ages the set.
    WayIndex chooseVictim(SetIndex set);

    /// Updates the policy state for a hit in this way.
    void use(SetIndex set, WayIndex way);
    /// Fills a free way with a block, with all flags clear.
    void fill(SetIndex set, WayIndex way, BlockAddress block);
    /// Removes the block from a way.
    void remove(SetIndex set, WayIndex way);
    /// Counts a request; to be called before its hit or miss, and only for OPT.
    void nextRequest() { ++requests_; }
    /// Sets the request sequence for OPT; see futureOf.
    void setFuture(std::shared_ptr<const NextRequests> future) { future_ = std::move(future); }

    bool has(SetIndex set, WayIndex way, Flag flag) const { return (flags_[first(set) + way.value] & flag) != 0; }
    void set(SetIndex set, WayIndex way, Flag flag) { flags_[first(set) + way.value] |= flag; }
    void clear(SetIndex set, WayIndex way, Flag flag) {
        flags_[first(set) + way.value] &= static_cast<std::uint8_t>(~flag);
    }
    /// Whether a way holds a block.
    bool isValid(SetIndex set, WayIndex way) const { return !isFree(first(set) + way.value); }
    /// The block in a way that holds one.
    BlockAddress blockIn(SetIndex set, WayIndex way) const { return BlockAddress{blocks_[first(set) + way.value]}; }

    Line line(SetIndex set, WayIndex way) const;
    /// The lines of a set, by way.
    std::vector<Line> lines(SetIndex set) const;
    /// The eviction rank of each way of a set; meaningful for valid ways only. No side effects.
    std::vector<std::uint16_t> ranks(SetIndex set) const;
    /// What the policy stores of a way: its rank for LRU, MRU and FIFO (0: used, or filled, last); its prediction for
    /// SRRIP; for tree-PLRU the bit of the node whose right half begins there (1: the next victim is in that half).
    std::uint16_t policyState(SetIndex set, WayIndex way) const { return ranks_[first(set) + way.value]; }
    /// The number of valid ways of a set.
    std::uint32_t occupied(SetIndex set) const { return occupied_[set.value]; }

    /// Whether the sets from one up to another have the same content and policy state, way by way, as in another cache
    /// of the same geometry.
    bool hasSameSets(const Cache& other, SetIndex from, SetIndex to) const;
    /// Copies a set's content and policy state from another cache of the same geometry.
    void copySetFrom(const Cache& other, SetIndex set);

    RawCache raw(Inclusion inclusion) {
        return {blocks_.data(), ranks_.data(), flags_.data(), occupied_.data(), sets_, ways_, blockShift_, inclusion};
    }
    /// Memory used by a copy, in bytes.
    std::size_t bytes() const;

    bool operator==(const Cache&) const = default;

  private:
    friend class CachePatch;
    friend class StoredState;

    /// Padding behind the arrays, so that SIMD loads may read beyond the last set.
    static constexpr std::size_t kMargin = 16;

    std::size_t first(SetIndex set) const { return std::size_t{set.value} * ways_; }
    bool isFree(std::size_t slot) const { return blocks_[slot] == kNoBlock && (flags_[slot] & last) == 0; }
    bool keepsRanks() const { return rowOf(policy_).order != PolicyRow::Order::derived; }
    void bringToFront(SetIndex set, WayIndex way);
    void pointAway(SetIndex set, WayIndex way);
    WayIndex pointedAt(SetIndex set) const;

    Sets sets_;
    std::uint32_t ways_;
    std::uint32_t blockShift_;
    Policy policy_;
    std::uint64_t random_;        ///< state of the random policy's generator
    std::uint64_t requests_ = 0;  ///< requests so far
    std::vector<std::uint64_t, LineAligned<std::uint64_t>> blocks_;
    /// The policy's state by way. LRU, MRU: recency; FIFO: age; SRRIP: prediction; tree-PLRU: way m holds the bit of
    /// the node whose right half begins at m.
    std::vector<std::uint16_t, LineAligned<std::uint16_t>> ranks_;
    std::vector<std::uint8_t, LineAligned<std::uint8_t>> flags_;
    std::vector<std::uint16_t> occupied_;
    std::vector<std::uint32_t> nextUse_;  ///< OPT: by way, the index of the next request
    std::shared_ptr<const NextRequests> future_;
};

}  // namespace whorl::sim
