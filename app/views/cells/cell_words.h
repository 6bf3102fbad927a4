// What a view of cells says: its controls, and a cell in words.
#pragma once

#include <string>
#include <vector>

#include "app/session/session.h"
#include "app/views/views.h"
#include "render/scene/cells/cell_measures.h"
#include "sim/analysis/activity.h"
#include "sim/analysis/cache_cells.h"
#include "sim/analysis/cell_table.h"
#include "sim/analysis/place.h"
#include "sim/analysis/place_history.h"

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
/// What was there, and the source lines that used it, dearest first: "names: a ×12", "lines: 7:12 ×8, 7:13 ×4".
std::vector<std::string> describeUse(const sim::PlaceHistory& history, const sim::Trace& trace);
/// The lines of conflict of the cell's region: "L1 lines of a: it took the place of b ×12, and gave way to c ×4". Empty
/// if there are none.
std::string describeConflicts(const sim::Place& cell, const sim::Activity& activity, std::uint8_t level,
                              const DescribedWith& with, const scene::CellMoment& moment);
/// What a cell of either kind is at a moment: where it is, its last access, what is in it.
std::vector<std::string> describeNow(const sim::Place& cell, const sim::Activity& activity, const DescribedWith& with);

}  // namespace whorl::app
