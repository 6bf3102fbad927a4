#include "sim/run/run.h"

#include <algorithm>
#include <cmath>

namespace whorl::sim {

namespace {

/// What all checkpoints together may take.
constexpr std::size_t kCheckpointBudget = std::size_t{128} << 20;
/// Accesses between checkpoints at first: about 2 ms of replay.
constexpr std::uint64_t kFirstSpacing = std::uint64_t{1} << 16;
/// Accesses between two publications of what is built: often enough to see it grow, seldom enough to cost nothing.
constexpr std::uint64_t kPublishEvery = std::uint64_t{1} << 18;

std::size_t stateBytes(const MachineConfig& machine) {
    return Simulator(machine).bytes();
}

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
    step.events.assign(events.begin(), events.end());
    for (Reordering& r : step.reorderings) r.after = hierarchy.cache(r.level, r.cache).lines(r.set);
    return step;
}

}  // namespace

Run::Run(std::shared_ptr<const Trace> trace, MachineConfig machine)
    : trace_(std::move(trace)),
      machine_(withCpus(std::move(machine), trace_->cpus())),
      maxCheckpoints_(std::clamp<std::size_t>(kCheckpointBudget / stateBytes(machine_), 16, 4096)),
      spacing_(kFirstSpacing),
      overview_(machine_.levels.size()),
      last_(std::make_shared<const Simulator>(machine_)) {
    checkpoints_.push_back({Tick{0}, last_});
}

bool Run::build(Progress& progress) {
    const std::uint64_t size = trace_->size();
    progress.setTotal(size);
    Simulator state(machine_);
    Overview overview(machine_.levels.size());
    EventList events;
    std::uint64_t done = 0;
    while (done < size && !progress.cancelled()) {
        // Stops at every multiple of the spacing, where a checkpoint is due, and where it is time to publish.
        const std::uint64_t stop =
            std::min({size, (done / spacing_ + 1) * spacing_, (done / kPublishEvery + 1) * kPublishEvery});
        trace_->forEach(Tick{done}, Tick{stop}, [&](Tick t, const Access& a) {
            events.clear();
            state.step(a, events);
            for (const Event& e : events) overview.count(t.value, e);
        });
        done = stop;
        if (done % spacing_ == 0) addCheckpoint(Tick{done}, state);
        if (done % kPublishEvery == 0 || done == size) {
            const std::lock_guard lock(mutex_);
            overview_ = overview;
            last_ = std::make_shared<const Simulator>(state);
            built_.store(done, std::memory_order_release);
        }
        progress.setDone(done);
    }
    return done == size;
}

void Run::addCheckpoint(Tick at, const Simulator& state) {
    auto copy = std::make_shared<const Simulator>(state);
    const std::lock_guard lock(mutex_);
    checkpoints_.push_back({at, std::move(copy)});
    if (checkpoints_.size() <= maxCheckpoints_) return;
    spacing_ *= 2;
    std::erase_if(checkpoints_, [&](const Checkpoint& c) { return c.at.value % spacing_ != 0; });
}

Overview Run::overview() const {
    const std::lock_guard lock(mutex_);
    return overview_;
}

Counters Run::totals() const {
    const std::lock_guard lock(mutex_);
    return last_->counters();
}

Run::Checkpoint Run::nearest(Tick at) const {
    const std::lock_guard lock(mutex_);
    const auto after =
        std::upper_bound(checkpoints_.begin(), checkpoints_.end(), at,
                         [](Tick wanted, const Checkpoint& checkpoint) { return wanted < checkpoint.at; });
    return *std::prev(after);
}

Simulator Run::stateAt(Tick at) const {
    const Checkpoint from = nearest(at);
    Simulator state = *from.state;
    trace_->forEach(from.at, at, [&](Tick, const Access& a) { state.step(a); });
    return state;
}

Moment MomentReader::at(double t, std::uint64_t lookback) {
    const double end = static_cast<double>(run_->built().value);
    const double clamped = std::clamp(t, 0.0, end);
    const Tick begun{static_cast<std::uint64_t>(std::ceil(clamped))};
    const Tick from{begun.value - std::min(begun.value, lookback)};
    seek(from);
    Moment moment{.t = clamped, .now = *state_, .recent = {}};
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
        run_->trace().forEach(at_, to, [&](Tick, const Access& a) { state_->step(a); });
    }
    at_ = to;
}

}  // namespace whorl::sim
