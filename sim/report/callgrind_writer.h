// What each source line costs, in the format of Valgrind's callgrind, which kcachegrind, callgrind_annotate and editors
// read: https://valgrind.org/docs/manual/cl-format.html
#pragma once

#include <optional>
#include <string>

#include "sim/base/progress.h"
#include "sim/replay/run.h"

namespace whorl::sim {

/// Plays a range of a complete run. The events have the names that callgrind gives to those of a simulated cache: Dr
/// and Dw (reads and writes), D1mr and D1mw (those that missed in the nearest level), DLmr and DLmw (in the last), and
/// Cycles (access cycles). Functions without a name are "???", lines that are not known 0. There are no calls.
///
/// Sums over the lines are the counts of the range: D1mr + D1mw the misses of the nearest level; DLmr + DLmw those of
/// the last that an access waits for, not those of write-backs and prefetches. Nothing when cancelled.
std::optional<std::string> callgrindText(const Run& run, Range range, Progress& progress);

}  // namespace whorl::sim
