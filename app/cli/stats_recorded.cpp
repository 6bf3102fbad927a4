// whorl stats --recorded: what the recording in a trace tells, as the views show it, without simulating anything.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/cli/stats.h"
#include "sim/analysis/history_of.h"
#include "sim/base/byte_sink.h"
#include "sim/report/history_tables.h"
#include "sim/report/json.h"
#include "sim/report/recorded_report.h"

namespace whorl::app {

namespace {

/// The first option given that asks for a simulation; empty if there is none.
std::string simulatedOption(const StatsOptions& options, const StatsQuery& query) {
    const std::array<std::pair<bool, const char*>, 9> all = {{{!options.input.machine.empty(), "--machine"},
                                                              {!options.input.settings.empty(), "--set"},
                                                              {!options.input.changes.empty(), "--map"},
                                                              {!options.sweep.empty(), "--sweep"},
                                                              {!options.shard.empty(), "--shard"},
                                                              {query.kinds, "--kinds"},
                                                              {query.use, "--utilization"},
                                                              {query.missRatios, "--mrc"},
                                                              {!options.input.only.empty(), "--only"}}};
    for (const auto& [given, name] : all) {
        if (given) return name;
    }
    for (const TableBy& by : query.by) {
        const TableBy::Of of = by.of;
        if (of == TableBy::Of::pages) return "--by page";
        if (of == TableBy::Of::sets) return "--by set";
        if (of == TableBy::Of::ways) return "--by way";
    }
    return {};
}

/// Costs and stays of the range; all stays, because they are counted.
std::shared_ptr<const sim::History> wholeHistoryOf(const sim::Trace& trace, sim::Range range) {
    return sim::historyOf(trace, range, {.stays = ~std::uint32_t{0}, .changes = 0});
}

sim::Expected<sim::Table> tableOf(const TableBy& by, const sim::RecordedCounts& counts, const sim::History& recorded,
                                  const sim::Trace& trace) {
    switch (by.of) {
        case TableBy::Of::words:
            return sim::wordTable(recorded, trace);
        case TableBy::Of::classes:
            return sim::classTable(recorded);
        case TableBy::Of::fields:
            return sim::fieldTable(recorded, trace);
        case TableBy::Of::blocks: {
            std::vector<std::string> levels;
            for (const sim::HistoryLevel& level : recorded.levels) levels.push_back(level.name);
            const auto level = by.level.empty() ? sim::Expected<std::size_t>(0) : levelNamed(by.level, levels);
            return level.map([&](std::size_t l) { return sim::recordedBlocks(l, recorded, trace); });
        }
        default:
            return sim::recordedTable(by.grouping, counts, recorded, trace);
    }
}

}  // namespace

sim::Expected<void> recordedCommand(const StatsOptions& options, const OpenRequest& request, const StatsQuery& query) {
    if (const std::string option = simulatedOption(options, query); !option.empty()) {
        return sim::fail("", fmt::format("--recorded and {} exclude each other", option),
                         option == "--only" ? "the events that were recorded are those of all accesses"
                                            : "a recording does not tell that; without --recorded it is simulated");
    }
    const auto trace = readTrace(request);
    if (!trace) return tl::unexpected(trace.error());
    const auto range = rangeOf(options, **trace);
    if (!range) return tl::unexpected(range.error());
    const auto recorded = wholeHistoryOf(**trace, *range);
    if (!recorded) {
        return sim::fail(request.input, "this trace has no events that were recorded",
                         "a Chiron trace has; without --recorded it is simulated");
    }
    sim::RecordedReport report{.counts = sim::recordedCounts(**trace, *recorded), .tables = {}};
    for (const TableBy& by : query.by) {
        auto table = tableOf(by, report.counts, *recorded, **trace);
        if (!table) return tl::unexpected(table.error());
        report.tables.push_back(*std::move(table));
    }
    for (const sim::Grouping of : query.conflicts) {
        report.tables.push_back(sim::recordedConflicts(of, *recorded, **trace));
    }
    if (options.json) return sim::writeText(sim::recordedAsJson(report) + "\n", options.output);
    if (!options.csv) return sim::writeText(sim::recordedAsText(report, options.top), options.output);
    return sim::writeText(
        sim::tableAsCsv(report.tables.empty() ? sim::recordedCountsTable(report) : report.tables.front()),
        options.output);
}

}  // namespace whorl::app
