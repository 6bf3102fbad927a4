#pragma once

// What each room may cost: lines of code, units in a folder, include cycles. A budget rises only in a commit that says
// why, and is lowered in the commit that no longer needs it.

#include <string>
#include <vector>

#include "structure/source_tree.h"

namespace whorl::structure {

// The units of a tree that include each other, directly or through others: a unit is a header and its source file,
// named without their endings. Each cycle is sorted, and so are the cycles.
std::vector<std::vector<std::string>> includeCycles(const std::vector<File>& files);

// Every budget that is exceeded, or that is too large for what there is, one sentence each.
std::vector<std::string> exceededBudgets(const std::vector<File>& files);

}  // namespace whorl::structure
