// A run: a trace on a machine. Built in one pass, in whatever thread the caller chooses; what is built can be asked for
// while the rest is being built. Holds checkpoints, from which the machine at any tick follows by a short replay, the
// measures of the whole, the kinds of all misses, an overview, and an index of its events.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "sim/base/progress.h"
#include "sim/machine/machine_config.h"
#include "sim/replay/checkpoints.h"
#include "sim/replay/measures.h"
#include "sim/replay/simulator.h"
#include "sim/replay/totals/event_index.h"
#include "sim/replay/totals/miss_kind.h"
#include "sim/replay/totals/overview.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

class Run {
  public:
    /// The machine must be sound. Its number of CPUs is raised to the trace's.
    Run(std::shared_ptr<const Trace> trace, MachineConfig machine);
    ~Run();
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;

    /// Plays the whole trace once; before that, levels with OPT look into the future. Progress is in accesses. False
    /// when it was cancelled: what is built stays usable.
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
    /// All measures of the whole, with a ledger, once complete; null before.
    std::shared_ptr<const Measures> measures() const;
    /// The kinds of the misses of each level, in the order in which they happened, as far as the run is built.
    std::shared_ptr<const std::vector<MissKindList>> kinds() const;

    /// The machine after `at` accesses, replayed from the nearest checkpoint before; at most built().
    Simulator stateAt(Tick at) const;
    /// The same, with the kinds of the misses that follow.
    struct Resumed {
        Simulator machine;
        MissKindReader kinds;
    };
    Resumed resumeAt(Tick at) const;

    /// All measures of a range, which must be built, with a ledger. Costs a replay of the range, or of what is outside
    /// it when that is shorter. Progress is in accesses; nothing when it was cancelled. Of a run that is not complete,
    /// misses by sharing may still count as false.
    std::optional<Measures> between(Range range, Progress& progress) const;

    /// The chunks of the trace, from the first on, of which the events are indexed.
    std::size_t indexedChunks() const;
    /// What an indexed chunk may hold.
    Outline outline(std::size_t chunk) const;
    /// All that is indexed of a chunk; costs a replay of the chunk where there was no room to keep it.
    std::vector<IndexEntry> entries(std::size_t chunk) const;

    /// What all that is kept takes, in bytes, without the trace.
    std::size_t bytes() const;

  private:
    class Builder;

    std::shared_ptr<const Checkpoints> checkpoints() const;
    std::optional<Measures> measured(Range range, Progress& progress) const;

    std::shared_ptr<const Trace> trace_;
    MachineConfig machine_;

    std::atomic<std::uint64_t> built_{0};
    mutable std::mutex mutex_;  ///< guards all below
    std::shared_ptr<Checkpoints> checkpoints_;
    Overview overview_;
    EventIndex eventIndex_;
    std::shared_ptr<const std::vector<MissKindList>> kinds_;  ///< as far as the run is built
    Counters totals_;
    std::shared_ptr<const Measures> measures_;
};

}  // namespace whorl::sim
