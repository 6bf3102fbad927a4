// The memory that the accesses of a trace touch.
#pragma once

#include <optional>
#include <vector>

#include "sim/base/progress.h"
#include "sim/trace/footprint.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// The memory that all accesses touch, by mapped address. Nothing if it was cancelled.
std::optional<Footprint> footprintOf(const TraceParts& parts, Progress& progress);

/// The memory that each CPU touches, by CPU. Nothing if it was cancelled.
std::optional<std::vector<Footprint>> footprintsByCpu(const TraceParts& parts, Progress& progress);

}  // namespace whorl::sim
