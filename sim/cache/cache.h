// One cache: sets of ways that hold blocks. It knows places and order, not what lies behind it; blocks stay in their
// way while they are resident, and the order of eviction is kept beside them.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/machine/machine_config.h"
#include "sim/types.h"

namespace whorl::sim {

/// A way as it stands. `rank` is its place in the order of eviction: 0 is evicted last (under LRU the most recently
/// used), the highest rank of a full set next. Ranks of the valid ways of a set are 0, 1, 2, … without gaps.
struct Line {
    bool valid = false;
    bool dirty = false;
    std::uint16_t rank = 0;
    BlockAddress block;
};

class Cache {
  public:
    explicit Cache(const LevelConfig& config);

    std::uint32_t sets() const { return setMask_ + 1; }
    std::uint32_t ways() const { return ways_; }
    unsigned blockShift() const { return blockShift_; }

    BlockAddress blockOf(ByteAddress a) const { return BlockAddress{a.value >> blockShift_}; }
    ByteAddress addressOf(BlockAddress b) const { return ByteAddress{b.value << blockShift_}; }
    SetIndex setOf(BlockAddress b) const { return SetIndex{static_cast<std::uint32_t>(b.value) & setMask_}; }

    static constexpr std::uint32_t kNoWay = ~std::uint32_t{0};

    /// The way that holds a block, or kNoWay. Changes nothing.
    std::uint32_t find(BlockAddress block) const {
        const std::uint64_t* tag = &blocks_[first(setOf(block))];
        for (std::uint32_t w = 0; w < ways_; ++w) {
            if (tag[w] == block.value) return w;
        }
        return kNoWay;
    }

    /// The way that the next new block of a set will take: an invalid one first, else the next victim. Changes nothing.
    WayIndex nextWay(SetIndex set) const;

    /// The block in this way was used: it becomes the last to be evicted.
    void touch(SetIndex set, WayIndex way);
    void markDirty(SetIndex set, WayIndex way) { state_[first(set) + way.value] |= kDirty; }
    /// Puts a clean block into a way, in place of what was there, as the last to be evicted.
    void fill(SetIndex set, WayIndex way, BlockAddress block);

    Line line(SetIndex set, WayIndex way) const {
        const std::size_t i = first(set) + way.value;
        return {.valid = blocks_[i] != kNoBlock,
                .dirty = (state_[i] & kDirty) != 0,
                .rank = ranks_[i],
                .block = BlockAddress{blocks_[i]}};
    }
    /// The ranks of all ways of a set; only those of valid ways have a meaning.
    const std::uint16_t* ranks(SetIndex set) const { return &ranks_[first(set)]; }
    /// How many ways of a set hold a block.
    std::uint32_t occupied(SetIndex set) const { return occupied_[set.value]; }

    bool operator==(const Cache&) const = default;

  private:
    static constexpr std::uint64_t kNoBlock = ~std::uint64_t{0};
    static constexpr std::uint8_t kDirty = 1;

    std::size_t first(SetIndex set) const { return std::size_t{set.value} * ways_; }

    std::uint32_t setMask_;
    std::uint32_t ways_;
    unsigned blockShift_;
    std::vector<std::uint64_t> blocks_;
    std::vector<std::uint16_t> ranks_;
    std::vector<std::uint8_t> state_;
    std::vector<std::uint16_t> occupied_;
};

}  // namespace whorl::sim
