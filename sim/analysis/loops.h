// How long the loops of a program are, counted in accesses: how far apart a source line touches the same place.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/base/progress.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// The lengths of loops, the shortest first: distances after which at least one in fifty accesses touches what its line
/// touched before, and not since. Of a long trace a stretch from its middle is read, and of very much memory some
/// places are followed: then a loop that is longer, or rare, is not found. Nothing when cancelled.
std::optional<std::vector<std::uint64_t>> loopsOf(const Trace& trace, Progress& progress);

}  // namespace whorl::sim
