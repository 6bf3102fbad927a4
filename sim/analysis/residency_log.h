// Logs the stays in the caches of one level: they are opened, changed and closed in the order of the events of a
// simulation or a recording. The result is a HistoryLevel, in its storage order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/analysis/history.h"
#include "sim/base/containers.h"

namespace whorl::sim {

/// The maximum size of a history.
struct HistoryBudget {
    std::size_t stays = std::size_t{1} << 22;    ///< per level; one takes some 25 bytes
    std::size_t changes = std::size_t{1} << 22;  ///< per level; one takes some 13 bytes
    std::size_t words = std::size_t{1} << 22;
};

/// The blocks of one size, numbered in order of first use, with the cost of the accesses to them.
struct BlockCosts {
    explicit BlockCosts(std::uint32_t blockSize);

    std::uint32_t idAt(ByteAddress a) { return of(BlockAddress{a.value >> shift}); }
    std::uint32_t of(BlockAddress block) {
        const std::uint32_t id = ids.of(block);
        if (id == costs.size()) costs.emplace_back();
        return id;
    }
    /// Numbers of blocks by address, and the position of each number in that order.
    std::vector<std::uint32_t> byAddress() const;

    std::uint32_t size;
    unsigned shift;
    BlockIds ids;
    std::vector<Cost> costs;  ///< by number
};

class ResidencyLog {
  public:
    /// A slot is where a block is: any number that distinguishes it from the others in the level at the same time.
    using Slot = std::size_t;

    ResidencyLog(BlockCosts& blocks, const HistoryBudget& budget) : blocks_(&blocks), budget_(budget) {}

    /// A block is filled into a slot, which must be empty. The stay refers to its block by number; the final index is
    /// not known yet.
    void open(Slot slot, const Stay& stay);
    /// The block in a slot leaves it. Returns the number of the stay, or kNone when it is not kept.
    std::uint32_t close(Slot slot, Leaving leaving, Tick tick, Cycles at, std::uint8_t cpu, bool dirty);
    /// Sets how the block in a slot is held from now on; no effect if unchanged. The first call after `open` sets the
    /// initial state.
    void hold(Slot slot, Holding holding, Tick tick, Cycles at) {
        const Held held = heldAs(holding);
        if (slot >= slots_.size() || slots_[slot].held == Held::nothing || slots_[slot].held == held) return;
        change(slot, holding, tick, at);
    }
    /// Empty while the state of the block in a slot is unknown, or the slot is empty.
    std::optional<Holding> holding(Slot slot) const;
    bool isOpen(Slot slot) const { return slot < slots_.size() && slots_[slot].held != Held::nothing; }
    /// Records that `block` replaced the block of a stay, given by its number; no effect for kNone, or if there has
    /// been no room since.
    void replacedBy(std::uint32_t stay, std::uint32_t block) {
        if (stay < stays_.size()) stays_.setBy(stay, block);
    }

    /// Whether there were more stays than there is room for: all must be logged again, after startAgain().
    bool isOver() const { return counting_; }
    /// Discards all stays; from then on keeps only those of the most expensive blocks.
    void startAgain();

    /// Moves everything that was logged into `level`. `sources` and `objects` map the numbers in the stays to their
    /// final values; `begin` and `end` are those of the history.
    void finish(HistoryLevel& level, const std::vector<std::uint32_t>& sources,
                const std::vector<std::uint32_t>& objects, Cycles begin, Cycles end);

  private:
    enum class Held : std::uint8_t { nothing, unknown, shared, exclusive, modified };
    struct Open {
        std::uint32_t stay = Stay::kNone;
        Held held = Held::nothing;
    };

    static Held heldAs(Holding holding) { return static_cast<Held>(static_cast<int>(holding) + 2); }
    void change(Slot slot, Holding holding, Tick tick, Cycles at);
    bool mayKeep(std::uint32_t block);
    void putInOrder(HistoryLevel& level, const std::vector<std::uint32_t>& sources,
                    const std::vector<std::uint32_t>& objects);
    void sortChanges(HistoryLevel& level, const std::vector<std::uint32_t>& placeOfStay);
    static void straighten(HistoryLevel& level, Cycles begin, Cycles end);

    BlockCosts* blocks_;
    HistoryBudget budget_;
    std::vector<Open> slots_;
    StayList stays_;  ///< in the order in which they began
    ChangeList changes_;
    std::uint64_t changesLeftOut_ = 0;
    std::uint64_t leftOut_ = 0;
    bool counting_ = false;               ///< out of room: stays are only counted
    std::vector<std::uint32_t> count_;    ///< number of stays, by block
    bool chosen_ = false;                 ///< `allowed_` is in effect
    std::vector<std::uint32_t> allowed_;  ///< how many more stays of each block are kept
};

}  // namespace whorl::sim
