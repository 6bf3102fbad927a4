// The text of a pattern from its parsed form.
#pragma once

#include <string>

#include "sim/programs/pattern/pattern.h"

namespace whorl::sim {

/// The statements of a pattern in one line, without comments: when parsed, it makes the same accesses at the same
/// addresses. Constants stand where `let` has given them names, and arrays are declared where they have to be.
std::string asText(const Pattern& pattern);

}  // namespace whorl::sim
