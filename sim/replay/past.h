// The past of a trace that is a stretch of a longer one: the machine at its first access, and two things about its
// misses and fills that only the whole run tells, their kinds and the use of their blocks.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/types.h"
#include "sim/machine/machine_config.h"
#include "sim/replay/simulator.h"
#include "sim/replay/totals/block_use.h"
#include "sim/replay/totals/miss_kind.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

class LedgerBuilder;

struct Past {
    Simulator machine;                                       ///< at the first access; it has counted nothing
    std::shared_ptr<const std::vector<MissKindList>> kinds;  ///< of the misses of the stretch, by level
    std::shared_ptr<const std::vector<StayUseList>> uses;    ///< of the blocks filled during the stretch, by level
    std::shared_ptr<const std::string> use;                  ///< BlockUse::packed() at the first access

    /// The use of the blocks that a machine which has played the stretch has filled, by level.
    std::vector<StayUseList> usesFor(const Counters& counters) const;
};

/// The kinds of the misses of a level, and the bytes used of the blocks filled, during a stretch.
struct LevelPast {
    std::vector<MissKind> kinds;
    std::vector<std::uint32_t> uses;
};
/// A past as an excerpt holds it: of a hierarchy at the first access, the use of its blocks there, and what follows, by
/// level.
std::string packedPast(const Hierarchy& hierarchy, const BlockUse& use, const std::vector<LevelPast>& levels);

/// The past of a trace on a machine with the trace's CPUs; nothing if it begins with empty caches, as whole traces do,
/// and excerpts on other machines than the one that their past is kept of.
std::optional<Past> pastOf(const Trace& trace, const MachineConfig& machine);

/// A machine at the first access of a trace; with OPT it needs its future (see futureOf).
Simulator startOf(const Trace& trace, const MachineConfig& machine, const Future& future = {});

/// What sums the misses and fills of a trace up from its first access on, and, without a past, tells their kinds and
/// use.
LedgerBuilder ledgerBuilderFor(const Trace& trace, const MachineConfig& machine, const std::optional<Past>& past);

}  // namespace whorl::sim
