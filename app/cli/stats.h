// What the two halves of whorl stats share: one machine, and a sweep over many.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/cli/input_options.h"
#include "sim/analysis/sweep.h"
#include "sim/report/report.h"
#include "sim/report/tables.h"

namespace whorl::app {

struct StatsOptions {
    InputOptions input;
    std::string from = "0";
    std::string to = "end";
    bool kinds = false;
    std::vector<std::string> by;
    std::vector<std::string> conflicts;
    bool missRatios = false;
    std::uint64_t top = 20;
    bool json = false;
    bool csv = false;
    std::vector<std::string> sweep;
    std::string shard;
    unsigned jobs = 0;
    std::string output = "-";
};

/// A table of what each thing of a sort cost.
struct TableBy {
    enum class Of : std::uint8_t { grouping, blocks, words, classes };
    Of of = Of::grouping;
    sim::Grouping grouping{};
    std::string level = {};  ///< blocks: whose

    bool needsHistory() const { return of == Of::words || of == Of::classes; }
    bool operator==(const TableBy&) const = default;
};

/// What is to be told beside the counts.
struct StatsQuery {
    bool kinds = false;
    std::vector<TableBy> by;
    std::vector<sim::Grouping> conflicts;
    bool missRatios = false;
    bool forPeople = false;  ///< in the form of a table in text, which leaves some out

    bool needsLedger() const { return kinds || !by.empty() || !conflicts.empty(); }
};

/// The level that a person calls so, in upper or lower case; an error when the machine has none.
sim::Expected<std::size_t> levelNamed(const std::string& name, const sim::MachineConfig& machine);

/// Measures, and makes all tables that are asked for. An error when it was cancelled, or the machine is not sound.
sim::Expected<sim::Report> reportFor(const std::shared_ptr<const sim::Trace>& trace, const sim::MachineConfig& machine,
                                     sim::Range range, const StatsQuery& query, sim::Progress& progress);

/// The range that --from and --to name.
sim::Expected<sim::Range> rangeOf(const StatsOptions& options, const sim::Trace& trace);

/// Measures all points of a sweep, or of a shard of it, several at a time, and writes the result.
sim::Expected<void> sweepCommand(const StatsOptions& options, const OpenRequest& request, const StatsQuery& query);

}  // namespace whorl::app
