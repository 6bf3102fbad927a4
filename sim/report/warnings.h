// What a person should know of a trace before trusting its numbers.
#pragma once

#include <string>
#include <vector>

#include "sim/trace/trace.h"

namespace whorl::sim {

/// A sentence each: what a damaged file has lost, malformed lines and accesses that were left out. Empty when all of it
/// is there.
std::vector<std::string> warningsOf(const Trace& trace);

}  // namespace whorl::sim
