// Latent false sharing: what CPUs do not share in a run, but would share falsely if their data began a few bytes
// earlier or later, as another allocator or compiler may place it, or if blocks were twice as large.
//
// After T. Liu, C. Tian, Z. Hu, E. D. Berger, "PREDATOR: Predictive False Sharing Detection", PPoPP 2014: candidates
// are accesses by different CPUs to neighbouring blocks. Predator verifies them by tracking virtual cache lines; here
// they are replayed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/analysis/sharing.h"

namespace whorl::sim {

/// The number of placements that are replayed.
inline constexpr std::size_t kMaxPlacements = 8;

/// False sharing that would appear between the same things.
struct LatentGroup {
    std::vector<LayoutChange> shifts;  ///< things moved; none: all are in place, and blocks are twice as large
    std::size_t level = 0;             ///< the level where it costs most
    std::vector<std::string> things;   ///< contents of the blocks: names, or classes if there are many
    std::vector<std::uint32_t> cpus;   ///< CPUs that use the blocks, ascending
    std::uint64_t falseMisses = 0;     ///< misses at that level, beyond those of the run
    std::uint64_t falseMissesNow = 0;  ///< misses of the same things at that level in the run
    Cycles lost = 0;                   ///< cycles lost at all levels, beyond those of the run
};

struct LatentReport {
    std::vector<std::string> levels;     ///< names
    std::size_t placements = 0;          ///< number of placements tried
    std::vector<std::uint32_t> doubled;  ///< the block sizes of the levels when twice as large; empty: not tried
    std::vector<LatentGroup> groups;     ///< the largest loss first
};

/// Replays other placements and larger blocks, and compares with the sharing of the run. Progress starts again with
/// every replay; empty when cancelled.
std::optional<LatentReport> latentSharingOf(const Run& run, const SharingReport& now, Progress& progress);

}  // namespace whorl::sim
