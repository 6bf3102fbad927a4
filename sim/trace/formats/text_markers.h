// The lines between the accesses of a trace written as text: births and deaths of objects, and marks, in output order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

#include "sim/trace/trace.h"

namespace whorl::sim {

struct TimedMarker {
    /// The order at one tick: deaths; then lives without an access, which may be followed by others at the same
    /// address; then births.
    enum class Kind : std::uint8_t { death, briefLife, birth, mark };

    Tick at;
    Kind kind = Kind::mark;
    std::size_t index = 0;  ///< index of the object or the mark

    auto order() const { return std::tuple(at, kind, index); }
};

/// All markers of a trace, in order. Objects that outlive the trace have no death.
std::vector<TimedMarker> markersOf(const Trace& trace);

}  // namespace whorl::sim
