// The range of a trace that a person chooses. It is never empty.
#pragma once

#include <cstdint>
#include <string>

#include "sim/base/types.h"

namespace whorl::app {

/// The range between two moments, in either order, within a trace of `size` accesses, at least one of them: accesses
/// that are only begun belong to it.
sim::Range rangeBetween(double a, double b, std::uint64_t size);

/// "accesses 1 200 – 5 000 (3 800)": the moments at which it begins and ends, and how many accesses it has.
std::string inWords(const sim::Range& range);

}  // namespace whorl::app
