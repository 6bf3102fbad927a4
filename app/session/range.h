// The range of a trace that the user selects. It is never empty.
#pragma once

#include <cstdint>
#include <string>

#include "sim/base/types.h"
#include "sim/trace/trace.h"

namespace whorl::app {

/// The range between two positions, in either order, in a trace of `size` accesses; it contains at least one access.
/// Accesses that have only started are included.
sim::Range rangeBetween(double a, double b, std::uint64_t size);

/// "accesses 1 200 – 5 000 (3 800)": first and last position, and number of accesses.
std::string inWords(const sim::Range& range);
/// The words of inWords() after a comma, for a title; empty if the range is the whole trace.
std::string partInWords(const sim::Range& range, const sim::Trace& trace);

}  // namespace whorl::app
