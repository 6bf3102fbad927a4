// The order of the accesses of several CPUs, in the words of reports.
#pragma once

#include <string>
#include <string_view>

#include "sim/analysis/orders.h"
#include "sim/cache/cost.h"
#include "sim/report/json.h"

namespace whorl::sim {

/// Which order it is, what the other one would say where it differs by a tenth, and by a hundredth of all stall cycles,
/// and how far it is uncertain: one paragraph. `lost` are what the report is about, called `what`: "cycles are lost by
/// sharing"; in the other order they are its `then`.
std::string orderInWords(const OrderNote& note, std::string_view what, Cycles lost, Cycles SharingCosts::*then);

/// {"name": "virtual" or "recorded", "other": {"cycles", "lost", "lost_by_sharing"} or null, "spinning": {"accesses",
/// "times", "line"} or null}.
JsonValue orderAsJson(const OrderNote& note);

}  // namespace whorl::sim
