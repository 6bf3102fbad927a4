// The lifetimes of objects that reuse each other's memory.
#pragma once

#include <vector>

#include "sim/trace/region.h"

namespace whorl::sim {

/// Ends each object where a later one is born in its memory, so that no two objects hold the same memory at the same
/// time. Sorts the objects by base, then by birth.
void endBeforeNext(std::vector<Object>& objects);

}  // namespace whorl::sim
