// A stretch of a run as a trace of its own.
#pragma once

#include <memory>

#include "sim/base/error.h"
#include "sim/base/types.h"
#include "sim/replay/run.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// A range of a complete run as a trace of its own, with its past on the run's machine. Objects and marks of other
/// times are left out. An error if the machine has a level with OPT, whose future is beyond the range.
Expected<std::shared_ptr<const Trace>> excerptOf(const Run& run, Range range);

}  // namespace whorl::sim
