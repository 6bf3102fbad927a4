// Two measurements side by side, and the savings of a layout change, in words.
#pragma once

#include <string>

#include "sim/analysis/comparison.h"
#include "sim/report/document.h"

namespace whorl::sim {

/// "+1 234 (+5.0 %)": by how much the second is above the first; "=" when they are equal. Empty when one is missing.
std::string differenceOf(const ComparedFigure& figure);

/// Tables, with the first `top` regions of each level. JSON: {"a": {"trace", "machine"}, "b": as "a", "figures": {key:
/// {"a", "b", "difference", "percent"}}, "regions": {level: [{"name", "a", "b", "difference", "percent"}]}}; "regions"
/// has their misses. "difference" is b - a and "percent" its share of a; a value that one side does not have is null.
Document comparisonDocument(Comparison comparison);

/// A table, with the first `top` regions, objects and classes. JSON: {"trace", "machine", "changes": [words],
/// "figures": {key: {"before", "after", "saved", "saved_percent"}}, "regions": [{"name", "before", "after", "saved",
/// "saved_percent"}], "objects", "classes"}; "saved_percent" is null where there was nothing before.
Document whatIfDocument(WhatIf whatIf);

}  // namespace whorl::sim
