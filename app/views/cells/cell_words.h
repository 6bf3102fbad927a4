// What a view of cells says: its controls, and a cell in words.
#pragma once

#include <string>
#include <vector>

#include "app/session/session.h"
#include "app/views/views.h"
#include "sim/analysis/activity.h"
#include "sim/analysis/cache_cells.h"
#include "sim/analysis/cell_table.h"
#include "sim/analysis/place.h"

namespace whorl::app {

/// The controls of a view of cells: its metric, its cells, their order, what is drawn over them. `view` without its
/// run.
ViewControls cellControls(const ViewId& view, const RunContext& context, const sim::MachineConfig& machine);

// A cell in words: its name, every metric, and what lives there. The first line is the heading.

struct DescribedWith {
    const sim::Trace& trace;
    const sim::MachineConfig& machine;
};

/// What a range did to a cell of memory. `range`: that of the view, which the table may not be of yet.
std::vector<std::string> describeMemory(const sim::Place& cell, const sim::CellTable& table, const DescribedWith& with,
                                        const sim::Range& range);
/// What a range did to a cell of a cache.
std::vector<std::string> describeCache(const sim::Place& cell, const sim::CacheCellTable& table,
                                       const DescribedWith& with);
/// What a cell of either kind is at a moment: where it is, its last access, what is in it.
std::vector<std::string> describeNow(const sim::Place& cell, const sim::Activity& activity, const DescribedWith& with);

}  // namespace whorl::app
