// What stands between the accesses of a trace that is written as text: births and deaths of objects, and marks, in the
// order in which they are written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

#include "sim/trace/trace.h"

namespace whorl::sim {

struct TimedMarker {
    /// At one tick: deaths; then lives without an access, which others may follow in the same place; then births.
    enum class Kind : std::uint8_t { death, briefLife, birth, mark };

    Tick at;
    Kind kind = Kind::mark;
    std::size_t index = 0;  ///< of the object or the mark

    auto order() const { return std::tuple(at, kind, index); }
};

/// All of a trace, in order. Objects that outlive it have no death.
std::vector<TimedMarker> markersOf(const Trace& trace);

}  // namespace whorl::sim
