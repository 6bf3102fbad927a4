// whorl stats --recorded: reports the recording in a trace, as the views show it, without simulating anything.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "app/cli/stats.h"
#include "app/cli/values.h"
#include "sim/analysis/history_of.h"
#include "sim/report/history_tables.h"
#include "sim/report/recorded_report.h"

namespace whorl::app {

namespace {

/// Options that also apply to a recording: options that describe the input, and options that select the output.
constexpr std::array kOptions = {
    "INPUT",     "--format",       "--chiron-sources", "--regions", "--binary", "--sources", "--no-sources",
    "--lenient", "--instructions", "--memory",         "--from",    "--to",     "--by",      "--conflicts",
    "--top",     "--recorded",     "--json",           "--csv",     "--output", "--help"};

/// Whether a table needs a simulation, because a recording lacks its data.
bool isSimulated(TableOf::What what) {
    using enum TableOf::What;
    switch (what) {
        case pages:
        case sets:
        case ways:
        case costs:
        case path:
        case missRatios:
            return true;
        case grouping:
        case blocks:
        case words:
        case classes:
        case fields:
        case conflicts:
            return false;
    }
    return true;
}

/// The first option given that asks for a simulation; empty if there is none.
std::string simulatedOption(const StatsQuery& query, const OptionParser& command) {
    for (const OptionFacts& option : command.facts().options) {
        const std::string& name = option.names.back();
        const bool isKnown = std::find(kOptions.begin(), kOptions.end(), name) != kOptions.end();
        if (!isKnown && command.given(name)) return name;
    }
    const auto table = std::find_if(query.tables.begin(), query.tables.end(),
                                    [](const TableRequest& t) { return isSimulated(t.of.what); });
    return table == query.tables.end() ? "" : table->words;
}

/// Costs and stays of the range; all stays, because they are counted.
std::shared_ptr<const sim::History> wholeHistoryOf(const sim::Trace& trace, sim::Range range) {
    return sim::historyOf(trace, range, {.stays = ~std::uint32_t{0}, .changes = 0});
}

sim::Expected<sim::Table> tableOf(const TableOf& of, const sim::RecordedCounts& counts, const sim::History& recorded,
                                  const sim::Trace& trace) {
    switch (of.what) {
        case TableOf::What::words:
            return sim::wordTable(recorded, trace);
        case TableOf::What::classes:
            return sim::classTable(recorded);
        case TableOf::What::fields:
            return sim::fieldTable(recorded, trace);
        case TableOf::What::blocks: {
            std::vector<std::string> levels;
            for (const sim::HistoryLevel& level : recorded.levels) levels.push_back(level.name);
            const auto level = of.level.empty() ? sim::Expected<std::size_t>(0) : levelNamed(of.level, levels);
            return level.map([&](std::size_t l) { return sim::recordedBlocks(l, recorded, trace); });
        }
        case TableOf::What::conflicts:
            return sim::recordedConflicts(of.grouping, recorded, trace);
        default:
            return sim::recordedTable(of.grouping, counts, recorded, trace);
    }
}

}  // namespace

sim::Expected<void> recordedCommand(const StatsOptions& options, const OpenRequest& request, const StatsQuery& query,
                                    const OptionParser& command) {
    if (const std::string option = simulatedOption(query, command); !option.empty()) {
        return sim::fail("", fmt::format("--recorded and {} exclude each other", option),
                         option == "--only" ? "the events that were recorded are those of all accesses"
                                            : "a recording does not contain that; without --recorded it is simulated");
    }
    const auto trace = WHORL_TRY(readTrace(request));
    const auto range = WHORL_TRY(rangeOf(options, *trace));
    const auto recorded = wholeHistoryOf(*trace, range);
    if (!recorded) {
        return sim::fail(request.input, "this trace has no recorded events",
                         "a Chiron trace has them; without --recorded the trace is simulated");
    }
    sim::RecordedReport report{.counts = sim::recordedCounts(*trace, *recorded), .tables = {}};
    for (const TableRequest& wanted : query.tables) {
        report.tables.push_back(WHORL_TRY(tableOf(wanted.of, report.counts, *recorded, *trace)));
    }
    return write(sim::recordedDocument(std::move(report)), options.answer);
}

}  // namespace whorl::app
