// A run: a trace on a machine. Built in one pass, in whatever thread the caller chooses; what is built can be asked for
// while the rest is being built. Holds checkpoints, from which any moment follows by a short replay.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "sim/error.h"
#include "sim/machine/machine_config.h"
#include "sim/measure/overview.h"
#include "sim/progress.h"
#include "sim/run/moment.h"
#include "sim/run/simulator.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

class Run {
  public:
    /// The machine must be sound. Its number of CPUs is raised to the trace's.
    Run(std::shared_ptr<const Trace> trace, MachineConfig machine);

    /// Plays the whole trace once. Progress is in accesses. False when it was cancelled: what is built stays usable.
    bool build(Progress& progress);

    const Trace& trace() const { return *trace_; }
    const std::shared_ptr<const Trace>& sharedTrace() const { return trace_; }
    const MachineConfig& machine() const { return machine_; }

    /// How many accesses have been played so far. Never falls.
    Tick built() const { return Tick{built_.load(std::memory_order_acquire)}; }
    bool complete() const { return built().value == trace_->size(); }

    /// The overview of what is built, as a copy.
    Overview overview() const;
    /// The counts over the whole trace, once complete; else over what is built.
    Counters totals() const;

    /// The machine after `at` accesses, replayed from the nearest checkpoint before; at most built().
    Simulator stateAt(Tick at) const;

  private:
    struct Checkpoint {
        Tick at;
        std::shared_ptr<const Simulator> state;
    };

    Checkpoint nearest(Tick at) const;
    void addCheckpoint(Tick at, const Simulator& state);

    std::shared_ptr<const Trace> trace_;
    MachineConfig machine_;
    std::size_t maxCheckpoints_;
    std::uint64_t spacing_;  ///< accesses between checkpoints; doubles when there are too many

    std::atomic<std::uint64_t> built_{0};
    mutable std::mutex mutex_;  ///< guards all below
    std::vector<Checkpoint> checkpoints_;
    Overview overview_;
    std::shared_ptr<const Simulator> last_;
};

/// Reads moments off a run. Keeps the last state it computed, so that moments that follow one another are cheap: a
/// cache, which has no influence on what is given. For one thread; the run must outlive it.
class MomentReader {
  public:
    explicit MomentReader(std::shared_ptr<const Run> run) : run_(std::move(run)) {}

    const Run& run() const { return *run_; }

    /// The moment at time t (clamped to what is built), with the last `lookback` accesses that have begun.
    Moment at(double t, std::uint64_t lookback);

  private:
    void seek(Tick to);

    std::shared_ptr<const Run> run_;
    std::unique_ptr<Simulator> state_;
    Tick at_;
};

}  // namespace whorl::sim
