// Makes a change of the layout: what it names is moved or grows, and what is then in the way moves on.
#pragma once

#include <string>
#include <vector>

#include "sim/base/error.h"
#include "sim/trace/layout/address_map.h"
#include "sim/trace/layout/layout_change.h"
#include "sim/trace/region.h"

namespace whorl::sim {

/// Things that a change does not name are moved only to make room, and by whole pages of so many bytes: where in a
/// block and in a page each of their bytes lies is as it was.
inline constexpr std::uint64_t kKeptAlignment = 4096;

/// The step that a change makes for memory in which these regions and objects lie. All keep their order: what is in the
/// way moves up, and what was behind it only as far as it must. Objects that use the same memory at different times
/// move together, so a change that would move another object along is refused. `trace` stands for the trace in errors.
Expected<AddressMap::Step> layoutStep(const LayoutChange& change, const std::vector<Region>& regions,
                                      const std::vector<Object>& objects, const std::string& trace);

/// Regions and objects as they come to lie. A region in which something has moved has no rows and columns any more.
void applyStep(const AddressMap::Step& step, std::vector<Region>& regions, std::vector<Object>& objects);

}  // namespace whorl::sim
