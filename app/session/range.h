// A stretch of a trace that a person has chosen: plain data.
#pragma once

#include <cstdint>
#include <string>

#include "sim/base/types.h"

namespace whorl::app {

/// The accesses [from, to); never empty.
struct Range {
    sim::Tick from;
    sim::Tick to;

    std::uint64_t count() const { return to.value - from.value; }
    bool operator==(const Range&) const = default;
};

/// The stretch between two moments, in either order, within a trace of `size` accesses, at least one of them: accesses
/// that are only begun belong to it.
Range rangeBetween(double a, double b, std::uint64_t size);

/// "accesses 1 200 – 5 000 (3 800)": the moments at which it begins and ends, and how many accesses it has.
std::string inWords(const Range& range);

}  // namespace whorl::app
