// Threads that wait by reading memory over and over, until another thread writes it. No log records
// this waiting, so that virtual time does not know for what they wait; the accesses show it.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/base/progress.h"
#include "sim/base/types.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// A CPU repeats itself while each of its accesses is to memory, 8 bytes of it, that it accessed among its last kWindow
/// ones. It spins if one instruction meanwhile reads the same bytes kMinReads times at least, and then another CPU
/// writes them, before this one has made kWindow accesses elsewhere: it may have given up reading to sleep. The CPU
/// itself writes them at most by modifies, as a lock by test-and-set does, and then the other CPU's write is a plain
/// one: those of a counter, which all CPUs modify, are none. What ends with an operation of Trace::syncs() is not
/// spinning.
struct Spinning {
    static constexpr std::uint64_t kWindow = 64;
    static constexpr std::uint64_t kMinReads = 32;

    std::uint64_t accesses = 0;  ///< of CPUs that spin, from their first read of these bytes to the write
    std::uint64_t times = 0;     ///< such writes
    SiteId site;                 ///< the instruction that reads during most of them
};

/// Of a trace in recorded order. Nothing when cancelled.
std::optional<Spinning> spinningIn(const Trace& trace, Progress& progress);

}  // namespace whorl::sim
