// Sums up what a range of a run did to each cell of memory.
#include "sim/analysis/cell_table.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sim/analysis/pair_set.h"
#include "sim/analysis/sampled_replay.h"
#include "sim/base/containers.h"
#include "sim/cache/event.h"
#include "sim/replay/replay.h"
#include "sim/replay/totals/block_use.h"
#include "sim/replay/totals/ledger.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

namespace {

/// Observes a replay and sums up what it does to each cell of memory.
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

/// No counter of a part overflows within this many accesses.
constexpr std::uint64_t kMaxUnsettled = std::uint64_t{1} << 31;

constexpr unsigned kMaxShift = 63;

/// Whether an access did nothing but hit a block of the nearest level, which counts.
bool isSimpleHit(std::span<const Event> events) {
    if (events.size() != 1) return false;
    const Event& e = events.front();
    return e.kind == EventKind::hit && e.level == 0 && e.demand && e.counts();
}

/// All ids, by address.
std::vector<std::uint32_t> ranked(const BlockIds& ids) {
    std::vector<std::uint32_t> order(ids.size());
    std::iota(order.begin(), order.end(), std::uint32_t{0});
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return ids.block(a) < ids.block(b); });
    return order;
}

/// The place of each id in that order.
std::vector<std::uint32_t> placesOf(const std::vector<std::uint32_t>& order) {
    std::vector<std::uint32_t> places(order.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) places[order[i]] = i;
    return places;
}

std::uint32_t CellBuilder::RegionFinder::at(ByteAddress a) {
    const auto& regions = trace_.regions();
    if (last_ >= regions.size() || !regions[last_].contains(a)) last_ = trace_.regionAt(a);
    return static_cast<std::uint32_t>(last_);
}

std::uint32_t CellBuilder::RegionFinder::ofBlock(ByteAddress base, std::uint64_t size) {
    const std::uint32_t region = at(base);
    return region < trace_.regions().size() ? region : regionOfBlock(trace_, base, size);
}

CellBuilder::CellBuilder(const MachineConfig& machine, const Trace& trace, const CellRequest& request)
    : machine_(machine),
      trace_(trace),
      most_(std::max<std::size_t>(1, request.most)),
      shift_(static_cast<unsigned>(std::countr_zero(request.grain))),
      within_(machine.blockBytes() - std::uint64_t{1}),
      waysOfCache_(machine.levels.empty() ? 0 : machine.levels[0].blocks()),
      rows_(machine.levels.size()),
      byCell_(machine.levels.size(), RegionSets(trace.regions().size() + 1)),
      byBlock_(machine.levels.size(), {.ids = {}, .regions = RegionSets(trace.regions().size() + 1)}),
      accessed_(trace),
      evicted_(trace) {
    divide();
}

/// Divides the ways of the nearest level, all of them settled, into parts.
void CellBuilder::divide() {
    partsOfWay_ = std::max<std::uint64_t>(1, std::uint64_t{machine_.blockBytes()} >> shift_);
    const std::size_t caches = machine_.levels.empty() ? 0 : machine_.caches(0);
    parts_.assign(caches * waysOfCache_ * partsOfWay_, Part{});
}

void CellBuilder::begin(StayUseReader uses) {
    settleAll();
    uses_ = std::move(uses);
}

std::size_t CellBuilder::wayOf(const Event& e) const {
    return e.cache * waysOfCache_ + std::size_t{e.set.value} * machine_.levels[0].ways + e.way.value;
}

CellBuilder::CellId CellBuilder::cellOf(std::uint64_t cell) {
    if (cell == lastCell_ && lastId_ != BlockIds::kNone) return lastId_;
    lastCell_ = cell;
    lastId_ = ids_.of(BlockAddress{cell});
    if (lastId_ >= rows_.rows()) rows_.resize(lastId_ + std::size_t{1});
    return lastId_;
}

CellBuilder::CellId CellBuilder::cellAt(ByteAddress address) {
    return cellOf(address.value >> shift_);
}

void CellBuilder::settle(Part& part) {
    if (part.hits > 0) {
        rows_.add(part.cell, CellRows::kAccesses, part.hits);
        rows_.add(part.cell, CellRows::kWrites, part.writes);
        rows_.add(part.cell, CellRows::requests(0), part.hits);
    }
    part = {};
}

