#include "sim/analysis/quiz/question.h"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "sim/base/progress.h"
#include "sim/replay/replay.h"
#include "sim/replay/snapshot.h"

namespace whorl::sim {

namespace {

/// The accesses to play before the one in question, to know when the blocks of its set were filled and used.
constexpr std::uint64_t kLookback = std::uint64_t{1} << 14;

/// The set of a cache of a level, as it is followed through the accesses before the one asked about.
class SetWatch {
  public:
    SetWatch(std::size_t level, std::uint32_t cache, SetIndex set) : level_(level), cache_(cache), set_(set) {}

    bool concerns(const Event& e) const {
        return e.isInCache() && e.level == level_ && e.cache == cache_ && e.set == set_;
    }

    void take(Tick tick, ByteAddress address, const Event& e) {
        if (!concerns(e)) return;
        switch (e.kind) {
            case EventKind::hit:
                use(uses_[e.way.value], tick, address, e.demand);
                break;
            case EventKind::fill:
                uses_[e.way.value] = {.filled = tick};
                use(uses_[e.way.value], tick, address, true);
                break;
            default:
                break;
        }
    }

    /// The blocks of the set, in the order of eviction.
    std::vector<SetLine> lines(const Cache& cache) const {
        std::vector<std::pair<std::uint16_t, SetLine>> ranked;
        const std::vector<Line> all = cache.lines(set_);
        for (std::uint32_t way = 0; way < all.size(); ++way) {
            if (!all[way].valid) continue;
            SetLine line{.block = all[way].block, .way = WayIndex{way}, .filled = {}, .used = {}, .usedAt = {}};
            if (const auto known = uses_.find(way); known != uses_.end()) {
                line.filled = known->second.filled;
                line.used = known->second.used;
                line.usedAt = known->second.usedAt;
            }
            ranked.emplace_back(all[way].rank, line);
        }
        std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        std::vector<SetLine> out;
        out.reserve(ranked.size());
        for (const auto& [rank, line] : ranked) out.push_back(line);
        return out;
    }

  private:
    struct Use {
        std::optional<Tick> filled = {};
        std::optional<Tick> used = {};
        std::optional<ByteAddress> usedAt = {};
    };

    static void use(Use& of, Tick tick, ByteAddress address, bool byCpu) {
        of.used = tick;
        if (byCpu) of.usedAt = address;
    }

    std::size_t level_;
    std::uint32_t cache_;
    SetIndex set_;
    std::map<std::uint32_t, Use> uses_;  ///< by way; outdated for ways that have been freed
};

/// The access with its events, and the state around it.
struct PlayedAccess {
    Step step;
    std::vector<SetLine> before;
    std::vector<SetLine> after;
};

/// Plays up to and including an access.
PlayedAccess playedTo(const Run& run, Tick tick, SetWatch& watch, const Question& question) {
    const Tick from{tick.value - std::min(tick.value, kLookback)};
    Run::Resumed state = run.resumeAt(from);
    const auto cache = [&]() -> const Cache& {
        return state.machine.hierarchy().cache(question.level, question.cache);
    };
    PlayedAccess out;
    Progress unwatched;
    CallingObserver before(Observer::Wants::events, [&](const Batch& batch) {
        batch.forEach([&](Tick t, const PackedAccess& access, std::span<const Event> events) {
            for (const Event& e : events) {
                if (e.kind == EventKind::miss) state.kinds.next(e.level);
                watch.take(t, access.address(), e);
            }
        });
    });
    replay(run.trace(), state.machine, {from, tick}, before, unwatched);
    out.before = watch.lines(cache());
    out.step.tick = tick;
    out.step.access = question.access;
    EventList events;
    state.machine.step(question.access, events);
    for (const Event& e : events) {
        if (e.kind == EventKind::miss) out.step.kinds.push_back(state.kinds.next(e.level));
        watch.take(tick, question.access.address, e);
        out.step.events.push_back(e);
    }
    out.after = watch.lines(cache());
    return out;
}

/// Takes the answers about the requested block from the events.
void takeAnswers(Question& question, const Step& step, const SetWatch& watch) {
    RequestPath path;
    std::optional<BlockAddress> evicted;
    for (const Event& e : step.events) {
        // The request is over; the block may be taken in again.
        if (e.kind == EventKind::prefetch) break;
        path.take(e);
        if (!watch.concerns(e) || question.fills) continue;
        if (e.kind == EventKind::eviction) evicted = e.block;
        if (e.kind != EventKind::fill) continue;
        if (e.block == question.block) {
            question.fills = true;
            question.victim = evicted;
        }
        evicted.reset();
    }
    question.servedBy = path.servedBy();
}

}  // namespace

bool canBeAsked(const Access& access, const MachineConfig& machine) {
    const std::uint64_t block = machine.blockBytes();
    if (access.unrecorded || (access.modify && machine.conventions.modifyCountsOnce)) return false;
    return access.address.value / block == access.last().value / block;
}

std::optional<Question> questionAt(const Run& run, std::size_t level, Tick tick) {
    const MachineConfig& machine = run.machine();
    if (tick >= run.built() || level >= machine.levels.size()) return std::nullopt;
    Question out;
    run.trace().forEach(tick, Tick{tick.value + 1}, [&](Tick, const Access& access) { out.access = access; });
    if (!canBeAsked(out.access, machine)) return std::nullopt;
    const LevelConfig& config = machine.levels[level];
    out.tick = tick;
    out.level = level;
    out.cache = machine.cacheOf(level, out.access.cpu);
    out.block = BlockAddress{out.access.address.value / config.block};
    out.ways = config.ways;
    out.policy = config.policy;
    SetWatch watch(level, out.cache, SetIndex{static_cast<std::uint32_t>(out.block.value % config.sets())});
    PlayedAccess played = playedTo(run, tick, watch, out);
    out.fields = explainAccess(played.step, machine)[level];
    if (!out.fields.asked) return std::nullopt;
    out.hit = out.fields.hit;
    out.kind = out.fields.kind;
    takeAnswers(out, played.step, watch);
    out.before = std::move(played.before);
    out.after = std::move(played.after);
    return out;
}

}  // namespace whorl::sim
