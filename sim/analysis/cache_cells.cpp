#include "sim/analysis/cache_cells.h"

#include <cmath>
#include <span>
#include <utility>

#include "sim/analysis/miss_fills.h"
#include "sim/analysis/pair_set.h"
#include "sim/analysis/sampled_replay.h"
#include "sim/base/containers.h"
#include "sim/replay/replay.h"

namespace whorl::sim {

namespace {

void scaleUp(CacheCellSums& sums, double share) {
    for (std::uint64_t* const sum : {&sums.hits, &sums.misses, &sums.evictions, &sums.writebacks, &sums.penalty}) {
        *sum = static_cast<std::uint64_t>(std::llround(static_cast<double>(*sum) / share));
    }
}

class CacheCellBuilder final : public Observer {
  public:
    CacheCellBuilder(const MachineConfig& machine, std::size_t level)
        : machine_(machine),
          level_(level),
          of_(machine.levels[level]),
          cells_(machine.caches(level) * of_.blocks()),
          unplaced_(std::size_t{machine.caches(level)} * of_.sets()),
          fills_(of_) {}

    /// Starts a piece of the range: records the blocks that the caches already hold.
    void begin(const Hierarchy& hierarchy) {
        for (std::uint32_t c = 0; c < machine_.caches(level_); ++c) {
            const Cache& cache = hierarchy.cache(level_, c);
            for (std::uint32_t s = 0; s < cache.sets(); ++s) {
                for (std::uint32_t w = 0; w < cache.ways(); ++w) {
                    if (!cache.isValid(SetIndex{s}, WayIndex{w})) continue;
                    lived(cellAt(c, s, w), cache.blockIn(SetIndex{s}, WayIndex{w}));
                }
            }
        }
    }

    Wants wants() const override { return Wants::hitsApart; }
    void take(const Batch& batch) override {
        const std::span<const std::uint32_t> ways = batch.events.hits();
        batch.forEachApart(
            [&](std::size_t i) {
                if (level_ == 0) ++cells_[ways[i]].hits;
            },
            [&](Tick, const PackedAccess& access, std::span<const Event> events) {
                takeAccess(access.unpack(), events);
            });
    }

    CacheCellTable finish(Range range, double share) {
        std::vector<std::uint64_t> inSets(unplaced_.size(), 0);
        PairSet ofSets;
        lived_.forEach([&](std::uint32_t cell, std::uint32_t block) {
            ++cells_[cell].distinctBlocks;
            ofSets.add(cell / of_.ways, block);
        });
        ofSets.forEach([&](std::uint32_t set, std::uint32_t) { ++inSets[set]; });
        return {range, level_, machine_, share, std::move(cells_), std::move(unplaced_), std::move(inSets)};
    }

  private:
    void takeAccess(const Access& access, std::span<const Event> events);
    void takeMiss(const Event& e);
    void takeFill(const Event& e, bool counts);
    void count(const Event& miss, CacheCellSums& to);
    std::size_t cellAt(std::size_t cache, std::size_t set, std::size_t way) const {
        return (cache * of_.sets() + set) * of_.ways + way;
    }
    std::size_t cellOf(const Event& e) const { return cellAt(e.cache, e.set.value, e.way.value); }
    std::size_t setOf(const Event& e) const { return std::size_t{e.cache} * of_.sets() + e.set.value; }
    void lived(std::size_t cell, BlockAddress block) {
        lived_.add(static_cast<std::uint32_t>(cell), blocks_.of(block));
    }

