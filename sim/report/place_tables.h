// The history of a place as tables and as an answer.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "sim/analysis/place_history.h"
#include "sim/analysis/place_rows.h"
#include "sim/machine/machine_config.h"
#include "sim/replay/run.h"
#include "sim/report/document.h"
#include "sim/report/table.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// A row for each access, or request of a cell of a cache: tick, CPU, source line, address and its name, read or write,
/// size, the level that served it, penalty; TLB misses, where there is a TLB; of a cell of a cache also the block, hit
/// or miss, and whether it is the CPU's own request.
Table placeAccessTable(const PlaceHistory& history, const Trace& trace, const MachineConfig& machine);

/// A row for each of `rows`: its name, first and last access, accesses or requests, writes, those served by each level,
/// penalty. `thing`: what a row stands for, "line"; `ofCache`: the place is a cell of a cache.
Table placeRowTable(std::string_view thing, const std::vector<PlaceRow>& rows, const MachineConfig& machine,
                    bool ofCache);
/// A row for each thing that lived in the place; see rowsByName.
Table placeNameTable(const PlaceHistory& history, const Trace& trace, const MachineConfig& machine);
/// A row for each source line that used the place.
Table placeLineTable(const PlaceHistory& history, const Trace& trace, const MachineConfig& machine);

/// A row for each stay: level, cache, block and its name, when it came and left.
Table placeStayTable(const PlaceHistory& history, const Trace& trace, const MachineConfig& machine);

/// All tables of the place; in text, the stays only for a cell of a cache. JSON: {"place", "from", "to", "accesses":
/// [rows], "names": [rows], "lines": [rows], "stays": [rows], "left_out", "stays_left_out"}. CSV: the accesses.
Document placeDocument(const std::shared_ptr<const PlaceHistory>& history, const std::shared_ptr<const Run>& run);

}  // namespace whorl::sim
