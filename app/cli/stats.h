// What the parts of whorl stats share: one machine, a sweep over many, and what was recorded.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "app/cli/question.h"
#include "sim/analysis/sweep.h"
#include "sim/report/cycle_tables.h"
#include "sim/report/report.h"
#include "sim/report/tables.h"

namespace whorl::app {

struct StatsOptions : QueryOptions {
    bool kinds = false;
    bool use = false;
    std::vector<std::string> by;
    bool callers = false;
    std::vector<std::string> conflicts;
    bool costs = false;
    std::vector<std::string> path;
    bool missRatios = false;
    std::vector<std::string> sweep;
    std::string shard;
    unsigned jobs = 0;
    std::string callgrind;  ///< a file to write; empty: none
    bool recorded = false;  ///< report the recording in the trace, without a simulation
};

/// The contents of a table.
struct TableOf {
    enum class What : std::uint8_t {
        grouping,
        callers,
        calls,
        blocks,
        pages,
        sets,
        ways,
        words,
        classes,
        fields,
        costs,
        path,
        conflicts,
        missRatios,
    };
    What what = What::grouping;
    sim::Grouping grouping{};  ///< grouping, conflicts: the grouping of the rows
    sim::PathTable path{};     ///< path: its table
    std::string level = {};    ///< blocks, sets, ways: the level; empty: the nearest, or for sets: all
    std::uint64_t bytes = 0;   ///< pages: of a page; 0: as in the TLB
    bool operator==(const TableOf&) const = default;
};

/// A requested table.
struct TableRequest {
    TableOf of;
    std::string words = {};  ///< the option that requests it: "--by block:L2"
    bool operator==(const TableRequest&) const = default;

    /// The data for the table: the accesses, their sums in a ledger, or a run that is played again.
    enum class Needs : std::uint8_t { accesses, ledger, run };
    Needs needs() const;
    /// Whether it has a column for the use of blocks.
    bool hasUse() const;
};

/// What to report in addition to the counts.
struct StatsQuery {
    bool kinds = false;
    bool use = false;
    std::vector<TableRequest> tables;
    bool forPeople = false;  ///< formatted as a text table, which omits some columns
    bool operator==(const StatsQuery&) const = default;

    /// Whether it is nothing: whatever else there will be to ask for is a member, too.
    bool isNothing() const {
        return *this == StatsQuery{.kinds = false, .use = false, .tables = {}, .forPeople = forPeople};
    }
    bool needsLedger() const { return kinds || use || needs(TableRequest::Needs::ledger); }
    bool needsRun() const { return needs(TableRequest::Needs::run); }

  private:
    bool needs(TableRequest::Needs what) const {
        return std::any_of(tables.begin(), tables.end(), [&](const TableRequest& t) { return t.needs() == what; });
    }
};

/// The report of counts of a range.
sim::Report countsReport(const sim::Trace& trace, sim::Measures measures, sim::Range range);

/// Measures, and makes all requested tables. An error when cancelled, or when the machine is not sound.
sim::Expected<sim::Report> reportFor(const std::shared_ptr<const sim::Trace>& trace, const sim::MachineConfig& machine,
                                     sim::Range range, const StatsQuery& query, sim::Progress& progress,
                                     const sim::ThreadRunner& threads = {});

/// Reports what was recorded in the trace, and writes it. An error when nothing was, or for options of a simulation.
sim::Expected<void> recordedCommand(const StatsOptions& options, const OpenRequest& request, const StatsQuery& query,
                                    const OptionParser& command);

/// Measures all points of a sweep, or of a shard of it, several at a time, and writes the result.
sim::Expected<void> sweepCommand(const StatsOptions& options, const OpenRequest& request, const StatsQuery& query);

}  // namespace whorl::app
