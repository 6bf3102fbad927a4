// Traces of a part of a program: windows, which are some accesses in every so many, and an excerpt, which is a stretch
// of a longer trace.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/types.h"

namespace whorl::sim {

struct Windows {
    std::uint64_t length = 0;   ///< accesses of a window, as asked for
    std::uint64_t every = 0;    ///< from where one begins to where the next one does, in accesses of the program
    std::uint64_t between = 0;  ///< accesses between the windows, which are not in the trace
    std::vector<Tick> begins;   ///< of each window, in order; a filter may have left a window empty
};

struct Excerpt {
    Tick first;               ///< the first access, as a tick of the whole trace
    std::uint64_t whole = 0;  ///< accesses of the whole trace
    std::string machine;      ///< the machine whose past is kept, as JSON
    std::string past;         ///< how it was at the first access, and what follows from there: see sim/replay/past.h
};

}  // namespace whorl::sim
