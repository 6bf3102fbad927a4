// What to know about a trace before trusting its numbers.
#pragma once

#include <string>
#include <vector>

#include "sim/trace/trace.h"

namespace whorl::sim {

/// One sentence each: the data lost by a damaged file, malformed lines, skipped accesses. Empty when nothing is
/// missing.
std::vector<std::string> warningsOf(const Trace& trace);

}  // namespace whorl::sim
