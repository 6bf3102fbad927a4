// The rows of a table of costs that are shown, in their order; and what they stand for.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "app/commands/commands.h"
#include "app/session/session.h"
#include "sim/analysis/history.h"
#include "sim/replay/measures.h"
#include "sim/report/sharing_table.h"
#include "sim/report/table.h"
#include "sim/trace/trace.h"

namespace whorl::app {

struct CostOrder {
    std::size_t column = 2;  ///< of the table: cycles
    bool isDescending = true;
    bool operator==(const CostOrder&) const = default;
};

/// The table of a tab, as `whorl stats --by` gives it, and each row's share of the cycles; nothing for the one that is
/// no table, or that needs a history that is not there.
std::optional<sim::Table> costTable(CostTab tab, const sim::Measures& measures, const sim::History* history,
                                    const sim::Trace& trace);

/// The indices of the rows whose first cell contains the filter, in upper or lower case, sorted by a column; rows that
/// are equal there keep their order, and cells without a value come last.
std::vector<std::size_t> costRows(const sim::Table& table, std::string_view filter, const CostOrder& order);

/// The same for blocks with what is accessed in them: the offsets of a block stay with it, each sorted among its like.
/// A block that contains the filter has all of its offsets, another those that contain it.
std::vector<std::size_t> sharingRows(const sim::SharingTable& table, std::string_view filter, const CostOrder& order);

/// A table of these rows only.
sim::Table onlyRows(const sim::Table& table, const std::vector<std::size_t>& rows);

/// What picks a row's thing in all views, given its name; nothing if there is no such pick.
std::optional<Command> pickOf(CostTab tab, std::string_view name, const sim::Measures& measures,
                              const sim::Trace& trace);

/// What picks the memory of a row of sharing in all views: an offset's word, a block's first stay where a history tells
/// of it, else its costliest word. Without a BlockView, that of the row's level is shown.
Commands picksOf(const sim::SharingReport& report, const sim::SharingRow& row, const sim::History* history,
                 const ViewSettings& settings);

}  // namespace whorl::app
