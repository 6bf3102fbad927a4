// What the parts of whorl stats share: one machine, a sweep over many, and what was recorded.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "app/cli/input_options.h"
#include "sim/analysis/sweep.h"
#include "sim/report/cycle_tables.h"
#include "sim/report/report.h"
#include "sim/report/tables.h"

namespace whorl::app {

struct StatsOptions {
    InputOptions input;
    std::string from = "0";
    std::string to = "end";
    bool kinds = false;
    bool use = false;
    std::vector<std::string> by;
    std::vector<std::string> conflicts;
    bool costs = false;
    std::vector<std::string> path;
    bool missRatios = false;
    std::uint64_t top = 20;
    bool json = false;
    bool csv = false;
    std::vector<std::string> sweep;
    std::string shard;
    unsigned jobs = 0;
    std::string output = "-";
    bool recorded = false;  ///< what the trace has recorded, not what a machine does
};

/// A table of the costs of one kind of thing.
struct TableBy {
    enum class Of : std::uint8_t { grouping, blocks, pages, sets, ways, words, classes, fields };
    Of of = Of::grouping;
    sim::Grouping grouping{};
    std::string level = {};   ///< blocks, sets, ways: of which level; empty: of the nearest, or sets: of all
    std::uint64_t bytes = 0;  ///< pages: of a page; 0: as in the TLB
    bool operator==(const TableBy&) const = default;

    /// Whether more than the ledger of a range is needed.
    bool needsRun() const { return of != Of::grouping; }
};

/// What to report in addition to the counts.
struct StatsQuery {
    bool kinds = false;
    bool use = false;
    std::vector<TableBy> by;
    std::vector<sim::Grouping> conflicts;
    bool costs = false;
    std::vector<sim::PathTable> path;
    bool missRatios = false;
    bool forPeople = false;  ///< as a text table, which omits some columns

    bool needsRun() const {
        return costs || !path.empty() ||
               std::any_of(by.begin(), by.end(), [](const TableBy& table) { return table.needsRun(); });
    }
    bool needsLedger() const { return kinds || use || !by.empty() || !conflicts.empty(); }
};

/// The level with this name, in upper or lower case; an error when the machine has none.
sim::Expected<std::size_t> levelNamed(const std::string& name, const sim::MachineConfig& machine);
/// The same of levels that have these names.
sim::Expected<std::size_t> levelNamed(const std::string& name, const std::vector<std::string>& levels);

/// Measures, and makes all requested tables. An error when cancelled, or when the machine is not sound.
sim::Expected<sim::Report> reportFor(const std::shared_ptr<const sim::Trace>& trace, const sim::MachineConfig& machine,
                                     sim::Range range, const StatsQuery& query, sim::Progress& progress);

/// The range given by --from and --to.
sim::Expected<sim::Range> rangeOf(const StatsOptions& options, const sim::Trace& trace);

/// Reports what was recorded in the trace, and writes it. An error when nothing was, or for options of a simulation.
sim::Expected<void> recordedCommand(const StatsOptions& options, const OpenRequest& request, const StatsQuery& query);

/// Measures all points of a sweep, or of a shard of it, several at a time, and writes the result.
sim::Expected<void> sweepCommand(const StatsOptions& options, const OpenRequest& request, const StatsQuery& query);

}  // namespace whorl::app
