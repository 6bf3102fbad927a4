#include "sim/run/moment.h"

#include <algorithm>
#include <cmath>

#include "sim/run/run.h"
#include "sim/trace/trace_cursor.h"

namespace whorl::sim {

namespace {

/// Plays one access and writes down what it did.
Step play(Simulator& state, Tick tick, const Access& access) {
    Step step{.tick = tick, .access = access, .events = {}, .reorderings = {}};
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
    if (access.unrecorded) {
        step.reorderings.clear();
        return step;
    }
    step.events.assign(events.begin(), events.end());
    for (Reordering& r : step.reorderings) r.after = hierarchy.cache(r.level, r.cache).lines(r.set);
    return step;
}

}  // namespace

Moment MomentReader::at(double t, std::uint64_t lookback, std::uint32_t cpu) {
    const double end = static_cast<double>(run_->built().value);
    const double clamped = std::clamp(t, 0.0, end);
    const Tick begun{static_cast<std::uint64_t>(std::ceil(clamped))};
    const Tick from{begun.value - std::min(begun.value, lookback)};
    seek(from);
    Moment moment{.t = clamped, .cpu = cpu, .now = *state_, .recent = {}};
    moment.recent.reserve(begun.value - from.value);
    run_->trace().forEach(from, begun,
                          [&](Tick tick, const Access& a) { moment.recent.push_back(play(moment.now, tick, a)); });
    return moment;
}

void MomentReader::seek(Tick to) {
    // Playing on is cheaper than starting from a checkpoint only when it is not far.
    constexpr std::uint64_t kNear = std::uint64_t{1} << 15;
    if (!state_ || to < at_ || to.value - at_.value > kNear) {
        state_ = std::make_unique<Simulator>(run_->stateAt(to));
    } else {
        run_->playOn(*state_, at_, to);
    }
    at_ = to;
}

}  // namespace whorl::sim
