// The parts of what costs most, in the child window in which they are called.
#pragma once

#include <memory>
#include <string>

#include "app/commands/cost_tables.h"
#include "app/panels/panel_context.h"

namespace whorl::app {

using SharedMeasures = std::shared_ptr<const sim::Measures>;

/// Why it stalls, of the whole run: lines and arrays, with cures to try.
void drawWhy(const PanelContext& c, const sim::Measures* measures);
/// The table of the chosen tab.
void drawCostTable(const PanelContext& c, const SharedMeasures& measures);
/// The blocks that CPUs invalidate for each other, with a row for each offset that is accessed, and what helps.
void drawSharing(const PanelContext& c);

/// Queues what picks a thing, if there is one. A line is shown where it is, which it is not while accesses are played.
void pickCost(const PanelContext& c, const std::optional<Command>& pick);

}  // namespace whorl::app
