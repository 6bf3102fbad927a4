// The history of a trace that tells what the memory system that it was taken on did.
//
// Source: the trace messages of H. A. Goosen et al., "Chiron: Interactive 3D visualization of parallel program memory
// performance".
#include <algorithm>
#include <array>

#include "sim/history/cost_book.h"
#include "sim/history/history_of.h"

namespace whorl::sim {

namespace {

using Kind = RecordedEvent::Kind;

class RecordedHistory {
  public:
    RecordedHistory(const Trace& trace, const Recording& recording, const HistoryBudget& budget)
        : trace_(trace),
          recording_(recording),
          cpus_(std::max(trace.cpus(), recording.caches[0])),
          costs_(trace, budget.words),
          levels_{Level(recording, 0, budget), Level(recording, 1, budget)} {}

    std::shared_ptr<const History> make() {
        takeAccesses();
        takeEvents();
        const bool isOver = levels_[0].book.isOver() || levels_[1].book.isOver();
        if (isOver) {
            for (Level& level : levels_) {
                level.book.startAgain();
                level.known.clear();
            }
            takeEvents();
        }
        return finished();
    }

  private:
    struct Level {
        Level(const Recording& recording, std::size_t level, const HistoryBudget& budget)
            : blocks(recording.blockSize[level]), book(blocks, budget), caches(recording.caches[level]) {}

        LevelBook::Slot slot(std::uint32_t block, std::uint32_t cache) const {
            return std::size_t{block} * caches + cache;
        }
        /// True from the second time on.
        bool know(LevelBook::Slot slot) {
            if (slot >= known.size()) known.resize(std::max(slot + 1, 2 * known.size()), false);
            const bool was = known[slot];
            known[slot] = true;
            return was;
        }

        BlockCosts blocks;
        LevelBook book;
        std::uint32_t caches;
        std::vector<bool> known;  ///< slots of which something was told
    };
    struct Maker {
        CostBook::Whose whose;
        std::uint8_t cpu = 0;
        bool isWrite = false;
    };

    void takeAccesses();
    void takeEvents();
    void take(const RecordedEvent& e, Level& level);
    void load(const RecordedEvent& e, Level& level, std::uint32_t block);
    void leave(const RecordedEvent& e, Level& level, ByteAddress gone, Leaving leaving);
    std::shared_ptr<const History> finished();

