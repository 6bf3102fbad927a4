// Tries the layout changes that would separate what different CPUs use: plays the trace with each on the machine at
// hand. A change that separates data also uses more of the caches, so it may cost more than it saves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/analysis/sharing.h"
#include "sim/base/progress.h"
#include "sim/machine/machine_config.h"
#include "sim/replay/run.h"

namespace whorl::sim {

/// The maximum number of trials for a report, each a replay; a few more are made to combine cures.
inline constexpr std::size_t kMaxTrials = 48;

/// The block sizes of the levels that have several caches, without duplicates.
std::vector<std::uint32_t> coherentBlockSizes(const MachineConfig& machine);

/// What to try for a group with proposals, the most likely first: all of them together, also for other block sizes, and
/// with padding instead of alignment, or the reverse.
std::vector<LayoutChanges> candidatesFor(const SharingGroup& group, std::span<const std::uint32_t> blockSizes);

/// Whether a trial saves more than another: cycles elapsed before access cycles before bytes.
bool savesMore(const Trial& a, const Trial& b);

/// The cures of all groups, the best first, without duplicates.
std::vector<Trial> allCures(const SharingReport& report);

/// Tries the proposals in a report of a run, and fills in its cures: those that save kMinGain of the elapsed cycles
/// or of all stall cycles, without costing some of the other kind. They are measured over the report's range, as by
/// measure(). Changes that move nothing or cannot be applied are left out. Returns false when cancelled: the report
/// then has no cures.
bool tryCures(SharingReport& report, const Run& run, Progress& progress);

}  // namespace whorl::sim
