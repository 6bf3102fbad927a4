// The conflicts of a ledger as pairs: which region (or object) evicts blocks of which, and how often in each level.
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

/// All pairs that occur. The most evictions in the nearest level first, equal ones by the next level, and so outward:
/// so the order within the nearest level is that of collisionsOf (sim/analysis/collisions.h).
std::vector<EvictionPair> evictionPairs(const Conflicts& conflicts, std::size_t levels);

}  // namespace whorl::sim
