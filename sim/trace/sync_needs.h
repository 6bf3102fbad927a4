// What each wait of a recorded program waited for, found by counting: how many events, and how many were in stock.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/trace/sync_log.h"

namespace whorl::sim {

struct SyncNeeds {
    /// For each lock, wait at an event and leaving of a barrier, in the order of the log: how many unlocks, events or
    /// arrivals of the object there must have been.
    std::vector<std::uint32_t> waits;
    /// What semaphores hold at the beginning, by object.
    std::vector<std::uint32_t> stock;
};

/// A lock needs all that unlocked it before. A wait at an event needs the first one after what its CPU did before, if
/// there was one, else the last. A barrier is for as many as had arrived when it was first left; who leaves needs its
/// own round to be complete. A semaphore held at least what was taken before it was posted.
SyncNeeds needsOf(const SyncLog& log);

}  // namespace whorl::sim
