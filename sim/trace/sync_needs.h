// The condition of each wait of a recorded program, found by counting: the events needed, and the initial stock of
// semaphores.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/trace/sync_log.h"

namespace whorl::sim {

struct SyncNeeds {
    /// For each lock, wait at an event and leaving of a barrier, in the order of the log: the number of unlocks, events
    /// or arrivals of the object that must precede it.
    std::vector<std::uint32_t> waits;
    /// The initial counts of semaphores, by object.
    std::vector<std::uint32_t> stock;
};

/// Derives the needs from a log. A lock needs all earlier unlocks of it. A wait at an event needs the first event after
/// its CPU's preceding operation, if there is one, else the last. A barrier is for the number of threads that had
/// arrived when it was first left; leaving it requires that the CPU's own round is complete. A semaphore initially held
/// at least the number taken before it was posted.
SyncNeeds needsOf(const SyncLog& log);

}  // namespace whorl::sim
