#include "sim/replay/snapshot.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <utility>

#include "sim/replay/replay.h"
#include "sim/replay/totals/ledger.h"

namespace whorl::sim {

void Flows::take(const Event& e, Tick at, const Access& access, const Trace& trace) {
    origin_.take(e);
    FlowKey key{.level = e.level, .cache = e.cache};
    if (e.kind == EventKind::fill && e.level == 0) {
        key.level = static_cast<std::uint8_t>(origin_.servedBy());
    } else if (e.kind == EventKind::eviction) {
        key.kind = e.dirty ? FlowKey::Kind::writeback : FlowKey::Kind::outward;
    } else if (e.kind == EventKind::invalidation && e.cause == Cause::paging && e.dirty) {
        key.kind = FlowKey::Kind::writeback;
    } else if (e.kind == EventKind::invalidation && e.cause == Cause::coherence) {
        key.kind = FlowKey::Kind::taken;
        key.other = access.cpu;
    } else if (e.kind == EventKind::writeThrough) {
        key.kind = FlowKey::Kind::through;
    } else {
        return;
    }
    const std::uint64_t size = machine_->levels[e.level].block;
    key.region = static_cast<std::uint32_t>(regionOfBlock(trace, ByteAddress{e.block.value * size}, size));
    moves_.push_back({at, key});
    ++counts_[key];
}

void Flows::forgetBefore(Tick from) {
    for (; !moves_.empty() && moves_.front().at < from; moves_.pop_front()) {
        const auto of = counts_.find(moves_.front().key);
        if (--of->second == 0) counts_.erase(of);
    }
}

namespace {

/// Plays a run's machine up to a tick, and the use of its blocks with it.
void follow(const Run& run, Simulator& machine, BlockUse& use, Tick at) {
    CallingObserver observer(Observer::Wants::events, [&](const Batch& batch) {
        batch.forEach([&](Tick, const PackedAccess& access, std::span<const Event> events) {
            use.begin(access.unpack());
            for (const Event& e : events) use.take(e, [](const BlockUse::Stay&) {});
            use.end();
        });
    });
    Progress unwatched;
    replay(run.trace(), machine, {Tick{machine.played()}, at}, observer, unwatched);
}

}  // namespace

BlockUse useAt(const Run& run, Tick at) {
    const Run::UseAt kept = run.useBefore(at);
    Simulator machine = run.stateAt(kept.at);
    BlockUse use(run.machine());
    if (kept.packed) use.unpack(*kept.packed);
    follow(run, machine, use, at);
    return use;
}

const UseShares& UseReader::at(Tick at) {
    if (machine_ && machine_->played() == at.value) return shares_;
    const Run::UseAt kept = run_->useBefore(at);
    const bool goesOn = machine_ && machine_->played() <= at.value && machine_->played() >= kept.at.value;
    if (!goesOn) startFrom(kept);
    follow(*run_, *machine_, *use_, at);
    use_->settle();
    shares_.clear();
    for (std::size_t l = 0; l < run_->machine().levels.size(); ++l) {
        const std::uint32_t block = run_->machine().levels[l].block;
        for (std::uint32_t cache = 0; cache < run_->machine().caches(l); ++cache) {
            std::vector<std::uint8_t>& of = shares_.emplace_back(use_->slots(l));
            for (std::size_t slot = 0; slot < of.size(); ++slot) {
                const std::uint32_t used = use_->usedIn(l, cache, slot);
                of[slot] =
                    static_cast<std::uint8_t>(std::max<std::uint32_t>(kWholeUse * used / block, used > 0 ? 1 : 0));
            }
        }
    }
    return shares_;
}

void UseReader::startFrom(const Run::UseAt& kept) {
    machine_ = run_->stateAt(kept.at);
    use_.emplace(run_->machine());
    if (kept.packed) use_->unpack(*kept.packed);
}

namespace {

/// Makes a Step of each access.
class StepObserver final : public Observer {
  public:
    StepObserver(const Hierarchy& hierarchy, std::function<void(Step)> on)
        : hierarchy_(hierarchy), on_(std::move(on)) {}

    Wants wants() const override { return Wants::live; }

    /// Notes the eviction order of each set that the access touches, before it changes.
    void hear(const Event& e) override {
        if (!e.isInCache()) return;
        const auto known = std::find_if(reorderings_.begin(), reorderings_.end(), [&](const Reordering& r) {
            return r.level == e.level && r.cache == e.cache && r.set == e.set;
        });
        if (known != reorderings_.end()) return;
        reorderings_.push_back({.level = e.level,
                                .cache = e.cache,
                                .set = e.set,
                                .before = hierarchy_.cache(e.level, e.cache).lines(e.set),
                                .after = {}});
    }

    void take(const Batch& batch) override {
        Step step{.tick = batch.first,
                  .access = batch.accesses.front().unpack(),
                  .events = {batch.events.begin(), batch.events.end()},
                  .kinds = {},
                  .reorderings = std::exchange(reorderings_, {})};
        for (Reordering& r : step.reorderings) r.after = hierarchy_.cache(r.level, r.cache).lines(r.set);
        on_(std::move(step));
    }

