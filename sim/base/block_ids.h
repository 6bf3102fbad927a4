// Consecutive ids for block addresses, in order of first use, so that data about blocks can be kept in plain arrays
// indexed by id.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/types.h"

namespace whorl::sim {

/// An open-addressing hash table of pages of 64 blocks. Neighbouring blocks are used together, so their ids share a
/// page.
class BlockIds {
  public:
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};

    /// The id of a block; assigns the next id if the block is new.
    std::uint32_t of(BlockAddress block) {
        const std::uint64_t page = block.value / kPage;
        std::size_t at = slotOf(page);
        while (slots_[at].place != kNone && slots_[at].page != page) at = (at + 1) & (slots_.size() - 1);
        if (slots_[at].place == kNone) [[unlikely]] {
            at = addPage(page, at);
        }
        std::uint32_t& id = ids_[slots_[at].place * kPage + block.value % kPage];
        if (id == kNone) [[unlikely]] {
            id = static_cast<std::uint32_t>(blocks_.size());
            blocks_.push_back(block);
        }
        return id;
    }
    /// The id of a block, or kNone if it has none.
    std::uint32_t find(BlockAddress block) const {
        const std::uint64_t page = block.value / kPage;
        std::size_t at = slotOf(page);
        while (slots_[at].place != kNone && slots_[at].page != page) at = (at + 1) & (slots_.size() - 1);
        return slots_[at].place == kNone ? kNone : ids_[slots_[at].place * kPage + block.value % kPage];
    }
    std::size_t size() const { return blocks_.size(); }
    BlockAddress block(std::uint32_t id) const { return blocks_[id]; }

  private:
    static constexpr std::size_t kPage = 64;

    struct Slot {
        std::uint64_t page = 0;
        std::uint32_t place = kNone;
    };

    /// Fibonacci hashing (Knuth, The Art of Computer Programming 3, 6.4).
    std::size_t slotOf(std::uint64_t page) const { return page * 0x9e3779b97f4a7c15 >> shift_; }
    std::size_t emptySlotFor(std::uint64_t page) const {
        std::size_t at = slotOf(page);
        while (slots_[at].place != kNone) at = (at + 1) & (slots_.size() - 1);
        return at;
    }
    /// Inserts a page at the empty slot `at`. Returns its slot, which differs from `at` if the table has grown.
    std::size_t addPage(std::uint64_t page, std::size_t at) {
        const auto place = static_cast<std::uint32_t>(ids_.size() / kPage);
        ids_.resize(ids_.size() + kPage, kNone);
        if (std::size_t{2} * (place + 1) > slots_.size()) {
            grow();
            at = emptySlotFor(page);
        }
        slots_[at] = {page, place};
        return at;
    }
    void grow() {
        --shift_;
        std::vector<Slot> old(2 * slots_.size());
        old.swap(slots_);
        for (const Slot& slot : old) {
            if (slot.place != kNone) slots_[emptySlotFor(slot.page)] = slot;
        }
    }

    unsigned shift_ = 58;  ///< 64 minus log2 of the number of slots
    std::vector<Slot> slots_ = std::vector<Slot>(64);
    std::vector<std::uint32_t> ids_;    ///< page by page
    std::vector<BlockAddress> blocks_;  ///< by id
};

}  // namespace whorl::sim
