#include "sim/analysis/history_of.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "sim/analysis/cost_table.h"
#include "sim/analysis/residency_log.h"
#include "sim/cache/hierarchy.h"
#include "sim/replay/clock.h"
#include "sim/replay/measures.h"
#include "sim/replay/replay.h"

namespace whorl::sim {

namespace {

/// Records every stay of a block in the caches of a machine as it is replayed.
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

/// Why a block that is invalidated leaves.
Leaving leavingFor(Cause cause) {
    switch (cause) {
        case Cause::inclusion:
            return Leaving::included;
        case Cause::paging:
            return Leaving::paged;
        case Cause::coherence:
            break;
    }
    return Leaving::invalidated;
}

ResidencyRecorder::ResidencyRecorder(const MachineConfig& machine, const HistoryBudget& budget) : machine_(machine) {
    std::size_t caches = 0;
    for (std::size_t l = 0; l < machine.levels.size(); ++l) {
        const std::uint32_t size = machine.levels[l].block;
        const auto same =
            std::find_if(blocks_.begin(), blocks_.end(), [&](const BlockCosts& b) { return b.size == size; });
        blocksOf_.push_back(same != blocks_.end() ? &*same : &blocks_.emplace_back(size));
        logs_.emplace_back(*blocksOf_.back(), budget);
        first_.push_back(caches);
        caches += machine.caches(l);
    }
    replaced_.assign(caches, Stay::kNone);
}

void ResidencyRecorder::lead(const PackedAccess& access, std::span<const Event> events) {
    for (const Event& e : events) {
        if (e.kind != EventKind::fill) continue;
        fillers_.resize(logs_.size());
        std::vector<Filler>& fillers = fillers_[e.level];
        const ResidencyLog::Slot slot = slotOf(e);
        if (slot >= fillers.size()) fillers.resize(slot + 1);
        fillers[slot] = {requestedIn(e, access.address(), access.size()), static_cast<std::uint8_t>(access.cpu()),
                         true};
    }
}

void ResidencyRecorder::begin(const Hierarchy& hierarchy) {
    for (std::size_t l = 0; l < logs_.size(); ++l) {
        for (std::uint32_t i = 0; i < machine_.caches(l); ++i) {
            const Cache& cache = hierarchy.cache(l, i);
            for (std::uint32_t place = 0; place < cache.sets() * cache.ways(); ++place) {
                const Touched at{l, i, SetIndex{place / cache.ways()}, WayIndex{place % cache.ways()}};
                if (!cache.isValid(at.set, at.way)) continue;
                const BlockAddress block = cache.blockIn(at.set, at.way);
                const ResidencyLog::Slot slot = slotOf(l, i, at.set, at.way);
                Filler filler{cache.addressOf(block), static_cast<std::uint8_t>(machine_.firstCpu(l, i))};
                const bool isKnown = l < fillers_.size() && slot < fillers_[l].size() && fillers_[l][slot].isKnown;
                if (isKnown) filler = fillers_[l][slot];
                logs_[l].open(slot, {.address = filler.address,
                                     .block = blocksOf_[l]->of(block),
                                     .cache = static_cast<std::uint8_t>(i),
                                     .cpu = filler.cpu});
                logs_[l].hold(slot, holdingIn(cache, at), Stay::kNever, 0);
            }
        }
    }
}

Holding ResidencyRecorder::holdingIn(const Cache& cache, const Touched& t) const {
    if (cache.has(t.set, t.way, Cache::dirty)) return Holding::modified;
    return machine_.isCoherent(t.level) && !cache.has(t.set, t.way, Cache::owned) ? Holding::shared
                                                                                  : Holding::exclusive;
}

void ResidencyRecorder::take(const Played& played, std::span<const Event> events, const Hierarchy& hierarchy) {
    now_ = played;
    sought_ = {};
    for (const Event& e : events) {
        // A block is resident once its CPU's stall is over.
        if (!played.access.unrecorded) now_.at += costOf(e, machine_);
        switch (e.kind) {
            case EventKind::hit:
                if (e.demand && e.level == 0) sought_ = {};
                if (e.write && logs_[e.level].holding(slotOf(e)) != Holding::modified) {
                    touched_.push_back({e.level, e.cache, e.set, e.way});
                }
                break;
            case EventKind::miss:
                if (e.demand && e.level == 0) sought_ = {};
                break;
            case EventKind::prefetch: {
                const std::uint64_t size = machine_.levels[e.level].block;
                sought_ = {.first = e.block.value * size, .last = e.block.value * size + (size - 1)};
                break;
            }
            case EventKind::fill:
                takeFill(e);
                touched_.push_back({e.level, e.cache, e.set, e.way});
                break;
            case EventKind::upgrade:
            case EventKind::downgrade:
                touched_.push_back({e.level, e.cache, e.set, e.way});
                break;
            case EventKind::eviction:
                takeLeaving(e, Leaving::replaced);
                break;
            case EventKind::invalidation:
                takeLeaving(e, leavingFor(e.cause));
                break;
            case EventKind::moved:
                takeLeaving(e, Leaving::moved);
                break;
            default:
                break;
        }
    }
    lookAtTouched(hierarchy);
}

/// The first byte that an access requested in the block of an event; for a block that it did not request, such as a
/// prefetched one, the first byte of the access.
ByteAddress ResidencyRecorder::requestedIn(const Event& e, ByteAddress address, std::uint32_t bytes) const {
    const std::uint64_t size = machine_.levels[e.level].block;
    const ByteAddress first{e.block.value * size};
    return overlap(address, bytes, first, size) ? std::max(address, first) : address;
}

void ResidencyRecorder::takeFill(const Event& e) {
    const std::uint64_t size = machine_.levels[e.level].block;
    const std::uint64_t first = e.block.value * size;
    const std::uint64_t last = first + (size - 1);
    const std::uint32_t block = blocksOf_[e.level]->of(e.block);
    logs_[e.level].open(slotOf(e), {.in = now_.tick,
                                    .from = now_.at,
                                    .address = requestedIn(e, now_.access.address, now_.access.size),
                                    .block = block,
                                    .source = now_.whose.source,
                                    .object = now_.whose.object,
                                    .cost = static_cast<std::uint32_t>(std::min<Cycles>(now_.cost, ~std::uint32_t{0})),
                                    .cache = e.cache,
                                    .cpu = now_.access.cpu,
                                    .prefetched = sought_.first <= last && first <= sought_.last});
    std::uint32_t& replaced = replaced_[first_[e.level] + e.cache];
    logs_[e.level].replacedBy(replaced, block);
    replaced = Stay::kNone;
}

void ResidencyRecorder::takeLeaving(const Event& e, Leaving leaving) {
    ResidencyLog& log = logs_[e.level];
    const ResidencyLog::Slot slot = slotOf(e);
    // A block filled and evicted by the same access is not examined again.
    const bool dirty = leaving == Leaving::moved ? log.holding(slot) == Holding::modified : e.dirty;
    if (!log.holding(slot)) {
        const bool isShared = machine_.isCoherent(e.level) && !now_.access.isWrite();
        log.hold(slot, dirty ? Holding::modified : isShared ? Holding::shared : Holding::exclusive, now_.tick, now_.at);
    }
    const std::uint32_t stay = log.close(slot, leaving, now_.tick, now_.at, now_.access.cpu, dirty);
    if (leaving != Leaving::replaced) return;
    replaced_[first_[e.level] + e.cache] = stay;
    // An exclusive level that already holds the block takes over its modified data.
    const std::size_t next = e.level + std::size_t{1};
    if (next == logs_.size() || machine_.levels[next].inclusion != Inclusion::exclusive) return;
    castOut_.push_back({next, machine_.cacheOf(next, e.cache * machine_.levels[e.level].sharedBy), e.block});
}

/// Records the current state of the touched blocks that are still resident.
void ResidencyRecorder::lookAtTouched(const Hierarchy& hierarchy) {
    for (const Block& b : castOut_) {
        const Cache& cache = hierarchy.cache(b.level, b.cache);
        const std::uint32_t way = cache.find(b.block);
        if (way != Cache::kNoWay) touched_.push_back({b.level, b.cache, cache.setOf(b.block), WayIndex{way}});
    }
    for (const Touched& t : touched_) {
        const Cache& cache = hierarchy.cache(t.level, t.cache);
        if (!cache.isValid(t.set, t.way)) continue;
        logs_[t.level].hold(slotOf(t.level, t.cache, t.set, t.way), holdingIn(cache, t), now_.tick, now_.at);
    }
    castOut_.clear();
    touched_.clear();
}

bool ResidencyRecorder::isOver() const {
    return std::any_of(logs_.begin(), logs_.end(), [](const ResidencyLog& log) { return log.isOver(); });
}

void ResidencyRecorder::startAgain() {
    for (ResidencyLog& log : logs_) log.startAgain();
    std::fill(replaced_.begin(), replaced_.end(), Stay::kNone);
}

void ResidencyRecorder::finish(History& history, const CostTable::Places& places) {
    history.levels.resize(logs_.size());
    for (std::size_t l = 0; l < logs_.size(); ++l) {
        HistoryLevel& level = history.levels[l];
        level.name = machine_.levels[l].name;
        level.blockSize = machine_.levels[l].block;
        level.caches = machine_.caches(l);
        level.cpusPerCache = machine_.cpus / level.caches;
        logs_[l].finish(level, places.sources, places.objects, history.begin, history.end);
    }
}

/// Makes a history while it observes the accesses of the range.
class HistoryMaker final : public Observer {
  public:
    HistoryMaker(const Run& run, Range range, const HistoryBudget& budget)
        : run_(run),
          trace_(run.trace()),
          machine_(run.machine()),
          range_(range),
          costs_(trace_, budget.words),
          stays_(machine_, budget),
          history_(std::make_shared<History>()) {}

