// The overview of a part of a run, with finer steps than that of the whole.
#pragma once

#include <memory>

#include "sim/base/progress.h"
#include "sim/base/types.h"
#include "sim/replay/run.h"

namespace whorl::sim {

/// The step of overviewOf(), in accesses, for a range of `accesses` accesses.
std::uint64_t overviewStep(std::uint64_t accesses);

/// Sums over a range of a run, which must be built that far, at steps of overviewStep(). Costs a replay of the range.
/// Progress is in accesses. While the run is not complete, misses by true sharing may still count as false sharing.
/// Null when cancelled.
std::shared_ptr<const Overview> overviewOf(const Run& run, Range range, Progress& progress);

}  // namespace whorl::sim
