// The order in which a layout change stores what it names: transposed, or split into fields.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/base/error.h"
#include "sim/trace/layout/address_map.h"
#include "sim/trace/layout/layout_targets.h"
#include "sim/trace/region.h"

namespace whorl::sim {

using SharedOrder = std::shared_ptr<const ElementOrder>;

/// The new order of the targets of a change; null if it only moves them. Fails if they have no known shape, or lie only
/// partly in a region. `trace` is the trace in error messages.
Expected<SharedOrder> orderFor(const LayoutChange& change, const Targets& targets, const std::vector<Region>& regions,
                               const std::string& trace);

/// A region or an object, still at its place before the step, forgets the shape that its content loses.
void applyOrder(const AddressMap::Step& step, Region& region);
void applyOrder(const AddressMap::Step& step, Object& object);

}  // namespace whorl::sim
