// What the order of the accesses does to a report about what is open: its input is opened again, in the other order.
#pragma once

#include <optional>

#include "app/session/opened.h"
#include "sim/analysis/orders.h"
#include "sim/base/error.h"
#include "sim/base/progress.h"
#include "sim/machine/machine_config.h"
#include "sim/trace/trace.h"

namespace whorl::app {

/// What there is to say about the order of the accesses of a request's trace; nothing if there is only one. Reads the
/// input again, and plays it in the other order, unless it can be read only once, or is no longer the same; not for a
/// part of the trace, as `isWhole` says.
sim::Expected<std::optional<sim::OrderNote>> noteOnOrder(const OpenRequest& request, const sim::Trace& trace,
                                                         const sim::MachineConfig& machine, bool isWhole,
                                                         sim::Progress& progress);

}  // namespace whorl::app
