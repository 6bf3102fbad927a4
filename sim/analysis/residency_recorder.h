// Records every stay of a block in the caches of a machine as it is replayed.
#pragma once

#include <deque>
#include <span>
#include <vector>

#include "sim/analysis/cost_table.h"
#include "sim/analysis/residency_log.h"
#include "sim/cache/hierarchy.h"

namespace whorl::sim {

class ResidencyRecorder {
  public:
    ResidencyRecorder(const MachineConfig& machine, const HistoryBudget& budget);

    /// Takes an access before the history begins, to learn which accesses filled the blocks that are resident then. A
    /// block without a known access counts as filled by the first CPU of its cache, for its first byte.
    void lead(const PackedAccess& access, std::span<const Event> events);
    /// Opens the stays of the blocks that are resident when the history begins.
    void begin(const Hierarchy& hierarchy);

    /// A played access.
    struct Played {
        Tick tick;
        Cycles at;
        Cycles cost;
        Access access;
        CostTable::Whose whose;
    };
    /// Takes an access with all its events; `hierarchy` is the state after them.
    void take(const Played& played, std::span<const Event> events, const Hierarchy& hierarchy);
    /// Adds the cost of an access to the blocks in which it begins.
    void add(ByteAddress address, const Cost& cost) {
        for (BlockCosts& blocks : blocks_) blocks.costs[blocks.idAt(address)] += cost;
    }

    /// Whether the range must be played again, after startAgain(), because there was no room for all stays.
    bool isOver() const;
    void startAgain();
    void finish(History& history, const CostTable::Places& places);

  private:
    struct Touched {
        std::size_t level;
        std::uint32_t cache;
        SetIndex set;
        WayIndex way;
    };
    struct Block {
        std::size_t level;
        std::uint32_t cache;
        BlockAddress block;
    };
    /// A range of bytes that a prefetch requests.
    struct Sought {
        std::uint64_t first = 1;
        std::uint64_t last = 0;
    };

    /// The access that filled a slot before the history began.
    struct Filler {
        ByteAddress address;
        std::uint8_t cpu = 0;
        bool isKnown = false;
    };

    ByteAddress requestedIn(const Event& e, ByteAddress address, std::uint32_t bytes) const;
    void takeFill(const Event& e);
    void takeLeaving(const Event& e, Leaving leaving);
    void lookAtTouched(const Hierarchy& hierarchy);
    Holding holdingIn(const Cache& cache, const Touched& touched) const;
    ResidencyLog::Slot slotOf(std::size_t level, std::uint32_t cache, SetIndex set, WayIndex way) const {
        return (std::size_t{cache} * machine_.levels[level].sets() + set.value) * machine_.levels[level].ways +
               way.value;
    }
    ResidencyLog::Slot slotOf(const Event& e) const { return slotOf(e.level, e.cache, e.set, e.way); }

    const MachineConfig& machine_;
    std::deque<BlockCosts> blocks_;      ///< one for each size of blocks
    std::vector<BlockCosts*> blocksOf_;  ///< by level
    std::vector<ResidencyLog> logs_;
    std::vector<std::vector<Filler>> fillers_;  ///< by level, then slot
    std::vector<std::size_t> first_;            ///< by level: number of its first cache
    /// By cache: the stay that was ended to make room for the next block.
    std::vector<std::uint32_t> replaced_;
    Played now_;
    Sought sought_;
    std::vector<Touched> touched_;
    std::vector<Block> castOut_;  ///< blocks evicted to an exclusive level
};

}  // namespace whorl::sim
