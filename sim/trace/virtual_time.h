// The order of a parallel program's accesses. A tool that runs one thread at a time records long stretches of each,
// which hides what threads do to each other's caches; virtual time undoes that.
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

/// The accesses of a trace as if all CPUs ran at the same time, at the same pace: an access a tick. The accesses of a
/// CPU keep their order. Where syncs() tells of it, a CPU waits for those that were before it when the trace was
/// recorded: at locks and atomic accesses to the same memory, barriers, conditions, semaphores, and where threads begin
/// and are joined. So what was read after it was written still is, unless a thread waited by reading memory over and
/// over. If none could go on, the one goes on that did so first when the trace was recorded.
///
/// Marks stay before the access they were before; objects live from their first access to their last. Fails, saying
/// `name`, for a trace that has times of its own.
Expected<Trace> inVirtualTime(const Trace& trace, const std::string& name, Progress& progress);

}  // namespace whorl::sim