    const MachineConfig& machine_;
    std::size_t level_;
    const LevelConfig& of_;
    std::vector<CacheCellSums> cells_;
    std::vector<CacheCellSums> unplaced_;
    BlockIds blocks_;
    PairSet lived_;  ///< which block was in which cell
    // State of the access being taken.
    MissFills fills_;
    bool isCharged_ = false;              ///< a request of its own has missed in this level
    CacheCellSums* penalized_ = nullptr;  ///< the sums that get the penalty of the access; null: none
};

void CacheCellBuilder::takeAccess(const Access& access, std::span<const Event> events) {
    const bool counts = !access.unrecorded;
    Cycles cost = 0;
    fills_.begin();
    isCharged_ = false;
    penalized_ = nullptr;
    for (const Event& e : events) {
        cost += costOf(e, machine_);
        if (e.level != level_) continue;
        if (e.kind == EventKind::fill) takeFill(e, counts);
        if (!counts) continue;
        if (e.kind == EventKind::hit && e.counts()) ++cells_[cellOf(e)].hits;
        if (e.kind == EventKind::miss) takeMiss(e);
        if (e.kind == EventKind::eviction) ++cells_[cellOf(e)].evictions;
        if (e.kind == EventKind::writeback) ++cells_[cellOf(e)].writebacks;
    }
    if (penalized_ != nullptr) penalized_->penalty += penaltyOf(cost, access, machine_);
}

void CacheCellBuilder::takeMiss(const Event& e) {
    if (!fills_.take(e)) count(e, unplaced_[setOf(e)]);
}

void CacheCellBuilder::takeFill(const Event& e, bool counts) {
    const std::size_t cell = cellOf(e);
    lived(cell, e.block);
    if (!counts) return;
    if (const auto miss = fills_.missOf(e)) count(*miss, cells_[cell]);
}

/// Counts a miss in `to`, the sums of a cell or the unplaced ones of a set.
void CacheCellBuilder::count(const Event& miss, CacheCellSums& to) {
    if (!miss.counts()) return;
    ++to.misses;
    if (!miss.demand || isCharged_) return;
    isCharged_ = true;
    penalized_ = &to;
}

}  // namespace

CacheCellSums& CacheCellSums::operator+=(const CacheCellSums& more) {
    hits += more.hits;
    misses += more.misses;
    evictions += more.evictions;
    writebacks += more.writebacks;
    distinctBlocks += more.distinctBlocks;
    penalty += more.penalty;
    return *this;
}

CacheCellTable::CacheCellTable(Range range, std::size_t level, const MachineConfig& machine, double share,
                               std::vector<CacheCellSums> ways, std::vector<CacheCellSums> unplaced,
                               std::vector<std::uint64_t> inSets)
    : range_(range),
      level_(level),
      caches_(machine.caches(level)),
      sets_(machine.levels[level].sets()),
      ways_(machine.levels[level].ways),
      share_(share),
      cells_(std::move(ways)),
      unplaced_(std::move(unplaced)),
      inSets_(std::move(inSets)) {
    if (share_ == 1) return;
    for (CacheCellSums& sums : cells_) scaleUp(sums, share_);
    for (CacheCellSums& sums : unplaced_) scaleUp(sums, share_);
}

CacheCellSums CacheCellTable::ofSet(std::uint32_t cache, SetIndex set) const {
    CacheCellSums sum = unplaced(cache, set);
    for (std::uint32_t w = 0; w < ways_; ++w) sum += at(cache, set, WayIndex{w});
    sum.distinctBlocks = inSets_[setAt(cache, set)];
    return sum;
}

std::size_t CacheCellTable::bytes() const {
    return sizeof *this + (cells_.capacity() + unplaced_.capacity()) * sizeof(CacheCellSums) +
           inSets_.capacity() * sizeof inSets_[0];
}

std::shared_ptr<const CacheCellTable> cacheCellsOf(const Run& run, const CacheCellRequest& request,
                                                   Progress& progress) {
    const Sample sample = sampleOf(run, request.range, request.sample);
    progress.start(sample.played);
    CacheCellBuilder builder(run.machine(), request.level);
    for (const Range piece : sample.pieces) {
        Simulator machine = run.stateAt(piece.from);
        builder.begin(machine.hierarchy());
        if (!replay(run.trace(), machine, piece, builder, progress)) return nullptr;
    }
    return std::make_shared<const CacheCellTable>(builder.finish(request.range, sample.share));
}

}  // namespace whorl::sim
