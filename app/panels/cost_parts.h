// The parts of what costs most, in the child window in which they are called.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/panels/panel_context.h"

namespace whorl::app {

using SharedMeasures = std::shared_ptr<const sim::Measures>;

/// Why it stalls, of the whole run: lines and arrays, with cures to try.
void drawWhy(const PanelContext& c, const sim::Measures* measures);
/// The table of the chosen tab.
void drawCostTable(const PanelContext& c, const SharedMeasures& measures);
/// The blocks that CPUs invalidate for each other, with a row for each offset that is accessed, and what helps.
void drawSharing(const PanelContext& c);

/// What all tables have: a filter, and buttons for CSV.
void drawCostFilter(const PanelContext& c, const sim::Table& table);
/// The rows that are shown, in their order. Sorting many takes a while: it is done when something has changed.
const std::vector<std::size_t>& costRowsShown(const PanelContext& c, const sim::Table& table);
/// The order that a click on a heading of the current table chose; `columns` are those of its columns.
void takeCostOrder(const PanelContext& c, const std::vector<std::size_t>& columns);
/// A cell for people.
std::string costCellText(const sim::Cell& cell);
/// The largest number of each column, for its width.
std::vector<std::string> widestCells(const sim::Table& table);
/// Shows a source line, in all views; it is seen where it is, which it is not while accesses are played.
void pickLine(const PanelContext& c, sim::SiteId site);
template <class T>
bool isSame(const std::weak_ptr<const T>& a, const std::shared_ptr<const T>& b) {
    return !a.owner_before(b) && !b.owner_before(a);
}

/// Picks the thing of a row in all views. A line is shown where it is, which it is not while accesses are played.
void pickCost(const PanelContext& c, CostTab tab, const std::string& name, const sim::Measures& measures);

}  // namespace whorl::app
