// Which layout changes would eliminate false sharing.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/analysis/sharing.h"
#include "sim/machine/machine_config.h"

namespace whorl::sim {

/// The block sizes of the levels that have several caches, without duplicates.
std::vector<std::uint32_t> coherentBlockSizes(const MachineConfig& machine);

/// Layout changes after which no block of a group contains what different CPUs use; empty when each of its blocks is
/// used by one CPU alone, or the shared data has no name.
std::vector<LayoutChange> proposalsFor(const SharingReport& report, const SharingGroup& group);

/// The things of a group whose elements alternate between CPUs: see SharingGroup.
std::vector<std::size_t> alternatingThings(const SharingReport& report, const SharingGroup& group);

/// What to try for a group with proposals, the most likely first: all of them together, also for other block sizes, and
/// with padding instead of alignment, or the reverse.
std::vector<std::vector<LayoutChange>> candidatesFor(const SharingGroup& group,
                                                     std::span<const std::uint32_t> blockSizes);

}  // namespace whorl::sim
