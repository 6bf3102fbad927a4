#include "sim/analysis/recorded_history.h"

#include <algorithm>
#include <array>
#include <map>

#include "sim/analysis/cost_table.h"
#include "sim/analysis/history_of.h"

namespace whorl::sim {

namespace {

using RecordedKind = RecordedEvent::Kind;

class RecordedHistory {
  public:
    RecordedHistory(const Trace& trace, const Recording& recording, Range range, const HistoryBudget& budget)
        : trace_(trace),
          recording_(recording),
          range_(range),
          cpus_(std::max(trace.cpus(), recording.caches[0])),
          costs_(trace, budget.words),
          levels_{Level(recording, 0, budget), Level(recording, 1, budget)} {}

    std::shared_ptr<const History> make() {
        takeAccesses();
        takeEvents();
        const bool isOver = levels_[0].log.isOver() || levels_[1].log.isOver();
        if (isOver) {
            for (Level& level : levels_) {
                level.log.startAgain();
                level.known.clear();
                level.before.clear();
            }
            takeEvents();
        }
        return finished();
    }

  private:
    struct Level {
        Level(const Recording& recording, std::size_t level, const HistoryBudget& budget)
            : blocks(recording.blockSize[level]), log(blocks, budget), caches(recording.caches[level]) {}

        ResidencyLog::Slot slot(std::uint32_t block, std::uint32_t cache) const {
            return std::size_t{block} * caches + cache;
        }
        /// Marks a slot as known; returns whether it was known before.
        bool know(ResidencyLog::Slot slot) {
            if (slot >= known.size()) known.resize(std::max(slot + 1, 2 * known.size()), false);
            const bool was = known[slot];
            known[slot] = true;
            return was;
        }

        BlockCosts blocks;
        ResidencyLog log;
        std::uint32_t caches;
        std::vector<bool> known;                       ///< slots that have had an event
        std::map<ResidencyLog::Slot, Holding> before;  ///< blocks resident when the range begins
    };
    struct Maker {
        CostTable::Whose whose;
        std::uint8_t cpu = 0;
        bool isWrite = false;
    };

    void takeAccesses();
    void takeEvents();
    bool isValid(const RecordedEvent& e) const {
        return e.kind != RecordedKind::wait && e.level < levels_.size() && e.access.value < makers_.size() &&
               e.cache < levels_[e.level].caches;
    }
    void lead(const RecordedEvent& e, Level& level);
    void begin();
    void take(const RecordedEvent& e, Level& level);
    void load(const RecordedEvent& e, Level& level, std::uint32_t block);
    void leave(const RecordedEvent& e, Level& level, ByteAddress gone, Leaving leaving);
    void narrow(History& history) const;
    std::shared_ptr<const History> finished();

