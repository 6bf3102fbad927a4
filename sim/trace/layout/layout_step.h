// Computes the address mapping for a layout change: what it names moves or grows, and whatever is then in the way moves
// up.
#pragma once

#include <string>
#include <vector>

#include "sim/base/error.h"
#include "sim/trace/layout/address_map.h"
#include "sim/trace/layout/layout_change.h"
#include "sim/trace/region.h"

namespace whorl::sim {

/// Things that a change does not name move only to make room, by multiples of this many bytes, so that their offsets
/// within blocks and pages do not change.
inline constexpr std::uint64_t kKeptAlignment = 4096;

/// What a change does to the memory layout.
struct LayoutStep {
    AddressMap::Step map;
    /// Bytes of unused memory that it adds before the things it names and in them; those that make room for others are
    /// not counted.
    std::uint64_t padding = 0;
};

/// The step for a change, given the regions and objects in memory. All keep their order: what is in the way
/// moves up, and what follows only as far as necessary. Objects that use the same memory at different times move
/// together; a change that would move an object it does not name along with another fails. `trace` is the trace in
/// error messages.
Expected<LayoutStep> layoutStep(const LayoutChange& change, const std::vector<Region>& regions,
                                const std::vector<Object>& objects, const std::string& trace);

/// Applies a step to regions and objects. A region whose content has changed its layout loses its rows and columns.
void applyStep(const AddressMap::Step& step, std::vector<Region>& regions, std::vector<Object>& objects);

}  // namespace whorl::sim
