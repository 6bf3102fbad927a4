#include "sim/replay/snapshot_reader.h"

#include <algorithm>
#include <cmath>

#include "sim/trace/trace_cursor.h"

namespace whorl::sim {

namespace {

/// Plays one access and writes down what it did.
Step stepOf(Simulator& state, Tick tick, const Access& access) {
    Step step{.tick = tick, .access = access, .events = {}, .kinds = {}, .reorderings = {}};
    const Hierarchy& hierarchy = state.hierarchy();
    EventList events([&](const Event& e) {
        if (e.kind == EventKind::memory || e.kind == EventKind::tlbMiss) return;
        // An event is told before the set changes.
        const auto known = std::find_if(step.reorderings.begin(), step.reorderings.end(), [&](const Reordering& r) {
            return r.level == e.level && r.cache == e.cache && r.set == e.set;
        });
        if (known != step.reorderings.end()) return;
        step.reorderings.push_back({.level = e.level,
                                    .cache = e.cache,
                                    .set = e.set,
                                    .before = hierarchy.cache(e.level, e.cache).lines(e.set),
                                    .after = {}});
    });
    state.step(access, events);
    step.events.assign(events.begin(), events.end());
    for (Reordering& r : step.reorderings) r.after = hierarchy.cache(r.level, r.cache).lines(r.set);
    return step;
}

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
    snapshot_->t = clamped;
    return *snapshot_;
}

/// Whether the last moment leads to one that is wanted: it is not far before, and all that must be told was.
bool SnapshotReader::canGoOn(Tick to, const Lookback& lookback) const {
    // Playing on is cheaper than starting from a checkpoint only when it is not far.
    constexpr std::uint64_t kNear = std::uint64_t{1} << 15;
    if (!snapshot_) return false;
    const Tick at = snapshot_->begun();
    const std::uint64_t longest = std::max({lookback.steps, lookback.window, lookback.lapse});
    if (to < at || to.value - at.value > kNear + longest) return false;
    const auto told = [&](std::uint64_t count, std::size_t kept) {
        return at.value <= back(to, count) || at.value - back(to, count) <= kept;
    };
    if (!told(lookback.steps, snapshot_->recent.size()) || !told(lookback.window, snapshot_->window.size()))
        return false;
    const bool sameFlows = to == flowsTo_ && flowsFrom_.value == back(to, lookback.lapse);
    return lookback.lapse == 0 || sameFlows || at.value <= back(to, lookback.lapse);
}

void SnapshotReader::startAt(Tick from) {
    std::vector<std::uint64_t> missed;
    snapshot_.emplace(run_->stateAt(from, &missed));
    missed_ = std::move(missed);
    kinds_ = run_->kinds();
    flowsFrom_ = flowsTo_ = from;
}

void SnapshotReader::playTo(Tick to, const Lookback& lookback) {
    const Tick at = snapshot_->begun();
    const bool again = to == flowsTo_ && flowsFrom_.value == back(to, lookback.lapse);
    if (lookback.lapse == 0 || !again) {
        snapshot_->flows.clear();
        flowsFrom_ = Tick{back(to, lookback.lapse)};
        flowsTo_ = to;
    }
    if (at == to) return;
    kinds_ = run_->kinds();  // more may have been built since
    playFar(Tick{std::max(at.value, back(to, lookback.steps))}, lookback, to);
    playNear(to, lookback.lapse != 0);
}

/// Plays many accesses of which only glances and flows are told.
void SnapshotReader::playFar(Tick to, const Lookback& lookback, Tick end) {
    constexpr std::size_t kBatch = 2048;
    const std::uint64_t windowFrom = back(end, lookback.window);
    const CursorLoan loan(run_->trace());
    EventList events;
    for (std::uint64_t at = snapshot_->begun().value; at < to.value;) {
        auto batch = loan.cursor().from(Tick{at});
        if (batch.empty()) return;
        batch = batch.first(std::min<std::uint64_t>({batch.size(), kBatch, to.value - at}));
        events.clear();
        snapshot_->now.play(batch, &events);
        const Event* e = events.begin();
        for (std::size_t i = 0; i < batch.size(); ++i) {
            const Access access = batch[i].unpack();
            Glance glance{.cpu = access.cpu};
            for (; e != events.end() && e->access == i; ++e) {
                const MissKind kind = kindOf(*e);
                if (access.unrecorded) continue;
                glance.take(*e, kind);
                if (lookback.lapse != 0 && at + i >= flowsFrom_.value) snapshot_->flows.take(*e, access, run_->trace());
            }
            if (at + i >= windowFrom) snapshot_->window.push_back(glance);
        }
        at += batch.size();
    }
}

/// Plays the last accesses, of which all is told.
void SnapshotReader::playNear(Tick to, bool flows) {
    run_->trace().forEach(snapshot_->begun(), to, [&](Tick tick, const Access& a) {
        Step step = stepOf(snapshot_->now, tick, a);
        Glance glance{.cpu = a.cpu};
        for (const Event& e : step.events) {
            const MissKind kind = kindOf(e);
            if (e.kind == EventKind::miss) step.kinds.push_back(kind);
            if (a.unrecorded) continue;
            glance.take(e, kind);
            if (flows && tick >= flowsFrom_) snapshot_->flows.take(e, a, run_->trace());
        }
        if (a.unrecorded) {
            step.events.clear();
            step.kinds.clear();
            step.reorderings.clear();
        }
        snapshot_->window.push_back(glance);
        snapshot_->recent.push_back(std::move(step));
    });
}

/// The kind of a miss: they are listed by level in the order in which they happen.
MissKind SnapshotReader::kindOf(const Event& e) {
    if (e.kind != EventKind::miss) return {};
    const std::uint64_t miss = missed_[e.level]++;
    const MissKindList& kinds = (*kinds_)[e.level];
    return miss < kinds.size() ? kinds[miss] : MissKind::compulsory;
}

/// A moment must hold just what was asked for, whatever was asked for before.
void SnapshotReader::trim(Tick at, const Lookback& lookback) {
    keepLast(snapshot_->recent, std::min(at.value, lookback.steps));
    keepLast(snapshot_->window, std::min(at.value, lookback.window));
}

}  // namespace whorl::sim
