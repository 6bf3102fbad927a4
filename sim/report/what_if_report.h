// The savings of a layout change.
#pragma once

#include "sim/analysis/what_if.h"
#include "sim/report/document.h"

namespace whorl::sim {

/// A table, with the first `top` regions, objects and classes. JSON: {"trace", "machine", "changes": [words],
/// "figures": {key: {"before", "after", "saved", "saved_percent"}}, "regions": [{"name", "before", "after", "saved",
/// "saved_percent"}], "objects", "classes"}; "saved_percent" is null where there was nothing before.
Document whatIfDocument(WhatIf whatIf);

}  // namespace whorl::sim
