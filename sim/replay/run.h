// A run: a trace on a machine. Built in one pass, in whatever thread the caller chooses; what is built can be asked for
// while the rest is being built. Holds checkpoints, from which any moment follows by a short replay, the books of the
// whole, and a journal in which what comes next is found.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/progress.h"
#include "sim/machine/machine_config.h"
#include "sim/replay/checkpoints.h"
#include "sim/replay/event_query.h"
#include "sim/replay/simulator.h"
#include "sim/replay/totals/event_index.h"
#include "sim/replay/totals/ledger.h"
#include "sim/replay/totals/miss_kind.h"
#include "sim/replay/totals/overview.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

class LedgerBuilder;

/// All that was measured of a stretch of a run.
struct Measures {
    Counters counters;
    Ledger ledger;
    std::vector<Cycles> cycles;  ///< waited, by CPU
};

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
    /// All measures of the whole, once complete; null before.
    std::shared_ptr<const Measures> measures() const;

    /// The machine after `at` accesses, replayed from the nearest checkpoint before; at most built(). `missed`, if
    /// given, gets how many misses of each level there were until then.
    Simulator stateAt(Tick at, std::vector<std::uint64_t>* missed = nullptr) const;
    /// The kinds of the misses of each level, in the order in which they happened, as far as the run is built.
    std::shared_ptr<const std::vector<MissKindList>> kinds() const;

    /// All measures of the accesses [from, to), which must be built. Costs a replay of the stretch, or of what is
    /// outside it when that is shorter. Progress is in accesses; nothing when it was cancelled. Of a run that is not
    /// complete, misses by sharing may still count as false.
    std::optional<Measures> between(Tick from, Tick to, Progress& progress) const;

    /// The first access after `from`, or the last before it, that does what is looked for; nothing when none does as
    /// far as the run is built, or when it was cancelled. `from` itself does not count.
    std::optional<Tick> find(const EventQuery& query, Tick from, Way way, Progress& progress) const;

    /// What all that is kept takes, in bytes, without the trace.
    std::size_t bytes() const;

  private:
    void play(Simulator& state, LedgerBuilder& ledgerBuilder, Progress& progress);
    void playOn(Simulator& state, Tick from, Tick to) const;
    void publish(const Simulator& state, const LedgerBuilder& ledgerBuilder, Tick at);
    std::shared_ptr<const Checkpoints> checkpoints() const;
    std::optional<Measures> replay(Tick from, Tick to, Progress& progress) const;
    std::vector<IndexEntry> entriesOf(std::size_t chunk) const;

    std::shared_ptr<const Trace> trace_;
    MachineConfig machine_;
    Future future_;

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
