// The order of a parallel program's accesses. A tool that runs one thread at a time records long stretches of each
// thread, which hides their effects on each other's caches; virtual time undoes that.
#pragma once

#include <cstdint>
#include <string>

#include "sim/base/error.h"
#include "sim/base/progress.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// An order that can be asked for.
enum class AccessOrder : std::uint8_t {
    automatic,   ///< virtual time for traces that goesByVirtualTime, else as recorded
    recorded,    ///< as in the file
    virtualTime  ///< see inVirtualTime
};

/// The accesses of a trace as if all CPUs ran at the same time, at the same pace: an access per tick. The accesses of a
/// CPU keep their order. Where syncs() recorded it, a CPU waits for others as it did then: at locks and atomic accesses
/// to the same memory, barriers, conditions, semaphores, and where threads begin and are joined; not at what the C
/// library has for itself, as the locks of malloc. So a read that followed a write still does, unless a thread waited
/// by reading memory repeatedly. If no CPU can proceed, the one proceeds whose wait comes first in the recorded order.
///
/// A trace that is in virtual time already stays as it is. Marks stay before the same access; objects live from their
/// first access to their last. Fails for a trace that has times of its own; `name` is the trace in the error.
/// Both orders together may take `memory` bytes; 0: usualMemoryBudget().
Expected<Trace> inVirtualTime(const Trace& trace, const std::string& name, Progress& progress,
                              std::uint64_t memory = 0);

/// Whether there is a choice of orders: several CPUs ran, and their accesses have no times of their own.
bool hasOrders(const Trace& trace);

/// Whether virtual time is the better order: there is a choice, and it is known where the CPUs waited for each other.
/// Without such a log nothing would keep a read after the write that it depends on.
bool goesByVirtualTime(const Trace& trace);

/// A trace that was read, in the order that is asked for. All that reads traces uses this, so that a tick means the
/// same access everywhere. `memory`: as for inVirtualTime.
Expected<Trace> inOrder(Trace trace, AccessOrder order, const std::string& name, Progress& progress,
                        std::uint64_t memory = 0);

}  // namespace whorl::sim
