// How long the loops of a program are, in accesses: the distances after which a source line touches the same place
// again.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/base/progress.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// The lengths of loops, the shortest first: distances after which at least one in fifty accesses touches a place that
/// its line touched before, and not since. Of a long trace only a stretch from its middle is read, and of very much
/// memory only some places are followed; then a longer or rarer loop is not found. Empty when cancelled.
std::optional<std::vector<std::uint64_t>> loopsOf(const Trace& trace, Progress& progress);

}  // namespace whorl::sim
