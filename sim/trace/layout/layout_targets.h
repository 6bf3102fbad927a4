// What a change of the layout names: which memory of a trace that is.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/error.h"
#include "sim/trace/layout/layout_change.h"
#include "sim/trace/region.h"

namespace whorl::sim {

/// The addresses [from, to), of which there is at least one.
struct Extent {
    std::uint64_t from = 0;
    std::uint64_t to = 0;
    auto operator<=>(const Extent&) const = default;
};

struct Targets {
    std::vector<Extent> extents;  ///< ascending, all different; just one unless a class was named
    std::vector<bool> objects;    ///< by object: whether it is one of what is named
    bool isRegion = false;        ///< the one is a region: what lies in it is a part of it
    std::uint64_t element = 0;    ///< bytes of an element; 0: not known
};

/// An error when nothing goes by the name, or several things do. `trace` stands for the trace in errors.
Expected<Targets> targetsOf(const LayoutChange& change, const std::vector<Region>& regions,
                            const std::vector<Object>& objects, const std::string& trace);

}  // namespace whorl::sim
