// How the playheads of runs that stand beside each other move together.
#pragma once

#include <cstdint>

#include "sim/analysis/line_match.h"

namespace whorl::app {

enum class TimeLock : std::uint8_t {
    access,  ///< after the same number of accesses, or at the end
    share,   ///< after the same share of the accesses
    line,    ///< after the same executions of source lines, see LineMatch
};

/// The lengths of two traces, in accesses, and which times belong together by source line: null where they have no
/// line in common.
struct LockedTraces {
    std::uint64_t first = 0;
    std::uint64_t second = 0;
    const sim::LineMatch* lines = nullptr;
};

/// The lock that is possible: by share in place of by line.
TimeLock possibleLock(TimeLock lock, const LockedTraces& traces);

/// The playhead in the second trace that belongs to that in the first. Monotone in t; the identity for equal traces.
/// What rounding leaves beside a whole number of accesses is that number: no access is in motion by mistake.
double lockedTime(double t, TimeLock lock, const LockedTraces& traces);

/// The playhead in the first trace at which that in the second is at t, or as near as the lock allows.
double unlockedTime(double t, TimeLock lock, const LockedTraces& traces);

/// How many accesses of the second trace pass while one of the first does, on the whole.
double lockedPace(TimeLock lock, const LockedTraces& traces);

}  // namespace whorl::app