void CellBuilder::settleAll() {
    for (Part& part : parts_) settle(part);
    unsettled_ = 0;
}

void CellBuilder::take(const Batch& batch) {
    const std::span<const PackedAccess> accesses = batch.accesses;
    const std::span<const std::uint32_t> hits = batch.events.hits();
    const Event* e = batch.events.begin();
    const Event* const end = batch.events.end();
    unsettled_ += accesses.size();
    if (unsettled_ > kMaxUnsettled) settleAll();
    for (std::size_t i = 0; i < accesses.size(); ++i) {
        if (!hits.empty()) {
            i += takeHits(accesses.subspan(i), hits.subspan(i));
            if (i == accesses.size()) break;
        }
        const Event* const begin = e;
        while (e != end && e->access == i) ++e;
        const std::span<const Event> events(begin, e);
        if (accesses[i].unrecorded()) {
            takeUnrecorded(events);
        } else if (isSimpleHit(events)) {
            takeHit(wayOf(events.front()), accesses[i]);
        } else {
            takeAccess(accesses[i].unpack(), events);
        }
    }
    while (ids_.size() > most_ && shift_ < kMaxShift) widen();
}

/// Takes the leading accesses that only hit in the nearest level, as most do; returns their number.
std::size_t CellBuilder::takeHits(std::span<const PackedAccess> accesses, std::span<const std::uint32_t> hits) {
    std::size_t i = 0;
    for (; i < accesses.size() && hits[i] != EventList::kNoHit; ++i) takeHit(hits[i], accesses[i]);
    return i;
}

inline void CellBuilder::takeHit(std::size_t way, const PackedAccess& access) {
    Part& part = partOf(way, access.address());
    if (part.cell == BlockIds::kNone) [[unlikely]] {
        part.cell = cellAt(access.address());
    }
    ++part.hits;
    part.writes += access.isWrite() ? 1 : 0;
}

/// Unrecorded accesses are not counted, but may still bring another block into a way.
void CellBuilder::takeUnrecorded(std::span<const Event> events) {
    for (const Event& e : events) {
        if (e.kind == EventKind::fill && e.level == 0) takeFill(e, {.unrecorded = true});
    }
}

void CellBuilder::takeAccess(const Access& access, std::span<const Event> events) {
    const CellId cell = cellAt(access.address);
    RequestPath path;
    Cycles cost = 0;
    for (const Event& e : events) {
        cost += costOf(e, machine_);
        path.take(e);
        switch (e.kind) {
            case EventKind::hit:
            case EventKind::miss:
                takeRequest(e, e.demand ? cell : cellAt(baseOf(e)));
                break;
            case EventKind::fill:
                takeFill(e, access);
                break;
            case EventKind::eviction:
                takeEviction(e, access, cell);
                break;
            case EventKind::tlbMiss:
                rows_.add(cell, CellRows::kTlbMisses, 1);
                break;
            case EventKind::pageFault:
                rows_.add(cell, CellRows::kPageFaults, 1);
                break;
            default:
                break;
        }
    }
    const std::uint64_t counts = countOf(access, machine_);
    rows_.add(cell, CellRows::kAccesses, counts);
    rows_.add(cell, CellRows::kWrites, access.isWrite() ? counts : 0);
    rows_.add(cell, CellRows::kPenalty, penaltyOf(cost, access, machine_));
    if (path.servedBy() > 0) rows_.add(cell, CellRows::servedBeyond(path.servedBy() - 1), counts);
}

void CellBuilder::takeRequest(const Event& e, CellId cell) {
    if (!e.counts()) return;
    rows_.add(cell, CellRows::requests(e.level), 1);
    if (e.kind == EventKind::miss) rows_.add(cell, CellRows::misses(e.level), 1);
}