    const Trace& trace_;
    const Recording& recording_;
    Range range_;
    std::uint32_t cpus_;
    CostTable costs_;
    std::array<Level, 2> levels_;
    std::vector<Cycles> waited_;  ///< access cycles, by access
    std::vector<Maker> makers_;   ///< by access
};

void RecordedHistory::takeAccesses() {
    waited_.assign(trace_.size(), 0);
    makers_.resize(trace_.size());
    for (const RecordedEvent& e : recording_.events) {
        if (e.kind == RecordedKind::wait && e.access.value < waited_.size()) waited_[e.access.value] += e.cycles;
    }
    trace_.forEach(Tick{0}, range_.to, [&](Tick t, const Access& a) {
        Maker& maker = makers_[t.value];
        maker.cpu = a.cpu;
        maker.isWrite = a.isWrite();
        if (t < range_.from) return;
        if (a.unrecorded) {
            maker.whose = costs_.whose(a.address, a.site, t);
            return;
        }
        const Cost cost{.accesses = 1, .cycles = waited_[t.value]};
        maker.whose = costs_.add(a.address, a.site, t, cost);
        for (Level& level : levels_) level.blocks.costs[level.blocks.idAt(a.address)] += cost;
    });
}

void RecordedHistory::takeEvents() {
    begin();
    for (const RecordedEvent& e : recording_.events) {
        if (isValid(e) && range_.from <= e.access && e.access < range_.to) take(e, levels_[e.level]);
    }
}

/// The events before the range determine which blocks are resident when it begins.
void RecordedHistory::begin() {
    if (range_.from == Tick{0}) return;
    for (const RecordedEvent& e : recording_.events) {
        if (isValid(e) && e.access < range_.from) lead(e, levels_[e.level]);
    }
    for (Level& level : levels_) {
        for (const auto& [slot, holding] : level.before) {
            const auto block = static_cast<std::uint32_t>(slot / level.caches);
            level.log.open(slot, {.address = ByteAddress{level.blocks.ids.block(block).value << level.blocks.shift},
                                  .block = block,
                                  .cache = static_cast<std::uint8_t>(slot % level.caches)});
            level.log.hold(slot, holding, Stay::kNever, 0);
        }
    }
}

void RecordedHistory::lead(const RecordedEvent& e, Level& level) {
    const std::uint32_t block = level.blocks.idAt(e.kind == RecordedKind::replace ? e.other : e.address);
    const ResidencyLog::Slot slot = level.slot(block, e.cache);
    level.know(slot);
    if (e.kind == RecordedKind::replace || e.kind == RecordedKind::invalidate) {
        level.before.erase(slot);
        return;
    }
    if (e.kind == RecordedKind::protect) {
        const auto at = level.before.find(slot);
        if (at != level.before.end()) at->second = Holding::modified;
        return;
    }
    const Holding own = makers_[e.access.value].isWrite ? Holding::modified : Holding::exclusive;
    level.before.try_emplace(slot, e.privately ? own : Holding::shared);
    for (std::uint32_t cache = 0; cache < level.caches && !e.privately; ++cache) {
        const auto at = level.before.find(level.slot(block, cache));
        if (at != level.before.end()) at->second = Holding::shared;
    }
}

void RecordedHistory::take(const RecordedEvent& e, Level& level) {
    const std::uint32_t block = level.blocks.idAt(e.address);
    switch (e.kind) {
        case RecordedKind::load:
            load(e, level, block);
            break;
        case RecordedKind::replace:
            leave(e, level, e.other, Leaving::replaced);
            break;
        case RecordedKind::invalidate:
            leave(e, level, e.address, Leaving::invalidated);
            break;
        case RecordedKind::protect:
            level.log.hold(level.slot(block, e.cache), Holding::modified, e.access, e.cycles);
            break;
        case RecordedKind::wait:
            break;
    }
}

void RecordedHistory::load(const RecordedEvent& e, Level& level, std::uint32_t block) {
    const ResidencyLog::Slot slot = level.slot(block, e.cache);
    if (level.log.isOpen(slot)) return;
    level.know(slot);
    const Maker& maker = makers_[e.access.value];
    const Cycles cost = std::min<Cycles>(waited_[e.access.value], ~std::uint32_t{0});
    level.log.open(slot, {.in = e.access,
                          .from = e.cycles,
                          .address = e.address,
                          .block = block,
                          .source = maker.whose.source,
                          .object = maker.whose.object,
                          .cost = static_cast<std::uint32_t>(cost),
                          .cache = e.cache,
                          .cpu = maker.cpu});
    const Holding own = maker.isWrite ? Holding::modified : Holding::exclusive;
    level.log.hold(slot, e.privately ? own : Holding::shared, e.access, e.cycles);
    // A recording has no event for other caches that lose exclusive ownership.
    for (std::uint32_t cache = 0; cache < level.caches && !e.privately; ++cache) {
        level.log.hold(level.slot(block, cache), Holding::shared, e.access, e.cycles);
    }
}

void RecordedHistory::leave(const RecordedEvent& e, Level& level, ByteAddress gone, Leaving leaving) {
    const std::uint32_t block = level.blocks.idAt(gone);
    const ResidencyLog::Slot slot = level.slot(block, e.cache);
    // A trace may begin in the middle of a program.
    if (!level.know(slot)) {
        level.log.open(slot, {.address = ByteAddress{level.blocks.ids.block(block).value << level.blocks.shift},
                              .block = block,
                              .cache = e.cache});
        level.log.hold(slot, e.privately ? Holding::modified : Holding::shared, Stay::kNever, 0);
    }
    const std::uint32_t stay =
        level.log.close(slot, leaving, e.access, e.cycles, makers_[e.access.value].cpu, e.privately);
    if (leaving == Leaving::replaced) level.log.replacedBy(stay, level.blocks.idAt(e.address));
}

/// Narrows the times from the whole trace to the range.
void RecordedHistory::narrow(History& history) const {
    auto& starts = history.starts;
    const auto from = static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(range_.from.value, starts.size()));
    const auto to = static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(range_.to.value, starts.size()));
    if (from > 0) history.begin = from < to ? starts[from] : history.end;
    if (to < static_cast<std::ptrdiff_t>(starts.size())) history.end = std::max(history.begin, starts[to]);
    for (const RecordedEvent& e : recording_.events) {
        if (e.kind == RecordedKind::wait || e.access < range_.from || e.access >= range_.to) continue;
        history.begin = std::min(history.begin, e.cycles);
        history.end = std::max(history.end, e.cycles);
    }
    starts = {starts.begin() + from, starts.begin() + to};
}

