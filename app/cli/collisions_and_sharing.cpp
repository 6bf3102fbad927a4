// whorl collisions and whorl sharing: what evicts what, and which blocks CPUs invalidate in each other's caches.
#include <fmt/format.h>

#include <memory>
#include <optional>

#include "app/cli/question.h"
#include "app/cli/subcommands.h"
#include "app/cli/terminal.h"
#include "app/cli/values.h"
#include "sim/analysis/collisions.h"
#include "sim/analysis/history_of.h"
#include "sim/analysis/latent_sharing.h"
#include "sim/analysis/sharing.h"
#include "sim/analysis/sharing_trials.h"
#include "sim/base/byte_sink.h"
#include "sim/report/collision_tables.h"
#include "sim/report/json.h"
#include "sim/report/sharing_report.h"
#include "sim/report/sharing_table.h"

namespace whorl::app {

namespace {

constexpr const char* kTop = "rows, or paragraphs, in text; JSON and CSV have all";

struct HistoryOptions : QueryOptions {
    std::string level;
    std::string by = "region";
    bool latent = false;
    bool blocks = false;
};

/// What a table for people says when a history had no room for everything.
std::string leftOutText(const sim::Collisions& collisions) {
    if (collisions.leftOut == 0) return {};
    return fmt::format("\n{} stays of the cheapest blocks are left out: choose a range with --from and --to\n",
                       sim::grouped(collisions.leftOut));
}

sim::Expected<void> collisionsCommand(const HistoryOptions& options, const OptionParser& command) {
    const auto of = parseCollisionsOf(options.by);
    if (!of) return tl::unexpected(of.error());
    std::optional<std::size_t> level;
    const auto find = [&](const sim::Trace&, const sim::MachineConfig& machine) -> sim::Expected<void> {
        if (options.level.empty()) return {};
        return levelNamed(options.level, machine).map([&](std::size_t named) { level = named; });
    };
    auto query = queriedBy(options, command, find);
    if (!query) return tl::unexpected(query.error());
    const auto found = inProgress(
        "looking back", [&](sim::Progress& progress) { return historyOf(*query->run, query->range, progress); });
    if (!found) return tl::unexpected(found.error());
    const std::shared_ptr<const sim::History>& history = *found;
    const sim::Collisions collisions = collisionsOf(*history, query->run->trace(), *of);
    if (options.answer.json) {
        return sim::writeText(collisionsAsJson(collisions, *history, level) + "\n", options.answer.output);
    }
    const sim::Table pairs = collisionPairs(collisions, *history, level);
    if (options.answer.csv) return sim::writeText(sim::tableAsCsv(pairs), options.answer.output);
    constexpr std::size_t kColumns = 8;  // as many as fit in a terminal
    std::string out;
    for (std::size_t l = 0; l < history->levels.size(); ++l) {
        if (level && *level != l) continue;
        const sim::Table matrix = collisionMatrix(collisions, *history, l, kColumns);
        out += matrix.rows.empty() ? fmt::format("No block was evicted from {}.\n\n", history->levels[l].name)
                                   : sim::tableAsText(matrix, options.answer.top) + '\n';
    }
    out += sim::tableAsText(pairs, options.answer.top) + leftOutText(collisions);
    return sim::writeText(out, options.answer.output);
}

std::string textOf(const sim::SharingReport& report, const std::optional<sim::LatentReport>& latent,
                   const sim::Trace& trace, const HistoryOptions& options) {
    const std::size_t top = options.answer.top;
    std::string out = sharingAsText(report, trace, top);
    if (options.blocks && !report.blocks.empty()) {
        out += '\n' + sharingTableAsText(sharingTable(report, trace), top);
    }
    return latent ? out + '\n' + latentAsText(*latent, top) : out;
}

sim::Expected<void> sharingCommand(const HistoryOptions& options, const OptionParser& command) {
    auto query = queriedBy(options, command);
    if (!query) return tl::unexpected(query.error());
    auto report = inProgress("looking back",
                             [&](sim::Progress& progress) { return sharingOf(*query->run, query->range, progress); });
    if (!report) return tl::unexpected(report.error());
    const auto tried =
        inProgress("trying changes", [&](sim::Progress& progress) { return tryCures(*report, *query->run, progress); });
    if (!tried) return tl::unexpected(tried.error());
    std::optional<sim::LatentReport> latent;
    if (options.latent) {
        auto found = inProgress(
            "looking ahead", [&](sim::Progress& progress) { return latentSharingOf(*query->run, *report, progress); });
        if (!found) return tl::unexpected(found.error());
        latent = *std::move(found);
    }
    const sim::Trace& trace = query->run->trace();
    const std::string out = options.answer.json  ? sharingAsJson(*report, trace, latent ? &*latent : nullptr) + "\n"
                            : options.answer.csv ? tableAsCsv(sharingTable(*report, trace).table)
                                                 : textOf(*report, latent, trace, options);
    return sim::writeText(out, options.answer.output);
}

}  // namespace

void addCollisionsCommand(OptionParser& program) {
    auto options = std::make_shared<HistoryOptions>();
    OptionParser& command = program.addCommand("collisions", "List which accesses evict which blocks, and when");
    addQueryOptions(command, *options, kTop);
    command.add("--level", options->level, "of this level only", {.kind = ValueKind::level});
    command.add("--by", options->by, "regions, objects or classes (region, object or class)",
                {.showDefault = true, .among = collisionWords()});
    command.addFlag("--csv", options->answer.csv, "as CSV, a row for each pair");
    command.addExample("Which arrays evict each other", "whorl collisions conflict --level L1 --by region");
    command.onRun([options, &command] { return collisionsCommand(*options, command); });
}

void addSharingCommand(OptionParser& program) {
    auto options = std::make_shared<HistoryOptions>();
    OptionParser& command = program.addCommand(
        "sharing",
        "List the blocks that CPUs invalidate for each other, the cost, and the layout changes that save cycles");
    addQueryOptions(command, *options, kTop);
    command.addFlag("--blocks", options->blocks,
                    "also a table of the blocks, with a row for each offset that is accessed");
    command.addFlag("--csv", options->answer.csv, "that table as CSV, of all blocks");
    command.addFlag("--latent", options->latent,
                    "also the false sharing that other placements of the data, or blocks twice as large, would cause");
    command.addExample("Blocks that CPUs take from each other, and what helps",
                       "whorl sharing vecadd --machine chiron-vecadd");
    command.addExample("Who reads and writes what in each of them", "whorl sharing vecadd --blocks --top 3");
    command.onRun([options, &command] { return sharingCommand(*options, command); });
}

}  // namespace whorl::app
