// Maps a number of accesses of a range to a cycle, and back: accesses order, cycles measure. Plain data, filled while
// the range is played.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/types.h"
#include "sim/cache/cost.h"

namespace whorl::sim {

struct CycleScale {
    Tick from;  ///< the range of the trace
    Tick to;
    Cycles begin = 0;            ///< when the first access of the range began
    Cycles end = 0;              ///< when all CPUs have finished the last
    std::uint64_t stride = 1;    ///< accesses between consecutive `starts`
    std::vector<Cycles> starts;  ///< when access from, from + stride, … or an earlier one began: never decreasing

    /// Takes the start of the next access of the range. Lowers `begin` to the earliest start, so `begin` must be no
    /// earlier at first.
    void took(Tick tick, Cycles at);

    /// The cycle after t accesses of the trace, with a fraction: interpolated linearly between `starts`, never
    /// decreasing, and clamped to the ends of the range.
    double cyclesAt(double t) const;
    /// The inverse: cyclesAt(accessesAt(c)) is c for every cycle of the range. Where several accesses begin in the same
    /// cycle, the position after the last of them.
    double accessesAt(double at) const;
};

/// The number of accesses between two known starts, in a range of `accesses` accesses: about a million starts of 8
/// bytes each are kept, so that a view of a long trace that is zoomed to a few accesses still shows the cycles near
/// them.
std::uint64_t cycleStride(std::uint64_t accesses);

}  // namespace whorl::sim
