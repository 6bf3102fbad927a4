#include "sim/analysis/residency_recorder.h"

#include <algorithm>

namespace whorl::sim {

namespace {

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

}  // namespace

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

}  // namespace whorl::sim
