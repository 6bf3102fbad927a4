// What came before the first access of a trace that is a stretch of a longer one: the machine goes on from there, and
// what only the whole run tells of the misses and fills of the stretch, their kinds and the use of their blocks, is
// known.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/types.h"
#include "sim/machine/machine_config.h"
#include "sim/replay/simulator.h"
#include "sim/replay/totals/block_use.h"
#include "sim/replay/totals/miss_kind.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

class LedgerBuilder;
class Run;

struct Past {
    Simulator machine;                                       ///< at the first access; it has counted nothing
    std::shared_ptr<const std::vector<MissKindList>> kinds;  ///< of the misses of the stretch, by level
    std::shared_ptr<const std::vector<StayUseList>> uses;    ///< of the blocks filled during the stretch, by level
    std::shared_ptr<const std::string> use;                  ///< BlockUse::packed() at the first access

    /// The use of the blocks that a machine which has played the stretch has filled, by level.
    std::vector<StayUseList> usesFor(const Counters& counters) const;
};

/// The past of a trace on a machine with the trace's CPUs; nothing if it begins with empty caches, as whole traces do,
/// and excerpts on other machines than the one that their past is kept of.
std::optional<Past> pastOf(const Trace& trace, const MachineConfig& machine);

/// A machine at the first access of a trace; with OPT it needs its future (see futureOf).
Simulator startOf(const Trace& trace, const MachineConfig& machine, const Future& future = {});

/// What sums the misses and fills of a trace up from its first access on, and, without a past, tells their kinds and
/// use.
LedgerBuilder ledgerBuilderFor(const Trace& trace, const MachineConfig& machine, const std::optional<Past>& past);

/// A range of a complete run as a trace of its own, with its past on the run's machine. Objects and marks of other
/// times are left out. An error if the machine has a level with OPT, whose future is beyond the range.
Expected<std::shared_ptr<const Trace>> excerptOf(const Run& run, Range range);

}  // namespace whorl::sim
