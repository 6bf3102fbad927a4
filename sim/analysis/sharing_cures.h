// Which changes of the layout end false sharing.
#pragma once

#include <vector>

#include "sim/analysis/sharing.h"

namespace whorl::sim {

/// Changes of the layout after which no block of a group holds what different CPUs use; empty when CPUs use each of its
/// blocks alone, or what is shared has no name.
std::vector<LayoutChange> curesOf(const SharingReport& report, const SharingGroup& group);

}  // namespace whorl::sim
