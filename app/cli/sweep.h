// One input on many machines: the option --sweep, whorl stats with it, and whorl merge.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/session/opened.h"
#include "sim/analysis/sweep.h"
#include "sim/base/error.h"
#include "sim/trace/trace.h"

namespace whorl::app {

// The option --sweep: one input on many machines.

/// The sweep of the machine of a request over the values in `words`: "L1.ways=1,2,4" each. `trace` (may be null) may
/// contain the machine.
sim::Expected<sim::Sweep> sweepOf(const std::vector<std::string>& words, const OpenRequest& request,
                                  const sim::Trace* trace);

/// The requests of all points of a sweep, in their order, each with its values as settings. At most `most`.
sim::Expected<std::vector<OpenRequest>> requestsOf(const std::vector<std::string>& words, const OpenRequest& request,
                                                   std::uint64_t most);

}  // namespace whorl::app