std::shared_ptr<const History> RecordedHistory::finished() {
    auto history = std::make_shared<History>();
    history->from = range_.from;
    history->to = range_.to;
    history->cpus = cpus_;
    history->starts.assign(trace_.size(), 0);
    bool any = false;
    for (const RecordedEvent& e : recording_.events) {
        if (e.kind == RecordedKind::wait) continue;
        history->begin = any ? std::min(history->begin, e.cycles) : e.cycles;
        history->end = std::max(history->end, e.cycles);
        any = true;
        if (e.access.value < trace_.size()) history->starts[e.access.value] = e.cycles;
    }
    if (recording_.end > 0) {
        history->begin = std::min(history->begin, recording_.begin);
        history->end = std::max(history->end, recording_.end);
    }
    // An access without events began no earlier than those before it.
    Cycles last = history->begin;
    for (Cycles& start : history->starts) last = start = std::max(start, last);
    narrow(*history);
    const CostTable::Places places = costs_.finish(*history);
    for (std::size_t l = 0; l < levels_.size(); ++l) {
        HistoryLevel& level = history->levels.emplace_back();
        level.name = l == 0 ? "L1" : "L2";
        level.blockSize = recording_.blockSize[l];
        level.caches = recording_.caches[l];
        level.cpusPerCache = std::max<std::uint32_t>(1, cpus_ / std::max<std::uint32_t>(1, level.caches));
        levels_[l].log.finish(level, places.sources, places.objects, history->begin, history->end);
    }
    return history;
}

}  // namespace

std::shared_ptr<const History> historyOf(const Trace& trace, Range range, const HistoryBudget& budget) {
    const std::shared_ptr<const Recording>& recording = trace.recording();
    if (!recording) return nullptr;
    const auto isSize = [](std::uint32_t size) { return isPowerOfTwo(size); };
    if (!std::all_of(recording->blockSize.begin(), recording->blockSize.end(), isSize)) return nullptr;
    return RecordedHistory(trace, *recording, range, budget).make();
}

namespace {

void count(RecordedCache& cache, const RecordedEvent& e) {
    const std::uint64_t privately = e.privately ? 1 : 0;
    switch (e.kind) {
        case RecordedEvent::Kind::load:
            ++cache.loads;
            cache.exclusiveLoads += privately;
            break;
        case RecordedEvent::Kind::replace:
            ++cache.replacements;
            cache.dirtyReplacements += privately;
            break;
        case RecordedEvent::Kind::invalidate:
            ++cache.invalidations;
            cache.dirtyInvalidations += privately;
            break;
        case RecordedEvent::Kind::protect:
            ++cache.upgrades;
            break;
        case RecordedEvent::Kind::wait:
            break;
    }
}

}  // namespace

RecordedCache& RecordedCache::operator+=(const RecordedCache& more) {
    loads += more.loads;
    exclusiveLoads += more.exclusiveLoads;
    replacements += more.replacements;
    dirtyReplacements += more.dirtyReplacements;
    invalidations += more.invalidations;
    dirtyInvalidations += more.dirtyInvalidations;
    upgrades += more.upgrades;
    return *this;
}

RecordedCache RecordedLevel::ofAll() const {
    RecordedCache sum;
    for (const RecordedCache& cache : caches) sum += cache;
    return sum;
}

RecordedCpu RecordedCounts::ofAllCpus() const {
    RecordedCpu sum;
    for (const RecordedCpu& cpu : cpus) {
        sum.reads += cpu.reads;
        sum.writes += cpu.writes;
        sum.waits += cpu.waits;
        sum.cycles += cpu.cycles;
    }
    return sum;
}

RecordedCounts recordedCounts(const Trace& trace, const History& recorded) {
    const Range range{recorded.from, recorded.to};
    RecordedCounts counts;
    counts.elapsed = recorded.end - recorded.begin;
    counts.cpus.resize(recorded.cpus);
    counts.regions.resize(trace.regions().size() + 1);
    for (const HistoryLevel& level : recorded.levels) {
        counts.levels.push_back({.name = level.name,
                                 .blockSize = level.blockSize,
                                 .cpusPerCache = level.cpusPerCache,
                                 .caches = std::vector<RecordedCache>(level.caches)});
    }
    std::vector<Cycles> waited(range.size(), 0);
    for (const RecordedEvent& e : trace.recording()->events) {
        if (e.access < range.from || e.access >= range.to) continue;
        if (e.kind == RecordedEvent::Kind::wait) {
            waited[e.access.value - range.from.value] += e.cycles;
        } else if (e.level < counts.levels.size() && e.cache < counts.levels[e.level].caches.size()) {
            count(counts.levels[e.level].caches[e.cache], e);
        }
    }
    trace.forEach(range.from, range.to, [&](Tick t, const Access& a) {
        if (a.unrecorded) return;
        const Cycles cycles = waited[t.value - range.from.value];
        RecordedCpu& cpu = counts.cpus[a.cpu];
        ++(a.isWrite() ? cpu.writes : cpu.reads);
        cpu.waits += cycles > 0 ? 1 : 0;
        cpu.cycles += cycles;
        counts.regions[trace.regionAt(a.address)] += Cost{.accesses = 1, .cycles = cycles};
    });
    return counts;
}

}  // namespace whorl::sim
