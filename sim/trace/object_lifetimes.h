// When objects end that give their memory to others.
#pragma once

#include <vector>

#include "sim/trace/region.h"

namespace whorl::sim {

/// Of objects that hold the same memory at the same time, the earlier one ends where the later one is born; then no two
/// do. Sorts them by base, and by birth.
void endBeforeNext(std::vector<Object>& objects);

}  // namespace whorl::sim
