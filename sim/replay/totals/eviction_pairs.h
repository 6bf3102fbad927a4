// The conflicts of a ledger as pairs of regions (or objects): how often one evicts blocks of the other, by level.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/replay/totals/ledger.h"

namespace whorl::sim {

/// Accesses to one region (or object) evict blocks of another, or of the same one.
struct EvictionPair {
    std::uint32_t evictor = 0;
    std::uint32_t victim = 0;
    std::vector<std::uint64_t> evictions;  ///< by level
    bool operator==(const EvictionPair&) const = default;
};

/// All pairs that occur, by decreasing evictions in the nearest level, equal ones by the next level, and so outward.
/// The order within the nearest level is thus that of collisionsOf (sim/analysis/collisions.h).
std::vector<EvictionPair> evictionPairs(const Conflicts& conflicts, std::size_t levels);

}  // namespace whorl::sim
