// What keeps the CPUs apart that share blocks falsely.
#pragma once

#include <vector>

#include "sim/analysis/sharing_report.h"

namespace whorl::sim {

/// Changes of the layout after which no block of a group holds what different CPUs use; empty when CPUs use each of its
/// blocks alone, or what is shared has no name.
std::vector<LayoutChange> curesOf(const SharingReport& report, const SharingGroup& group);

}  // namespace whorl::sim
