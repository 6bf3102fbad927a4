// Timing information of a trace beyond its accesses: how long each CPU computed between accesses, and on which other
// access it had to wait. With it, the clocks of several CPUs can be computed on any machine, not only the one on which
// the trace was captured. A trace of recorded accesses alone does not have it.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/types.h"

namespace whorl::sim {

/// What delayed the start of an access.
struct Delay {
    static constexpr Tick kNoAccess{~std::uint64_t{0}};

    Tick at;                 ///< the access
    std::uint64_t work = 0;  ///< cycles of computation since the CPU's previous access, or since it woke up
    Tick after =
        kNoAccess;  ///< the earlier access whose completion woke the CPU (a lock released, a barrier completed)

    bool operator==(const Delay&) const = default;
};

struct Timing {
    std::uint64_t each = 0;     ///< cycles of work before every access, in addition to the delays
    std::vector<Delay> delays;  ///< in order of access, at most one per access

    bool empty() const { return each == 0 && delays.empty(); }
    bool operator==(const Timing&) const = default;
};

}  // namespace whorl::sim
