// The optimized loop: simulates many accesses on a simple machine (Hierarchy::isSimple), with the same result as
// Hierarchy::access for each. Works on bare arrays; there is a portable and an AVX2 version, selected at run time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/cache/simple_run.h"
#include "sim/trace/access.h"

namespace whorl::sim {

/// Simulates accesses from the first on, while there is space for events and the accesses are all recorded or all
/// unrecorded, as `run.unrecorded` says. Returns the number simulated.
std::size_t playSimple(SimpleRun& run, const PackedAccess* accesses, std::size_t count);

/// Simulates all levels but the nearest, which is simulated elsewhere (LruStacks): `requests` are those that it makes,
/// as LruStacks::requests() has them. No level may be inclusive or exclusive. Without events.
void playRequests(SimpleRun& run, const std::uint64_t* requests, std::size_t count);

/// The two equivalent versions. The second needs a processor with AVX2.
std::size_t playSimplePortably(SimpleRun& run, const PackedAccess* accesses, std::size_t count);
std::size_t playSimpleByAvx2(SimpleRun& run, const PackedAccess* accesses, std::size_t count);
void playRequestsPortably(SimpleRun& run, const std::uint64_t* requests, std::size_t count);
void playRequestsByAvx2(SimpleRun& run, const std::uint64_t* requests, std::size_t count);

}  // namespace whorl::sim
