#include "sim/analysis/history_of.h"

#include <algorithm>

#include "sim/analysis/cost_table.h"
#include "sim/analysis/residency_recorder.h"
#include "sim/replay/clock.h"
#include "sim/trace/trace_cursor.h"

namespace whorl::sim {

namespace {

/// Accesses between two looks at the wish to stop.
constexpr std::uint64_t kBatch = 4096;

/// About so many moments are known by tick and by cycle.
constexpr std::uint64_t kMostStarts = 4096;

class HistoryMaker {
  public:
    HistoryMaker(const Run& run, Stretch stretch, const HistoryBudget& budget)
        : run_(run),
          trace_(run.trace()),
          machine_(run.machine()),
          stretch_(stretch),
          costs_(trace_, budget.words),
          stays_(machine_, budget),
          history_(std::make_shared<History>()) {}

    std::shared_ptr<const History> make(Progress& progress) {
        progress.setTotal(stretch_.to.value);
        history_->stride = std::max<std::uint64_t>(1, (stretch_.to.value - stretch_.from.value) / kMostStarts);
        if (!play(progress)) return nullptr;
        if (stays_.isOver()) {
            stays_.startAgain();
            isAgain_ = true;
            if (!play(progress)) return nullptr;
        }
        history_->from = stretch_.from;
        history_->to = stretch_.to;
        history_->cpus = machine_.cpus;
        stays_.finish(*history_, costs_.finish(*history_));
        return std::move(history_);
    }

  private:
    struct State {
        Simulator simulator;
        Clock clock;
    };

    bool play(Progress& progress);
    State startingState() const;
    void lead(State& state, const PackedAccess& packed, Tick tick);
    void take(State& state, const PackedAccess& packed, Tick tick);
    Cycles step(State& state, const Access& access);

    const Run& run_;
    const Trace& trace_;
    const MachineConfig& machine_;
    Stretch stretch_;
    bool isAgain_ = false;  ///< costs are put down already
    CostTable costs_;
    ResidencyRecorder stays_;
    EventList events_;
    std::shared_ptr<History> history_;
};

/// Where nothing is known of time but what accesses cost, the clocks at any moment are known to the run.
HistoryMaker::State HistoryMaker::startingState() const {
    Simulator simulator = run_.stateAt(trace_.timing().empty() ? stretch_.from : Tick{0});
    std::vector<Cycles> now(machine_.cpus);
    for (std::uint32_t cpu = 0; cpu < now.size(); ++cpu) now[cpu] = simulator.clock(cpu);
    Clock clock =
        trace_.timing().empty() ? Clock(trace_.timing(), std::move(now)) : Clock(trace_.timing(), machine_.cpus);
    return {std::move(simulator), std::move(clock)};
}

bool HistoryMaker::play(Progress& progress) {
    State state = startingState();
    TraceCursor cursor(trace_);
    std::uint64_t t = state.simulator.played();
    if (t == stretch_.from.value) stays_.begin(state.simulator.hierarchy());
    history_->begin = ~Cycles{0};
    while (t < stretch_.to.value) {
        if (progress.cancelled()) return false;
        const bool isBefore = t < stretch_.from.value;
        const std::uint64_t end = isBefore ? stretch_.from.value : stretch_.to.value;
        auto some = cursor.from(Tick{t});
        if (some.empty()) break;
        some = some.first(std::min<std::uint64_t>({some.size(), kBatch, end - t}));
        for (const PackedAccess& access : some) {
            if (isBefore) {
                lead(state, access, Tick{t++});
            } else {
                take(state, access, Tick{t++});
            }
        }
        if (isBefore && t == stretch_.from.value) stays_.begin(state.simulator.hierarchy());
        progress.setDone(t);
    }
    history_->end = state.clock.elapsed();
    history_->begin = std::min(history_->begin, history_->end);
    return true;
}

/// Plays an access and gives what it cost; `events_` has its events.
Cycles HistoryMaker::step(State& state, const Access& access) {
    const Cycles before = state.simulator.clock(access.cpu);
    events_.clear();
    state.simulator.step(access, events_);
    return state.simulator.clock(access.cpu) - before;
}

/// An access before the stretch.
void HistoryMaker::lead(State& state, const PackedAccess& packed, Tick tick) {
    const Access access = packed.unpack();
    state.clock.take(tick, access.cpu, step(state, access));
}

void HistoryMaker::take(State& state, const PackedAccess& packed, Tick tick) {
    const Access access = packed.unpack();
    const Cycles cost = step(state, access);
    const Cycles at = state.clock.take(tick, access.cpu, cost);
    history_->begin = std::min(history_->begin, at);
    if ((tick.value - stretch_.from.value) % history_->stride == 0 && !isAgain_) {
        history_->starts.push_back(history_->starts.empty() ? at : std::max(at, history_->starts.back()));
    }
    const bool isHit = events_.size() == 1 && events_[0].kind == EventKind::hit;
    CostTable::Whose whose;
    if (!access.unrecorded && !isAgain_) {
        const std::uint64_t counts = access.modify && machine_.conventions.modifyCountsOnce ? 0 : 1;
        whose = costs_.charge(access.address, access.site, tick, cost, counts);
        stays_.charge(access.address, cost, counts);
    } else if (!isHit) {
        whose = costs_.whose(access.address, access.site, tick);
    }
    if (isHit && !access.isWrite()) return;
    stays_.take({.tick = tick, .at = at, .cost = cost, .access = access, .whose = whose}, events_,
                state.simulator.hierarchy());
}

}  // namespace

std::shared_ptr<const History> historyOf(const Run& run, Stretch stretch, Progress& progress,
                                         const HistoryBudget& budget) {
    return HistoryMaker(run, stretch, budget).make(progress);
}

}  // namespace whorl::sim
