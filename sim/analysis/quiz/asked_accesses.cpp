#include "sim/analysis/quiz/asked_accesses.h"

#include <optional>

#include "sim/analysis/quiz/question.h"
#include "sim/replay/replay.h"

namespace whorl::sim {

namespace {

bool answers(const Event& e) {
    return e.demand && (e.kind == EventKind::hit || e.kind == EventKind::miss);
}

/// The events that an access has in its own set if nothing else happens there: if it misses, room is made once, and its
/// block is filled.
class OwnEvents {
  public:
    bool expects(const Event& e) {
        switch (e.kind) {
            case EventKind::hit:
            case EventKind::miss:
                block_ = e.block;
                misses_ = e.kind == EventKind::miss;
                return e.demand;
            case EventKind::eviction:
                return misses_ && !filled_ && !std::exchange(evicted_, true);
            case EventKind::fill:
                return misses_ && e.block == block_ && !std::exchange(filled_, true);
            case EventKind::writeback:
            case EventKind::upgrade:
            case EventKind::downgrade:
                return true;
            default:
                return false;
        }
    }

  private:
    BlockAddress block_;
    bool misses_ = false;
    bool evicted_ = false;
    bool filled_ = false;
};

}  // namespace

bool AskedAccesses::read(const Run& run, Range range, Progress& progress) {
    Run::Resumed state = run.resumeAt(range.from);
    CallingObserver observer(Observer::Wants::events, [&](const Batch& batch) {
        batch.forEach([&](Tick tick, const PackedAccess& access, std::span<const Event> events) {
            take(tick, access, events, state.kinds);
        });
    });
    progress.setTotal(range.size());
    return replay(run.trace(), state.machine, range, observer, progress);
}

std::uint64_t AskedAccesses::placeOf(const Event& e) const {
    return std::uint64_t{e.cache} * machine_.levels[level_].sets() + e.set.value;
}

void AskedAccesses::take(Tick tick, const PackedAccess& packed, std::span<const Event> events, MissKindReader& kinds) {
    std::optional<AskedAccess> asked;
    const bool canBe = canBeAsked(packed.unpack(), machine_);
    bool filled = false;
    for (const Event& e : events) {
        const MissKind kind = e.kind == EventKind::miss ? kinds.next(e.level) : MissKind{};
        if (!canBe || !e.isInCache() || e.level != level_) continue;
        if (answers(e)) asked = {.tick = tick, .place = placeOf(e), .hit = e.kind == EventKind::hit, .kind = kind};
        if (!asked || placeOf(e) != asked->place) continue;
        if (e.kind == EventKind::eviction && !filled) asked->evicts = true;
        filled |= e.kind == EventKind::fill;
    }
    tellOthers(asked, events);
    if (!asked) return;
    if (follows(*asked, events)) {
        on_(*asked);
    } else if (other_) {
        other_(asked->place);
    }
}

bool AskedAccesses::fills(const Event& miss) const {
    const LevelConfig& level = machine_.levels[level_];
    return level.inclusion != Inclusion::exclusive && (level.allocate || !miss.write);
}

/// Whether all that the access does in its set follows from what was there before, and notes what comes after that.
bool AskedAccesses::follows(AskedAccess& own, std::span<const Event> events) const {
    OwnEvents mine;
    bool isDone = false;
    for (const Event& e : events) {
        if (!e.isInCache() || e.level != level_ || e.kind == EventKind::prefetch || placeOf(e) != own.place) continue;
        const bool isOwn = mine.expects(e);
        if (!isOwn && !isDone) return false;
        own.disturbed |= !isOwn;
        isDone |= e.kind == EventKind::hit || e.kind == EventKind::fill || (e.kind == EventKind::miss && !fills(e));
    }
    return true;
}

/// Tells of what the access changes in other sets.
void AskedAccesses::tellOthers(const std::optional<AskedAccess>& own, std::span<const Event> events) const {
    if (!other_) return;
    for (const Event& e : events) {
        if (!e.isInCache() || e.level != level_ || e.kind == EventKind::prefetch) continue;
        if (const std::uint64_t place = placeOf(e); !own || place != own->place) other_(place);
    }
}

}  // namespace whorl::sim
