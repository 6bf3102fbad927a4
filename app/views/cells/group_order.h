// The order in which groups of memory follow one another, by what a range did to them.
#pragma once

#include <cstdint>
#include <vector>

#include "app/session/cell_choice.h"
#include "render/scene/cells/memory_cells.h"
#include "sim/analysis/causes.h"
#include "sim/analysis/cell_table.h"

namespace whorl::app {

/// The order of groups for CellFlow; empty for the order by address, or while the data is not available. `causes` is
/// needed only for CellOrder::caused, `table` only for the others. Groups that belong to the group before them stay
/// behind it.
std::vector<std::uint32_t> groupOrder(CellOrder order, const scene::MemoryCells& cells, const sim::CellTable* table,
                                      const sim::Causes* causes);

}  // namespace whorl::app
