// What a trace knows of time beyond its accesses: how long a CPU worked between two of them, and for whom it had to
// wait. With that the clocks of several CPUs can be told on any machine, not only on the one that the trace was taken
// on. A trace that was only recorded knows nothing of the kind.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/types.h"

namespace whorl::sim {

/// What the CPU of an access did before it could begin it.
struct Delay {
    static constexpr Tick kNoAccess{~std::uint64_t{0}};

    Tick at;  ///< the access
    std::uint64_t work =
        0;  ///< cycles spent on other things than memory since the CPU's access before, or since it woke
    Tick after = kNoAccess;  ///< the earlier access whose end woke the CPU up (a lock was let go, a barrier complete)

    bool operator==(const Delay&) const = default;
};

struct Timing {
    std::uint64_t each = 0;     ///< cycles of work before every access, beyond what the delays say
    std::vector<Delay> delays;  ///< by access, at most one each

    bool empty() const { return each == 0 && delays.empty(); }
    bool operator==(const Timing&) const = default;
};

}  // namespace whorl::sim
