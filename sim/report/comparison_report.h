// Two measurements side by side, in words.
#pragma once

#include <cstddef>
#include <string>

#include "sim/analysis/comparison.h"

namespace whorl::sim {

/// "+1 234 (+5.0 %)": by how much the second is above the first; "=" when they are equal. Empty when one is missing.
std::string differenceOf(const ComparedFigure& figure);

/// Tables for a terminal; of each level the first `top` regions.
std::string comparisonAsText(const Comparison& comparison, std::size_t top);

}  // namespace whorl::sim