void CellBuilder::takeFill(const Event& e, const Access& access) {
    if (e.level == 0) {
        const std::size_t way = wayOf(e);
        for (std::size_t p = 0; p < partsOfWay_; ++p) settle(parts_[way * partsOfWay_ + p]);
    }
    if (access.unrecorded || !uses_->isKnown()) return;
    const ByteAddress base = baseOf(e);
    const bool isTouched = overlap(access.address, access.size, base, machine_.levels[e.level].block);
    const CellId cell = cellAt(isTouched ? std::max(access.address, base) : base);
    rows_.add(cell, CellRows::fills(e.level), 1);
    rows_.add(cell, CellRows::usedBytes(e.level), uses_->next(e.level));
}

void CellBuilder::takeEviction(const Event& e, const Access& access, CellId cell) {
    const ByteAddress base = baseOf(e);
    byCell_[e.level].add(cell, evicted_.ofBlock(base, machine_.levels[e.level].block));
    const std::uint32_t evictor = accessed_.at(access.address);
    if (isOfBlocks(e.level)) {
        byBlock_[e.level].regions.add(byBlock_[e.level].ids.of(e.block), evictor);
    } else {
        byCell_[e.level].add(cellAt(base), evictor);
    }
}

/// Doubles the size of the cells.
void CellBuilder::widen() {
    settleAll();
    ++shift_;
    const BlockIds old = std::exchange(ids_, {});
    const CellRows rows = std::exchange(rows_, CellRows(machine_.levels.size()));
    lastId_ = BlockIds::kNone;
    std::vector<CellId> places(old.size());
    for (CellId id = 0; id < places.size(); ++id) {
        places[id] = cellOf(old.block(id).value >> 1);
        rows_.add(places[id], rows, id);
    }
    for (std::size_t l = 0; l < machine_.levels.size(); ++l) {
        RegionSets sets(trace_.regions().size() + 1);
        byCell_[l].forEach([&](std::uint32_t cell, std::uint32_t region) { sets.add(places[cell], region); });
        if (!isOfBlocks(l)) {
            const Evicted& evicted = byBlock_[l];
            evicted.regions.forEach([&](std::uint32_t block, std::uint32_t region) {
                sets.add(cellAt(ByteAddress{evicted.ids.block(block).value * machine_.levels[l].block}), region);
            });
            byBlock_[l] = {.ids = {}, .regions = RegionSets(trace_.regions().size() + 1)};
        }
        byCell_[l] = std::move(sets);
    }
    divide();
}

CellTable::Parts::Blocks CellBuilder::sorted(const Evicted& evicted) {
    CellTable::Parts::Blocks out;
    const std::vector<std::uint32_t> order = ranked(evicted.ids);
    out.blocks.reserve(order.size());
    for (const std::uint32_t id : order) out.blocks.push_back(evicted.ids.block(id).value);
    out.regions = SortedRegionSets(evicted.regions, placesOf(order));
    return out;
}

CellTable CellBuilder::finish(Range range, double share) {
    settleAll();
    CellTable::Parts out{.range = range,
                         .grain = std::uint64_t{1} << shift_,
                         .share = share,
                         .levels = machine_.levels,
                         .regions = trace_.regions().size(),
                         .cells = {},
                         .rows = CellRows(machine_.levels.size()),
                         .byCell = {},
                         .byBlock = {}};
    const std::vector<CellId> order = ranked(ids_);
    out.cells.reserve(order.size());
    out.rows.resize(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        out.cells.push_back(ids_.block(order[i]).value);
        out.rows.add(i, rows_, order[i]);
    }
    const std::vector<std::uint32_t> places = placesOf(order);
    for (std::size_t l = 0; l < machine_.levels.size(); ++l) {
        out.byCell.emplace_back(byCell_[l], places);
        out.byBlock.push_back(sorted(byBlock_[l]));
    }
    return CellTable(std::move(out));
}

}  // namespace

std::shared_ptr<const CellTable> cellsOf(const Run& run, const CellRequest& request, Progress& progress) {
    const Sample sample = sampleOf(run, request.range, request.sample);
    progress.start(sample.played);
    CellBuilder builder(run.machine(), run.trace(), request);
    for (const Range piece : sample.pieces) {
        Run::Resumed from = run.resumeAt(piece.from);
        builder.begin(std::move(from.uses));
        if (!replay(run.trace(), from.machine, piece, builder, progress)) return nullptr;
    }
    return std::make_shared<const CellTable>(builder.finish(request.range, sample.share));
}

}  // namespace whorl::sim
