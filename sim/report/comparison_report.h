// Two measurements side by side, in words.
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

}  // namespace whorl::sim
