// The two parts of what costs most, in the child window in which they are called.
#pragma once

#include <memory>
#include <string>

#include "app/panels/panel_context.h"

namespace whorl::app {

using SharedMeasures = std::shared_ptr<const sim::Measures>;

/// Why it stalls, of the whole run: lines and arrays, with cures to try.
void drawWhy(const PanelContext& c, const sim::Measures* measures);
/// The table of the chosen tab.
void drawCostTable(const PanelContext& c, const SharedMeasures& measures);

/// Picks the thing of a row in all views. A line is shown where it is, which it is not while accesses are played.
void pickCost(const PanelContext& c, CostTab tab, const std::string& name, const sim::Measures& measures);

}  // namespace whorl::app
