// Timing information of a trace beyond its accesses: how long each CPU computed between accesses, and on which other
// access it had to wait. With it, the clocks of several CPUs can be computed on any machine, not only the one on which
// the trace was captured. A trace of recorded accesses alone does not have it.
#pragma once

#include <cstdint>

#include "sim/trace/delay_list.h"

namespace whorl::sim {

struct Timing {
    std::uint64_t each = 0;  ///< cycles of work before every access, in addition to the delays
    DelayList delays;

    bool empty() const { return each == 0 && delays.empty(); }
    bool operator==(const Timing&) const = default;
};

}  // namespace whorl::sim
