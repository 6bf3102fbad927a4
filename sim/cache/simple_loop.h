// The optimized loop: simulates many accesses on a simple machine (Hierarchy::isSimple), with the same result as
// Hierarchy::access for each. Works on bare arrays; there is a portable and an AVX2 version, selected at run time.
#pragma once

#include <cstddef>

#include "sim/cache/simple_run.h"
#include "sim/trace/access.h"

namespace whorl::sim {

/// Simulates accesses from the first on, while there is space for events and the accesses are all recorded or all
/// unrecorded, as `run.unrecorded` says. Returns the number simulated.
std::size_t playSimple(SimpleRun& run, const PackedAccess* accesses, std::size_t count);

/// The two equivalent versions. The second needs a processor with AVX2.
std::size_t playSimplePortably(SimpleRun& run, const PackedAccess* accesses, std::size_t count);
std::size_t playSimpleByAvx2(SimpleRun& run, const PackedAccess* accesses, std::size_t count);

}  // namespace whorl::sim
