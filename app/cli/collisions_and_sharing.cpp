// whorl collisions and whorl sharing: what evicts what, and which blocks CPUs invalidate in each other's caches.
#include <memory>
#include <optional>
#include <utility>

#include "app/cli/question.h"
#include "app/cli/subcommands.h"
#include "app/cli/terminal.h"
#include "app/cli/values.h"
#include "sim/analysis/collisions.h"
#include "sim/analysis/history_of.h"
#include "sim/analysis/latent_sharing.h"
#include "sim/analysis/sharing.h"
#include "sim/analysis/sharing_trials.h"
#include "sim/report/history_tables.h"
#include "sim/report/sharing_report.h"

namespace whorl::app {

namespace {

constexpr const char* kTop = "rows or paragraphs in text; JSON and CSV have all";

struct HistoryOptions : QueryOptions {
    std::string level;
    std::string by = "region";
    bool latent = false;
    bool blocks = false;
};

sim::Expected<sim::Document> collisionsFor(const HistoryOptions& options, const OptionParser& command) {
    const auto of = WHORL_TRY(parseCollisionsOf(options.by));
    std::optional<std::size_t> level;
    const auto find = [&](const sim::Trace&, const sim::MachineConfig& machine) -> sim::Expected<void> {
        if (options.level.empty()) return {};
        return levelNamed(options.level, machine).map([&](std::size_t named) { level = named; });
    };
    auto query = WHORL_TRY(queriedBy(options, command, find));
    const auto history = WHORL_TRY(inProgress(
        "looking back", [&](sim::Progress& progress) { return historyOf(*query.run, query.range, progress); }));
    return sim::collisionDocument(collisionsOf(*history, query.run->trace(), of), history, level);
}

sim::Expected<sim::Document> sharingFor(const HistoryOptions& options, const OptionParser& command) {
    auto query = WHORL_TRY(queriedBy(options, command));
    auto report = WHORL_TRY(inProgress(
        "looking back", [&](sim::Progress& progress) { return sharingOf(*query.run, query.range, progress); }));
    WHORL_TRY(
        inProgress("trying changes", [&](sim::Progress& progress) { return tryCures(report, *query.run, progress); }));
    sim::SharingAnswer answer{
        .report = std::move(report), .trace = query.run->sharedTrace(), .showsBlocks = options.blocks};
    if (options.latent) {
        answer.latent = WHORL_TRY(inProgress("looking ahead", [&](sim::Progress& progress) {
            return latentSharingOf(*query.run, answer.report, progress);
        }));
    }
    const bool isWhole = query.range == sim::Range{sim::Tick{0}, sim::Tick{query.run->trace().size()}};
    answer.order = WHORL_TRY(noteOnOrder(query.request, query.run->trace(), query.run->machine(), isWhole));
    return sim::sharingDocument(std::move(answer));
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
    answerBy(command, std::move(options), collisionsFor);
}

void addSharingCommand(OptionParser& program) {
    auto options = std::make_shared<HistoryOptions>();
    OptionParser& command = program.addCommand(
        "sharing",
        "List the blocks that CPUs invalidate for each other, the cost, and the layout changes that save cycles");
    addQueryOptions(command, *options, kTop);
    command.addFlag("--blocks", options->blocks,
                    "also a table of the blocks, with a row for each offset that is accessed");
    command.addFlag("--csv", options->answer.csv, "the table of all blocks as CSV");
    command.addFlag("--latent", options->latent,
                    "also the false sharing that other placements of the data, or blocks twice as large, would cause");
    command.addExample("Blocks that CPUs take from each other, and what helps",
                       "whorl sharing vecadd --machine chiron-vecadd");
    command.addExample("The reads and writes of each CPU in each block", "whorl sharing vecadd --blocks --top 3");
    answerBy(command, std::move(options), sharingFor);
}

}  // namespace whorl::app
