// Which layout changes eliminate false sharing.
#pragma once

#include <vector>

#include "sim/analysis/sharing.h"

namespace whorl::sim {

/// Layout changes after which no block of a group contains what different CPUs use; empty when each of its blocks is
/// used by one CPU alone, or the shared data has no name.
std::vector<LayoutChange> curesOf(const SharingReport& report, const SharingGroup& group);

}  // namespace whorl::sim