    std::shared_ptr<const History> make(Progress& progress) {
        history_->from = range_.from;
        history_->to = range_.to;
        history_->stride = cycleStride(range_.size());
        history_->begin = ~Cycles{0};
        history_->starts.reserve(range_.size() / history_->stride + 1);
        if (!play(progress)) return nullptr;
        if (stays_.isOver()) {
            stays_.startAgain();
            isAgain_ = true;
            if (!play(progress)) return nullptr;
        }
        history_->cpus = machine_.cpus;
        history_->lookUp = machine_.lookUp();
        history_->isCounted = true;
        stays_.finish(*history_, costs_.finish(*history_));
        return std::move(history_);
    }

    Wants wants() const override { return Wants::oneByOne; }
    void take(const Batch& batch) override;

  private:
    bool play(Progress& progress);
    void count(const CostTable::Whose& whose, std::span<const Event> events);
    bool lead(Simulator& simulator, Progress& progress);

    const Run& run_;
    const Trace& trace_;
    const MachineConfig& machine_;
    Range range_;
    bool isAgain_ = false;  ///< second pass: costs are already summed up
    CostTable costs_;
    ResidencyRecorder stays_;
    std::optional<Clock> clock_;
    std::shared_ptr<History> history_;
};

bool HistoryMaker::play(Progress& progress) {
    // Without times in the trace, time consists of access costs only, and the run knows the clocks at any tick.
    const bool isTimed = trace_.hasTimes();
    Simulator simulator = run_.stateAt(isTimed ? Tick{0} : range_.from);
    progress.start(range_.to.value - simulator.played());
    if (isTimed) {
        clock_.emplace(trace_, machine_.cpus);
        if (!lead(simulator, progress)) return false;
    } else {
        clock_.emplace(trace_, measuresOf(simulator, isTimed).cycles);
    }
    stays_.begin(simulator.hierarchy());
    if (!replay(trace_, simulator, range_, *this, progress)) return false;
    history_->end = clock_->elapsed();
    history_->begin = std::min(history_->begin, history_->end);
    return true;
}

/// Plays the accesses before the range, for the clocks, and to learn which accesses filled the blocks that are resident
/// when it begins.
bool HistoryMaker::lead(Simulator& simulator, Progress& progress) {
    CallingObserver clocks(Wants::events, [&](const Batch& batch) {
        batch.forEach([&](Tick t, const PackedAccess& access, std::span<const Event> events) {
            clock_->take(t, access.cpu(), access.unrecorded() ? 0 : costOf(events, machine_));
            stays_.lead(access, events);
        });
    });
    return replay(trace_, simulator, {Tick{0}, range_.from}, clocks, progress);
}

/// Counts what the counters of the caches count, for whose access it was.
void HistoryMaker::count(const CostTable::Whose& whose, std::span<const Event> events) {
    for (const Event& e : events) {
        if (e.kind == EventKind::miss && e.counts()) costs_.count(whose, NodeCount::misses, e.level);
        const bool isByCoherence = e.kind == EventKind::invalidation && e.cause == Cause::coherence;
        if (isByCoherence) costs_.count(whose, NodeCount::invalidations, e.level);
    }
}

void HistoryMaker::take(const Batch& batch) {
    const Tick tick = batch.first;
    const Access access = batch.accesses.front().unpack();
    const std::span<const Event> events(batch.events.begin(), batch.events.end());
    const Cycles cycles = access.unrecorded ? 0 : costOf(events, machine_);
    const Cycles at = clock_->take(tick, access.cpu, cycles);
    if (!isAgain_) history_->took(tick, at);
    const bool isHit = events.size() == 1 && events[0].kind == EventKind::hit;
    CostTable::Whose whose;
    if (!access.unrecorded && !isAgain_) {
        const Cost cost{.accesses = countOf(access, machine_), .cycles = cycles};
        whose = costs_.add(access.address, access.site, tick, cost);
        stays_.add(access.address, cost);
        if (!isHit) count(whose, events);
    } else if (!isHit) {
        whose = costs_.whose(access.address, access.site, tick);
    }
    if (isHit && !access.isWrite()) return;
    stays_.take({.tick = tick, .at = at, .cost = cycles, .access = access, .whose = whose}, events,
                batch.machine.hierarchy());
}

}  // namespace

std::shared_ptr<const History> historyOf(const Run& run, Range range, Progress& progress, const HistoryBudget& budget) {
    return HistoryMaker(run, range, budget).make(progress);
}

}  // namespace whorl::sim
