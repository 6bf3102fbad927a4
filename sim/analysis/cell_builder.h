// Observes a replay and sums up what it does to each cell of memory. For the source of cell tables only.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/analysis/cell_table.h"
#include "sim/analysis/pair_set.h"
#include "sim/base/block_ids.h"
#include "sim/cache/event.h"
#include "sim/replay/replay.h"
#include "sim/replay/totals/stay_uses.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

class CellBuilder final : public Observer {
  public:
    /// The trace and the machine must outlive this.
    CellBuilder(const MachineConfig& machine, const Trace& trace, const CellRequest& request);

    /// Starts a piece of the range at another tick; `uses` gives the use of the blocks filled from there on.
    void begin(StayUseReader uses);
    Wants wants() const override { return Wants::hitsApart; }
    void take(const Batch& batch) override;

    /// The table of everything taken, which is a share of the range.
    CellTable finish(Range range, double share);

  private:
    using CellId = std::uint32_t;

    /// The accesses to a part of a way of the nearest level that only hit there since the block was filled. A part is a
    /// cell, or the whole way where cells are larger.
    struct Part {
        CellId cell = BlockIds::kNone;  ///< none until the first such access
        std::uint32_t hits = 0;
        std::uint32_t writes = 0;
    };
    /// The regions whose accesses evicted blocks, for a level whose blocks are larger than cells.
    struct Evicted {
        BlockIds ids;
        RegionSets regions;
    };
    /// Finds the region of an address; fast if it is the region found last.
    class RegionFinder {
      public:
        explicit RegionFinder(const Trace& trace) : trace_(trace) {}
        std::uint32_t at(ByteAddress a);
        std::uint32_t ofBlock(ByteAddress base, std::uint64_t size);

      private:
        const Trace& trace_;
        std::size_t last_ = 0;
    };

    std::size_t takeHits(std::span<const PackedAccess> accesses, std::span<const std::uint32_t> hits);
    void takeHit(std::size_t way, const PackedAccess& access);
    void takeAccess(const Access& access, std::span<const Event> events);
    void takeUnrecorded(std::span<const Event> events);
    void takeRequest(const Event& e, CellId cell);
    void takeFill(const Event& e, const Access& access);
    void takeEviction(const Event& e, const Access& access, CellId cell);
    CellId cellAt(ByteAddress address);
    CellId cellOf(std::uint64_t cell);
    ByteAddress baseOf(const Event& e) const { return ByteAddress{e.block.value * machine_.levels[e.level].block}; }
    std::size_t wayOf(const Event& e) const;
    Part& partOf(std::size_t way, ByteAddress address) {
        return parts_[way * partsOfWay_ + ((address.value & within_) >> shift_)];
    }
    void settle(Part& part);
    void settleAll();
    void divide();
    void widen();
    bool isOfBlocks(std::size_t level) const { return std::uint64_t{machine_.levels[level].block} >> shift_ > 1; }
    static CellTable::Parts::Blocks sorted(const Evicted& evicted);

    const MachineConfig& machine_;
    const Trace& trace_;
    std::size_t most_;         ///< cells
    unsigned shift_;           ///< log2 of the bytes of a cell
    std::uint64_t within_;     ///< masks the position in a block of the nearest level
    std::size_t waysOfCache_;  ///< ways of all sets of a cache of the nearest level
    std::size_t partsOfWay_ = 1;
    std::vector<Part> parts_;      ///< by cache of the nearest level, way and position
    std::uint64_t unsettled_ = 0;  ///< upper bound of the accesses counted in parts
    BlockIds ids_;                 ///< ids of the cells
    std::uint64_t lastCell_ = 0;   ///< the cell looked up last
    CellId lastId_ = BlockIds::kNone;
    CellRows rows_;                   ///< by id
    std::vector<RegionSets> byCell_;  ///< by level, by id
    std::vector<Evicted> byBlock_;    ///< by level; used where blocks are larger than cells
    std::optional<StayUseReader> uses_;
    RegionFinder accessed_;
    RegionFinder evicted_;
};

}  // namespace whorl::sim
