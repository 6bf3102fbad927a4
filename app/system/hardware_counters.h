// Counts events of a program with the processor's hardware counters, through perf.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.h"

namespace whorl::app {

/// The counted events, by their names in perf; only events in user mode, not in the kernel.
inline const std::vector<std::string> kHardwareEvents = {"instructions",          "L1-dcache-loads", "L1-dcache-stores",
                                                         "L1-dcache-load-misses", "LLC-loads",       "LLC-load-misses"};

/// Counts by event; those that the processor does not count are not in it.
using HardwareCounts = std::map<std::string, std::uint64_t>;

/// Reads what `perf stat -x ,` prints.
HardwareCounts countsIn(std::string_view printed);

/// An error that says why this computer does not count: perf is not installed, there are no counters, or the kernel
/// does not allow it.
sim::Expected<void> checkCounters();

/// Runs a program, with this one's input and output, and counts. `folder`: for perf's own output. `status` becomes the
/// program's.
sim::Expected<HardwareCounts> countProgram(const std::vector<std::string>& command, const std::string& folder,
                                           int& status);

}  // namespace whorl::app
