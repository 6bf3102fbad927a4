#include "sim/analysis/history_of.h"

#include <algorithm>
#include <optional>
#include <span>

#include "sim/analysis/cost_table.h"
#include "sim/analysis/residency_recorder.h"
#include "sim/replay/clock.h"
#include "sim/replay/measures.h"
#include "sim/replay/replay.h"

namespace whorl::sim {

namespace {

/// Makes a history while it observes the accesses of the range.
class HistoryMaker final : public Observer {
  public:
    HistoryMaker(const Run& run, Range range, const HistoryBudget& budget)
        : run_(run),
          trace_(run.trace()),
          machine_(run.machine()),
          range_(range),
          costs_(trace_, budget.words),
          stays_(machine_, budget),
          history_(std::make_shared<History>()) {}

    std::shared_ptr<const History> make(Progress& progress) {
        history_->from = range_.from;
        history_->to = range_.to;
        history_->stride = cycleStride(range_.size());
        history_->begin = ~Cycles{0};
        history_->starts.reserve(range_.size() / history_->stride + 1);
        if (!play(progress)) return nullptr;
        if (stays_.isOver()) {
            stays_.startAgain();
            isAgain_ = true;
            if (!play(progress)) return nullptr;
        }
        history_->cpus = machine_.cpus;
        history_->lookUp = machine_.lookUp();
        stays_.finish(*history_, costs_.finish(*history_));
        return std::move(history_);
    }

    Wants wants() const override { return Wants::oneByOne; }
    void take(const Batch& batch) override;

  private:
    bool play(Progress& progress);
    bool lead(Simulator& simulator, Progress& progress);

    const Run& run_;
    const Trace& trace_;
    const MachineConfig& machine_;
    Range range_;
    bool isAgain_ = false;  ///< second pass: costs are already summed up
    CostTable costs_;
    ResidencyRecorder stays_;
    std::optional<Clock> clock_;
    std::shared_ptr<History> history_;
};

bool HistoryMaker::play(Progress& progress) {
    // Without times in the trace, time consists of access costs only, and the run knows the clocks at any tick.
    const bool isTimed = trace_.hasTimes();
    Simulator simulator = run_.stateAt(isTimed ? Tick{0} : range_.from);
    progress.start(range_.to.value - simulator.played());
    if (isTimed) {
        clock_.emplace(trace_, machine_.cpus);
        if (!lead(simulator, progress)) return false;
    } else {
        clock_.emplace(trace_, measuresOf(simulator, isTimed).cycles);
    }
    stays_.begin(simulator.hierarchy());
    if (!replay(trace_, simulator, range_, *this, progress)) return false;
    history_->end = clock_->elapsed();
    history_->begin = std::min(history_->begin, history_->end);
    return true;
}

/// Plays the accesses before the range, for the clocks, and to learn which accesses filled the blocks that are resident
/// when it begins.
bool HistoryMaker::lead(Simulator& simulator, Progress& progress) {
    CallingObserver clocks(Wants::events, [&](const Batch& batch) {
        batch.forEach([&](Tick t, const PackedAccess& access, std::span<const Event> events) {
            clock_->take(t, access.cpu(), access.unrecorded() ? 0 : costOf(events, machine_));
            stays_.lead(access, events);
        });
    });
    return replay(trace_, simulator, {Tick{0}, range_.from}, clocks, progress);
}

void HistoryMaker::take(const Batch& batch) {
    const Tick tick = batch.first;
    const Access access = batch.accesses.front().unpack();
    const std::span<const Event> events(batch.events.begin(), batch.events.end());
    const Cycles cycles = access.unrecorded ? 0 : costOf(events, machine_);
    const Cycles at = clock_->take(tick, access.cpu, cycles);
    if (!isAgain_) history_->took(tick, at);
    const bool isHit = events.size() == 1 && events[0].kind == EventKind::hit;
    CostTable::Whose whose;
    if (!access.unrecorded && !isAgain_) {
        const Cost cost{.accesses = countOf(access, machine_), .cycles = cycles};
        whose = costs_.add(access.address, access.site, tick, cost);
        stays_.add(access.address, cost);
    } else if (!isHit) {
        whose = costs_.whose(access.address, access.site, tick);
    }
    if (isHit && !access.isWrite()) return;
    stays_.take({.tick = tick, .at = at, .cost = cycles, .access = access, .whose = whose}, events,
                batch.after.hierarchy());
}

}  // namespace

std::shared_ptr<const History> historyOf(const Run& run, Range range, Progress& progress, const HistoryBudget& budget) {
    return HistoryMaker(run, range, budget).make(progress);
}

}  // namespace whorl::sim
