// A recording of some accesses in every so many: windows into a long program.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/types.h"

namespace whorl::sim {

struct Windows {
    std::uint64_t length = 0;   ///< accesses of a window, as asked for
    std::uint64_t every = 0;    ///< from where one begins to where the next one does, in accesses of the program
    std::uint64_t between = 0;  ///< accesses between the windows, which are not in the trace
    std::vector<Tick> begins;   ///< of each window, in order; a filter may have left a window empty
};

}  // namespace whorl::sim
