// Resolves the name in a layout change to memory ranges of a trace.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/base/error.h"
#include "sim/trace/layout/layout_change.h"
#include "sim/trace/region.h"

namespace whorl::sim {

/// A non-empty address range [from, to).
struct Extent {
    std::uint64_t from = 0;
    std::uint64_t to = 0;
    auto operator<=>(const Extent&) const = default;
};
/// The extent of a region or an object, without the last byte of the address space, which stays in place.
template <class Thing>
Extent extentOf(const Thing& thing) {
    const std::uint64_t last = thing.base.value + (thing.size - 1);
    return {thing.base.value, std::max(last, last + 1)};
}

struct Targets {
    std::vector<Extent> extents;  ///< ascending, without duplicates; exactly one unless a class was named
    std::vector<bool> objects;    ///< by object: whether it is named
    bool isRegion = false;        ///< the extent is a region, which includes what lies in it
    std::uint64_t element = 0;    ///< element size in bytes; 0: unknown
    std::uint64_t rows = 0;       ///< rows of a region of known shape
    std::uint64_t columns = 0;
    std::shared_ptr<const ElementType> type = nullptr;  ///< type of the elements; null: unknown
};

/// The things that a change names. Fails if nothing has that name, or if it is ambiguous. `trace` is the trace in error
/// messages.
Expected<Targets> targetsOf(const LayoutChange& change, const std::vector<Region>& regions,
                            const std::vector<Object>& objects, const std::string& trace);

}  // namespace whorl::sim
