// The order in which groups of memory follow one another, by what a range did to them.
#pragma once

#include <cstdint>
#include <vector>

#include "app/session/cell_choice.h"
#include "render/scene/cells/memory_cells.h"
#include "sim/analysis/causes.h"
#include "sim/analysis/cell_table.h"

namespace whorl::app {

/// For CellFlow: empty where the order is that of addresses, or what it needs is not there yet. `causes` is needed for
/// CellOrder::caused only, `table` for the others. What belongs to the group before it stays behind that.
std::vector<std::uint32_t> groupOrder(CellOrder order, const scene::MemoryCells& cells, const sim::CellTable* table,
                                      const sim::Causes* causes);

}  // namespace whorl::app
