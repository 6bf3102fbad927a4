// The tables of what costs most: what each is called, what it is made of, and what a click on one of its rows does. To
// add one: add a row to the list in cost_tables.cpp.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "app/session/command.h"
#include "app/session/session.h"
#include "sim/analysis/history.h"
#include "sim/replay/measures.h"
#include "sim/report/table.h"
#include "sim/trace/trace.h"

namespace whorl::app {

/// What tables are made of.
struct CostSources {
    const sim::Measures& measures;
    const sim::History* history;  ///< null: not available
    const sim::Trace& trace;
};

struct CostTable {
    std::string_view word;  ///< word for it in commands and on its tab
    /// The table, as `whorl stats --by` prints it. Null: it has a panel of its own.
    sim::Table (*make)(const CostSources& of) = nullptr;
    /// The command that picks a row's thing in all views, given its name; none if it cannot be picked. Null: no row can
    /// be picked.
    std::optional<Command> (*pick)(std::string_view name, const CostSources& of) = nullptr;
    bool ofHistory = false;  ///< it needs a history
};

/// All tables, in the order of their tabs; the first is CostTab::why.
std::span<const CostTable> costTables();
inline const CostTable& costTable(CostTab tab) {
    return costTables()[static_cast<std::size_t>(tab)];
}

/// The blocks that CPUs invalidate for each other.
CostTab sharingTab();

/// The table of a tab, and each row's share of the cycles; nothing for one that has a panel of its own, or needs a
/// history that is not there.
std::optional<sim::Table> tableFor(CostTab tab, const CostSources& of);

/// The command that picks the source line, or the region, of this name in all views; none if there is no such thing.
std::optional<Command> pickOfLine(std::string_view name, const CostSources& of);
std::optional<Command> pickOfRegion(std::string_view name, const CostSources& of);

/// Whether what is shown of costs is made of a history.
bool costsNeedHistory(const Overlays& overlays);

std::vector<std::string_view> costTableWords();
template <>
inline const std::vector<std::string_view> kWords<CostTab> = costTableWords();

}  // namespace whorl::app
