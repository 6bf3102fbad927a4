// Two measurements side by side, in words.
#pragma once

#include <string>

#include "sim/analysis/comparison.h"
#include "sim/report/document.h"

namespace whorl::sim {

/// "+1 234 (+5.0 %)": by how much the second is above the first; "=" when they are equal. Empty when one is missing.
std::string differenceOf(const ComparedFigure& figure);

/// Tables; of each level the first `top` regions. JSON: {"a": {"trace", "machine"}, "b": as "a", "figures": {key: {"a",
/// "b", "difference", "percent"}}, "regions": {level: [{"name", "a", "b", "difference", "percent"}]}}; the misses of
/// regions. "difference" is b - a and "percent" its relation to a; what one of the two does not have is null.
Document comparisonDocument(Comparison comparison);

}  // namespace whorl::sim
