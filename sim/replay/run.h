// A run: a trace on a machine. Built in one pass, on any thread that the caller chooses; the part already built can be
// queried meanwhile. Holds checkpoints, from which a short replay gives the machine at any tick, the measures of the
// whole trace, the kinds of all misses, an overview, and an index of its events.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/jobs.h"
#include "sim/base/progress.h"
#include "sim/machine/machine_config.h"
#include "sim/replay/checkpoints.h"
#include "sim/replay/measures.h"
#include "sim/replay/past.h"
#include "sim/replay/simulator.h"
#include "sim/replay/totals/block_use.h"
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

    /// Plays the whole trace once, after computing the future accesses for levels with OPT. Progress is in accesses.
    /// Returns false when cancelled: the part built so far remains usable. The result does not depend on threads.
    bool build(Progress& progress, const ThreadRunner& threads = {});
    /// Builds the run as build() does, but stops soon after `until` accesses, for callers that need nothing later. The
    /// part built is as if the whole were, except for results that depend on later accesses: which sharing was true,
    /// and which bytes were used.
    bool buildUntil(Tick until, Progress& progress, const ThreadRunner& threads = {});
    /// Begins to build the run, or goes on where this stopped, by about so many accesses: for callers without threads,
    /// which do something else between two parts. False when cancelled. Do not mix it with build().
    bool buildPart(std::uint64_t accesses, Progress& progress);

    const Trace& trace() const { return *trace_; }
    const std::shared_ptr<const Trace>& sharedTrace() const { return trace_; }
    const MachineConfig& machine() const { return machine_; }
    /// Whether it goes on from the caches of a longer run, as an excerpt does on the machine that its past is kept of.
    bool goesOn() const { return past_.has_value(); }

    /// The number of accesses played so far. Never decreases.
    Tick built() const { return Tick{built_.load(std::memory_order_acquire)}; }
    bool complete() const { return built().value == trace_->size(); }

    /// A copy of the overview of the part built.
    Overview overview() const;
    /// The counts over the whole trace once complete, otherwise over the part built.
    Counters totals() const;
    /// All measures of the whole trace, with a ledger, once complete; null before.
    std::shared_ptr<const Measures> measures() const;
    /// The kinds of each level's misses, in order of occurrence, as far as the run is built.
    std::shared_ptr<const std::vector<MissKindList>> kinds() const;

    /// The bytes used of all blocks that each level filled, in order, once complete; null before.
    std::shared_ptr<const std::vector<StayUseList>> uses() const;

    /// The bytes used of the blocks in the caches, at the last tick not after `at` for which they are stored.
    struct UseAt {
        Tick at;
        std::shared_ptr<const std::string> packed;  ///< see BlockUse::packed; null: at the start
    };
    UseAt useBefore(Tick at) const;

    /// The last tick at or before `at` (at most built()) from which a replay can begin at once.
    Tick checkpointBefore(Tick at) const;
    /// The machine after `at` accesses (at most built()), replayed from the nearest earlier checkpoint.
    Simulator stateAt(Tick at) const;
    /// The machine as stateAt() returns it, with readers of the misses' kinds and of the blocks' use that follow.
    struct Resumed {
        Simulator machine;
        MissKindReader kinds;
        StayUseReader uses;
    };
    Resumed resumeAt(Tick at) const;

    /// All measures of a range, which must be built, with a ledger. Costs a replay of the range, or of the accesses
    /// outside it if these are fewer. Progress is in accesses; empty when cancelled. While the run is not complete,
    /// misses by true sharing may still count as false sharing, and the use of blocks is unknown: there are no fills.
    std::optional<Measures> between(Range range, Progress& progress) const;

    /// The number of chunks of the trace, from the first, whose events are indexed.
    std::size_t indexedChunks() const;
    /// What an indexed chunk may contain.
    Outline outline(std::size_t chunk) const;
    /// All index entries of a chunk; costs a replay of the chunk if there was no room to keep them.
    std::vector<IndexEntry> entries(std::size_t chunk) const;

    /// The size of everything kept, in bytes, without the trace.
    std::size_t bytes() const;

  private:
    class Builder;
    struct Building;

    std::unique_ptr<Building> beginBuilding(Progress& progress);
    std::shared_ptr<const Checkpoints> checkpoints() const;
    std::optional<Measures> measured(Range range, Progress& progress) const;

    std::shared_ptr<const Trace> trace_;
    MachineConfig machine_;
    std::optional<Past> past_;  ///< of an excerpt, on the machine of which it is kept

    std::atomic<std::uint64_t> built_{0};
    mutable std::mutex mutex_;  ///< guards everything below
    std::shared_ptr<Checkpoints> checkpoints_;
    Overview overview_;
    EventIndex eventIndex_;
    std::shared_ptr<const std::vector<MissKindList>> kinds_;  ///< as far as the run is built
    std::shared_ptr<const std::vector<StayUseList>> uses_;    ///< null until the run is complete
    std::vector<UseAt> usesAt_;                               ///< ascending
    Counters totals_;
    std::shared_ptr<const Measures> measures_;

    std::unique_ptr<Building> building_;  ///< between two parts; only the thread that builds uses it
};

}  // namespace whorl::sim