  private:
    const Hierarchy& hierarchy_;
    std::function<void(Step)> on_;
    std::vector<Reordering> reorderings_;
};

std::uint64_t back(Tick from, std::uint64_t by) {
    return from.value - std::min(from.value, by);
}

template <class T>
void keepLast(std::deque<T>& of, std::uint64_t count) {
    if (of.size() > count) of.erase(of.begin(), of.end() - static_cast<std::ptrdiff_t>(count));
}

}  // namespace

const Snapshot& SnapshotReader::at(double t, const Lookback& lookback) {
    const double end = static_cast<double>(run_->built().value);
    const double clamped = std::clamp(t, 0.0, end);
    const Tick begun{static_cast<std::uint64_t>(std::ceil(clamped))};
    if (!canGoOn(begun, lookback)) {
        startAt(Tick{back(begun, std::max({lookback.steps, lookback.window, lookback.lapse}))});
    }
    playTo(begun, lookback);
    trim(begun, lookback);
    snapshot_->used = lookback.use ? use_.at(begun) : UseShares{};
    snapshot_->t = clamped;
    return *snapshot_;
}

/// Whether the last snapshot can be played on to the requested one: the distance is small, and all data needed was
/// kept.
bool SnapshotReader::canGoOn(Tick to, const Lookback& lookback) const {
    // Playing on is cheaper than starting from a checkpoint only over a short distance.
    constexpr std::uint64_t kNear = std::uint64_t{1} << 15;
    if (!snapshot_) return false;
    const Tick at = snapshot_->begun();
    const std::uint64_t longest = std::max({lookback.steps, lookback.window, lookback.lapse});
    if (to < at || to.value - at.value > kNear + longest) return false;
    const auto isKept = [&](std::uint64_t count, std::size_t kept) {
        return at.value <= back(to, count) || at.value - back(to, count) <= kept;
    };
    if (!isKept(lookback.steps, snapshot_->recent.size()) || !isKept(lookback.window, snapshot_->window.size()))
        return false;
    const Tick flowsFrom{back(to, lookback.lapse)};
    return lookback.lapse == 0 || flowsFrom_ <= flowsFrom || at <= flowsFrom;
}

void SnapshotReader::startAt(Tick from) {
    Run::Resumed resumed = run_->resumeAt(from);
    snapshot_.emplace(std::move(resumed.machine));
    kinds_ = std::move(resumed.kinds);
    flowsFrom_ = from;
}

void SnapshotReader::playTo(Tick to, const Lookback& lookback) {
    const Tick at = snapshot_->begun();
    flowsFrom_ = Tick{back(to, lookback.lapse)};
    if (at < flowsFrom_) {
        snapshot_->flows.clear();
    } else {
        snapshot_->flows.forgetBefore(flowsFrom_);
    }
    if (at == to) return;
    kinds_->update(run_->kinds());  // more of the run may have been built since
    playFar(Tick{std::max(at.value, back(to, lookback.steps))}, lookback, to);
    playNear(to);
}

/// Plays the accesses before the last ones, keeping only glances and flows.
void SnapshotReader::playFar(Tick to, const Lookback& lookback, Tick end) {
    const std::uint64_t windowFrom = back(end, lookback.window);
    CallingObserver observer(Observer::Wants::events, [&](const Batch& batch) {
        batch.forEach([&](Tick t, const PackedAccess& packed, std::span<const Event> events) {
            const Access access = packed.unpack();
            Glance glance{.cpu = access.cpu};
            for (const Event& e : events) {
                const MissKind kind = e.kind == EventKind::miss ? kinds_->next(e.level) : MissKind{};
                if (access.unrecorded) continue;
                glance.take(e, kind);
                if (t >= flowsFrom_) snapshot_->flows.take(e, t, access, run_->trace());
            }
            if (t.value >= windowFrom) snapshot_->window.push_back(glance);
        });
    });
    Progress unwatched;
    replay(run_->trace(), snapshot_->now, {snapshot_->begun(), to}, observer, unwatched);
}

/// Plays the last accesses, keeping their steps.
void SnapshotReader::playNear(Tick to) {
    StepObserver observer(snapshot_->now.hierarchy(), [&](Step step) {
        const Access& access = step.access;
        Glance glance{.cpu = access.cpu};
        for (const Event& e : step.events) {
            const MissKind kind = e.kind == EventKind::miss ? kinds_->next(e.level) : MissKind{};
            if (e.kind == EventKind::miss) step.kinds.push_back(kind);
            if (access.unrecorded) continue;
            glance.take(e, kind);
            if (step.tick >= flowsFrom_) snapshot_->flows.take(e, step.tick, access, run_->trace());
        }
        if (access.unrecorded) {
            step.events.clear();
            step.kinds.clear();
            step.reorderings.clear();
        }
        snapshot_->window.push_back(glance);
        snapshot_->recent.push_back(std::move(step));
    });
    Progress unwatched;
    replay(run_->trace(), snapshot_->now, {snapshot_->begun(), to}, observer, unwatched);
}

/// Trims the snapshot, so that it contains exactly what was requested, regardless of earlier requests.
void SnapshotReader::trim(Tick at, const Lookback& lookback) {
    keepLast(snapshot_->recent, std::min(at.value, lookback.steps));
    keepLast(snapshot_->window, std::min(at.value, lookback.window));
}

}  // namespace whorl::sim
