// The order of a parallel program's accesses. A tool that runs one thread at a time records long stretches of each
// thread, which hides their effects on each other's caches; virtual time undoes that.
#pragma once

#include <cstdint>
#include <string>

#include "sim/base/error.h"
#include "sim/base/progress.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

enum class AccessOrder : std::uint8_t {
    recorded,
    virtualTime  ///< see inVirtualTime
};

/// The accesses of a trace as if all CPUs ran at the same time, at the same pace: an access per tick. The accesses of a
/// CPU keep their order. Where syncs() recorded it, a CPU waits for others as it did then: at locks and atomic accesses
/// to the same memory, barriers, conditions, semaphores, and where threads begin and are joined. So a read that
/// followed a write still does, unless a thread waited by reading memory repeatedly. If no CPU can proceed, the one
/// proceeds whose wait comes first in the recorded order.
///
/// Marks stay before the same access; objects live from their first access to their last. Fails for a trace that has
/// times of its own; `name` is the trace in the error.
Expected<Trace> inVirtualTime(const Trace& trace, const std::string& name, Progress& progress);

}  // namespace whorl::sim
