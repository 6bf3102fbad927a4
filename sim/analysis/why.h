// Why a program stalls: the source lines and the arrays that lose most cycles, how they miss, and which other layout,
// or which other order of its loops, saves cycles, found by playing the trace with it on the same machine.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/analysis/loop_trials.h"
#include "sim/analysis/loss_sample.h"
#include "sim/analysis/sharing.h"
#include "sim/analysis/stalls.h"
#include "sim/analysis/why_hints.h"
#include "sim/base/error.h"
#include "sim/base/jobs.h"
#include "sim/base/progress.h"
#include "sim/cache/cost.h"
#include "sim/machine/machine_config.h"
#include "sim/replay/totals/block_use.h"
#include "sim/replay/totals/miss_kind.h"
#include "sim/trace/trace.h"
#include "sim/trace/trace_passes.h"

namespace whorl::sim {

/// How an array is accessed, by one line or by all.
struct ArrayUse {
    std::size_t owner = 0;  ///< whose memory it is (see Owners); their number: nobody's
    std::string name;
    std::uint64_t accesses = 0;
    Cycles lost = 0;
    StrideSummary stride;           ///< stride of the accesses by the line that loses most
    bool isByColumns = false;       ///< its stride is a whole number of rows
    std::uint64_t spanning = 0;     ///< accesses of several elements or fields at once
    bool hasName = false;           ///< the array has its own name, which --map takes
    std::uint64_t fields = 0;       ///< number of fields of an element; 0: not known
    std::string line;               ///< the line that loses most for the array
    std::vector<std::string> used;  ///< fields that this line uses, by offset; empty: not known
    bool alternates = false;        ///< elements alternate between CPUs (see SharingGroup)
};

using KindCounts = std::array<std::uint64_t, kMissKinds>;

/// A source line, function or array that stalls. An array is the memory of an owner (see Owners).
struct StallRow {
    std::string name;
    std::optional<std::uint32_t> line;  ///< number in SourceLines; none: it is an array
    // As in the tables of `whorl stats`.
    std::uint64_t accesses = 0;
    Cycles cycles = 0;
    std::vector<KindCounts> misses;  ///< by level
    std::vector<StaySum> stays;      ///< by level

    Cycles lost = 0;                   ///< cycles beyond a look-up in the nearest level for each access
    StrideSummary stride;              ///< stride of all its accesses
    ArrayUse array;                    ///< a line: the array for which it loses most
    std::vector<Trial> tried;          ///< layouts tried for the array, the best first
    std::optional<Trial> cure;         ///< the best of them that saves kMinGain of all stall cycles, for this row, too
    std::vector<Estimate> missesThen;  ///< misses with the cure, by level
    std::optional<std::size_t> savesAt;  ///< the level whose misses saved by the cure cost most; none: it saves none
    WhyHints hints;                      ///< of a line only first touches and the prefetcher

    std::uint64_t missesAt(std::size_t level) const;
    std::uint64_t missesThenAt(std::size_t level) const;
    /// In about 9 of 10 cases they are within so many of these; 0: they are exact.
    std::uint64_t missesThenWithin(std::size_t level) const;
};

/// How long all CPUs together waited for each other, in cycles; as in costs over time (CycleClasses).
struct WaitSums {
    Cycles atLocks = 0;
    Cycles atBarriers = 0;
    Cycles ofAll = 0;  ///< cycles of all CPUs, until all have finished
};

struct WhyReport {
    std::string trace;
    MachineConfig machine;
    std::vector<std::string> settings;  ///< settings of the machine beside its name; the caller adds them
    std::uint64_t accesses = 0;
    Cycles cycles = 0;  ///< access cycles of all accesses
    Cycles lost = 0;
    std::vector<std::uint64_t> misses;  ///< by level
    std::vector<StallRow> lines;        ///< the most cycles lost first
    std::vector<StallRow> arrays;       ///< the most cycles lost first
    std::size_t tried = 0;              ///< number of layouts tried
    std::uint64_t played = 0;           ///< accesses that each of them was tried on; fewer than all: a sample
    std::vector<LoopTrial> loops;       ///< other orders of loops that were run, on the whole trace, the best first
    WaitSums waits;                     ///< 0 where no CPU may have to wait
    BusyFunction busiest;               ///< the function that makes most accesses

    /// The best of the loops that saves kMinGain of all stall cycles, of these and of all cycles; null: none does.
    const LoopTrial* loopCure() const;
    /// The access cycles that loops save; negative: what they cost.
    std::int64_t savedBy(const LoopTrial& trial) const { return static_cast<std::int64_t>(cycles - trial.cycles); }
};

/// How whyOf() works.
struct WhyRequest {
    std::size_t top = 5;                 ///< at most so many lines and arrays
    bool exact = false;                  ///< tries layouts on the whole trace, however long it is
    JobRunner run = oneByOne;            ///< how what can be done at the same time is done
    SamplePlan plan = {};                ///< how long traces are sampled; others are where less than half is played
    std::vector<OtherLoops> loops = {};  ///< other orders of the program's loops to try, the most likely first
};

/// Plays the trace up to six times, and for each layout that it tries, for the lines and arrays that lose enough to be
/// cured: a sample of a long trace. Other loops are run once each, and played whole, but only the first few if the
/// trace is long. Tables are exact in any case. Fails if the machine is not sound with the trace's CPUs, or when
/// cancelled.
Expected<WhyReport> whyOf(const std::shared_ptr<const Trace>& trace, const MachineConfig& machine,
                          const WhyRequest& request, Progress& progress);

}  // namespace whorl::sim
