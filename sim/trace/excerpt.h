// A trace that is a stretch of a longer one.
#pragma once

#include <cstdint>
#include <string>

#include "sim/base/types.h"

namespace whorl::sim {

struct Excerpt {
    Tick first;               ///< the first access, as a tick of the whole trace
    std::uint64_t whole = 0;  ///< accesses of the whole trace
    std::string machine;      ///< the machine whose past is kept, as JSON
    std::string past;         ///< how it was at the first access, and what follows from there: see sim/replay/past.h
};

}  // namespace whorl::sim
