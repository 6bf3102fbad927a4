// What an access did, as a sentence: "read B[3][0], line 5: miss in L1 and L2; evicts A[0][8], clean".
#pragma once

#include <string>

#include "sim/machine/machine_config.h"
#include "sim/replay/snapshot.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// The sentence for one access. Blocks are named by the place of their first byte.
std::string sentenceFor(const Step& step, const Trace& trace, const MachineConfig& machine);

/// The level that served an access, or the number of levels when it was memory. For an access that straddles blocks,
/// the farthest.
std::size_t servedBy(const Step& step, const MachineConfig& machine);

}  // namespace whorl::sim
