// Runs a program with its loops in other orders, and measures what is lost then on one machine. Which orders there are
// is known by who calls: see sim/programs/pattern/loop_orders.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/jobs.h"
#include "sim/base/progress.h"
#include "sim/cache/cost.h"
#include "sim/machine/machine_config.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// A program with its loops in another order.
struct OtherLoops {
    std::string words;       ///< "the loops over i and j the other way round"
    std::uint32_t line = 0;  ///< the source line of the outermost of these loops
    std::string text;        ///< the program
    std::function<Expected<Trace>(Progress&)> run;
};

/// What a program with other loops does on the machine at hand.
struct LoopTrial {
    OtherLoops loops;
    std::uint64_t accesses = 0;
    Cycles cycles = 0;                   ///< access cycles of all accesses
    Cycles lost = 0;                     ///< of them, those beyond a look-up in the nearest level for each access
    std::vector<std::uint64_t> misses;   ///< by level
    std::optional<std::size_t> savesAt;  ///< the level whose saved misses cost most; none: it saves none
};

/// Runs and plays those of the loops that can be run, the fewest cycles first. The progress must have been split.
/// Nothing when cancelled.
std::optional<std::vector<LoopTrial>> loopTrials(std::span<const OtherLoops> loops, const MachineConfig& machine,
                                                 const JobRunner& run, Progress& progress);

}  // namespace whorl::sim