    const Trace& trace_;
    const Recording& recording_;
    std::uint32_t cpus_;
    CostBook costs_;
    std::array<Level, 2> levels_;
    std::vector<Cycles> waited_;  ///< by access
    std::vector<Maker> makers_;   ///< by access
};

void RecordedHistory::takeAccesses() {
    waited_.assign(trace_.size(), 0);
    makers_.resize(trace_.size());
    for (const RecordedEvent& e : recording_.events) {
        if (e.kind == Kind::wait && e.access.value < waited_.size()) waited_[e.access.value] += e.cycles;
    }
    trace_.forEach(Tick{0}, Tick{trace_.size()}, [&](Tick t, const Access& a) {
        Maker& maker = makers_[t.value];
        maker.cpu = a.cpu;
        maker.isWrite = a.isWrite();
        if (a.unrecorded) {
            maker.whose = costs_.whose(a.address, a.site, t);
            return;
        }
        maker.whose = costs_.charge(a.address, a.site, t, waited_[t.value], 1);
        for (Level& level : levels_) {
            BlockCosts::Cost& cost = level.blocks.costs[level.blocks.idAt(a.address)];
            cost.cycles += waited_[t.value];
            ++cost.accesses;
        }
    });
}

void RecordedHistory::takeEvents() {
    for (const RecordedEvent& e : recording_.events) {
        const bool isSound = e.kind != Kind::wait && e.level < levels_.size() && e.access.value < makers_.size();
        if (isSound && e.cache < levels_[e.level].caches) take(e, levels_[e.level]);
    }
}

void RecordedHistory::take(const RecordedEvent& e, Level& level) {
    const std::uint32_t block = level.blocks.idAt(e.address);
    switch (e.kind) {
        case Kind::load:
            load(e, level, block);
            break;
        case Kind::replace:
            leave(e, level, e.other, Leaving::replaced);
            break;
        case Kind::invalidate:
            leave(e, level, e.address, Leaving::invalidated);
            break;
        case Kind::protect:
            level.book.hold(level.slot(block, e.cache), Holding::modified, e.access, e.cycles);
            break;
        case Kind::wait:
            break;
    }
}

void RecordedHistory::load(const RecordedEvent& e, Level& level, std::uint32_t block) {
    const LevelBook::Slot slot = level.slot(block, e.cache);
    if (level.book.isOpen(slot)) return;
    level.know(slot);
    const Maker& maker = makers_[e.access.value];
    const Cycles cost = std::min<Cycles>(waited_[e.access.value], ~std::uint32_t{0});
    level.book.open(slot, {.in = e.access,
                           .from = e.cycles,
                           .address = e.address,
                           .block = block,
                           .source = maker.whose.source,
                           .object = maker.whose.object,
                           .cost = static_cast<std::uint32_t>(cost),
                           .cache = e.cache,
                           .cpu = maker.cpu});
    const Holding own = maker.isWrite ? Holding::modified : Holding::exclusive;
    level.book.hold(slot, e.privately ? own : Holding::shared, e.access, e.cycles);
    // That others have it to themselves no longer is not told.
    for (std::uint32_t cache = 0; cache < level.caches && !e.privately; ++cache) {
        level.book.hold(level.slot(block, cache), Holding::shared, e.access, e.cycles);
    }
}

void RecordedHistory::leave(const RecordedEvent& e, Level& level, ByteAddress gone, Leaving leaving) {
    const std::uint32_t block = level.blocks.idAt(gone);
    const LevelBook::Slot slot = level.slot(block, e.cache);
    // A trace may begin in the middle of a program.
    if (!level.know(slot)) {
        level.book.open(slot, {.address = ByteAddress{level.blocks.ids.block(block).value << level.blocks.shift},
                               .block = block,
                               .cache = e.cache});
        level.book.hold(slot, e.privately ? Holding::modified : Holding::shared, Stay::kNever, 0);
    }
    const std::uint32_t stay =
        level.book.close(slot, leaving, e.access, e.cycles, makers_[e.access.value].cpu, e.privately);
    if (leaving == Leaving::replaced) level.book.replacedBy(stay, level.blocks.idAt(e.address));
}

std::shared_ptr<const History> RecordedHistory::finished() {
    auto history = std::make_shared<History>();
    history->to = Tick{trace_.size()};
    history->cpus = cpus_;
    history->starts.assign(trace_.size(), 0);
    bool any = false;
    for (const RecordedEvent& e : recording_.events) {
        if (e.kind == Kind::wait) continue;
        history->begin = any ? std::min(history->begin, e.cycles) : e.cycles;
        history->end = std::max(history->end, e.cycles);
        any = true;
        if (e.access.value < trace_.size()) history->starts[e.access.value] = e.cycles;
    }
    if (recording_.end > 0) {
        history->begin = std::min(history->begin, recording_.begin);
        history->end = std::max(history->end, recording_.end);
    }
    // An access of which nothing is told began no earlier than those before it.
    Cycles last = history->begin;
    for (Cycles& start : history->starts) last = start = std::max(start, last);
    const CostBook::Places places = costs_.finish(*history);
    for (std::size_t l = 0; l < levels_.size(); ++l) {
        HistoryLevel& level = history->levels.emplace_back();
        level.name = l == 0 ? "L1" : "L2";
        level.blockSize = recording_.blockSize[l];
        level.caches = recording_.caches[l];
        level.cpusPerCache = std::max<std::uint32_t>(1, cpus_ / std::max<std::uint32_t>(1, level.caches));
        levels_[l].book.finish(level, places.sources, places.objects, history->begin, history->end);
    }
    return history;
}

}  // namespace

std::shared_ptr<const History> historyOf(const Trace& trace, const HistoryBudget& budget) {
    const std::shared_ptr<const Recording>& recording = trace.recording();
    if (!recording) return nullptr;
    const auto isSize = [](std::uint32_t size) { return isPowerOfTwo(size); };
    if (!std::all_of(recording->blockSize.begin(), recording->blockSize.end(), isSize)) return nullptr;
    return RecordedHistory(trace, *recording, budget).make();
}

}  // namespace whorl::sim
