// Numbers for blocks in the order in which they are first met: what is known of each block then lies in plain arrays.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/types.h"

namespace whorl::sim {

class BlockIds {
  public:
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};

    /// The number of a block; a new one if it was not met before.
    std::uint32_t of(BlockAddress block) {
        // A miss goes through several hands, and each asks anew.
        if (last_.block == block && last_.id != kNone) return last_.id;
        std::size_t at = slotOf(block);
        while (slots_[at].id != kNone && slots_[at].block != block) at = (at + 1) & (slots_.size() - 1);
        if (slots_[at].id == kNone) {
            slots_[at] = {block, static_cast<std::uint32_t>(blocks_.size())};
            blocks_.push_back(block);
            last_ = slots_[at];
            if (2 * blocks_.size() > slots_.size()) grow();
            return last_.id;
        }
        last_ = slots_[at];
        return last_.id;
    }
    /// The number of a block, or kNone.
    std::uint32_t find(BlockAddress block) const {
        std::size_t at = slotOf(block);
        while (slots_[at].id != kNone && slots_[at].block != block) at = (at + 1) & (slots_.size() - 1);
        return slots_[at].id;
    }
    std::size_t size() const { return blocks_.size(); }
    BlockAddress block(std::uint32_t id) const { return blocks_[id]; }

  private:
    struct Slot {
        BlockAddress block;
        std::uint32_t id = kNone;
    };

    /// Fibonacci hashing (Knuth, The Art of Computer Programming 3, 6.4).
    std::size_t slotOf(BlockAddress block) const { return block.value * 0x9e3779b97f4a7c15 >> shift_; }
    void grow() {
        --shift_;
        std::vector<Slot> old(2 * slots_.size());
        old.swap(slots_);
        for (const Slot& slot : old) {
            if (slot.id == kNone) continue;
            std::size_t at = slotOf(slot.block);
            while (slots_[at].id != kNone) at = (at + 1) & (slots_.size() - 1);
            slots_[at] = slot;
        }
    }

    unsigned shift_ = 54;  ///< 64 less the bits of the number of slots
    std::vector<Slot> slots_ = std::vector<Slot>(1024);
    std::vector<BlockAddress> blocks_;  ///< by id
    Slot last_;
};

}  // namespace whorl::sim
