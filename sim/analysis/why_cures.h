// Which other layouts of an array might save cycles, judged by how it is accessed and why it misses. Whether one does
// is found by playing the trace with it: see why.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/analysis/layout_trials.h"
#include "sim/analysis/sharing.h"
#include "sim/analysis/stalls.h"
#include "sim/machine/machine_config.h"
#include "sim/replay/measures.h"
#include "sim/trace/layout/layout_change.h"

namespace whorl::sim {

/// What is known about the stalls of a trace on a machine.
struct StallFacts {
    const Trace& trace;
    const Measures& measures;                ///< with a ledger
    const std::vector<StallTally>& tallies;  ///< tallies of all lines and owners
    const SharingReport* sharing = nullptr;  ///< null: not known, or there is none
};

/// The most layouts that are tried for an array.
inline constexpr std::size_t kMaxCures = 10;

/// The number of sets that a series of addresses at this distance maps to, however long it is.
std::uint64_t setsInSteps(const LevelConfig& cache, std::uint64_t bytes);

/// The change with the name of a region, if the name means exactly that region, also when it is written down and used
/// for another recording of the program: there the region is at another address, and unnamed memory is elsewhere.
std::optional<LayoutChange> namedFor(const Trace& trace, std::size_t region, LayoutChange change);

/// Layouts to try for the memory of an owner, each made by changes that are applied one after the other: transposed if
/// it is walked with a constant stride, split if it has fields and bytes are fetched in vain, rows padded and bases
/// shifted against conflicts, elements spread and things aligned against false sharing; blocks of the heap gathered in
/// one place. None if it cannot be named.
std::vector<LayoutChanges> curesFor(const StallFacts& facts, std::size_t owner);

}  // namespace whorl::sim
