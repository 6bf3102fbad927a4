// The rows of a table of costs that are shown, in their order; and what they stand for.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "app/session/commands.h"
#include "app/session/session.h"
#include "sim/analysis/history.h"
#include "sim/replay/measures.h"
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

/// A table of these rows only.
sim::Table onlyRows(const sim::Table& table, const std::vector<std::size_t>& rows);

/// What picks a row's thing in all views, given its name; nothing if there is no such pick.
std::optional<Command> pickOf(CostTab tab, std::string_view name, const sim::Measures& measures,
                              const sim::Trace& trace);

}  // namespace whorl::app
