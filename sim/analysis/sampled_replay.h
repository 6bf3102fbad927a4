// Which accesses of a range to play where an estimate that is there soon is wanted: pieces, evenly spread over the
// range, that begin where a replay can begin at once.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/types.h"
#include "sim/replay/run.h"

namespace whorl::sim {

struct Sample {
    std::vector<Range> pieces;  ///< disjoint, ascending
    std::uint64_t played = 0;   ///< accesses in them
    double share = 1;           ///< … of those of the range
};

/// Of a range that is longer than `sample` accesses, about so many; the whole range if it is not, or if `sample` is 0.
Sample sampleOf(const Run& run, Range range, std::uint64_t sample);

}  // namespace whorl::sim
