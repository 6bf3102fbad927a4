// Which accesses of a range to play for a quick estimate: pieces, evenly spread over the range, that begin where a
// replay can begin at once.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/types.h"
#include "sim/replay/run.h"

namespace whorl::sim {

struct Sample {
    std::vector<Range> pieces;  ///< disjoint, ascending
    std::uint64_t played = 0;   ///< accesses in the pieces
    double share = 1;           ///< played accesses as a share of the range
};

/// Pieces with about `sample` accesses of a longer range; the whole range if it is not longer, or if `sample` is 0.
Sample sampleOf(const Run& run, Range range, std::uint64_t sample);

}  // namespace whorl::sim
