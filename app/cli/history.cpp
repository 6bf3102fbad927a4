// whorl collisions and whorl sharing: who throws out whom, and which blocks CPUs take from each other.
#include <fmt/format.h>

#include <memory>
#include <optional>

#include "app/cli/stats.h"
#include "sim/analysis/collisions.h"
#include "sim/analysis/history_of.h"
#include "sim/analysis/sharing_report.h"

namespace whorl::app {

namespace {

struct HistoryOptions {
    StatsOptions stats;  ///< those that name the input, the stretch and the form
    std::string level;
    std::string by = "region";
};

/// A run that is built, and the stretch of it that is asked for.
struct Asked {
    std::shared_ptr<const sim::Run> run;
    sim::Stretch stretch;
};

sim::Expected<Asked> askedBy(const HistoryOptions& options, const CLI::App& command) {
    auto request = requestOf(options.stats.input, command);
    if (!request) return tl::unexpected(request.error());
    auto trace = traceFor(*request);
    if (!trace) return tl::unexpected(trace.error());
    auto stretch = stretchOf(options.stats, **trace);
    if (!stretch) return tl::unexpected(stretch.error());
    auto named = machineOf(*request, trace->get());
    if (!named) return tl::unexpected(named.error());
    auto machine = sim::grownFor(*named, **trace);
    if (!machine) return tl::unexpected(machine.error());
    auto run = std::make_shared<sim::Run>(*trace, *std::move(machine));
    sim::Progress progress;
    bool built = false;
    withProgress("simulating", progress, [&] { built = run->build(progress); });
    if (!built) return tl::unexpected(sim::Error::byUser());
    return Asked{.run = std::move(run), .stretch = *stretch};
}

/// What a table for people says when a history had no room for all.
std::string leftOutText(const sim::Collisions& collisions) {
    if (collisions.leftOut == 0) return {};
    return fmt::format("\n{} stays of the cheapest blocks are left out: choose a stretch with --from and --to\n",
                       sim::grouped(collisions.leftOut));
}

sim::Expected<void> collisionsCommand(const HistoryOptions& options, const CLI::App& command) {
    const auto of = sim::collisionsNamed(options.by);
    if (!of) {
        return sim::fail("", fmt::format("--by \"{}\" is not understood", options.by), "use region, object or class");
    }
    if (options.stats.json && options.stats.csv)
        return sim::fail("", "--json and --csv exclude each other", "choose one");
    auto asked = askedBy(options, command);
    if (!asked) return tl::unexpected(asked.error());
    std::optional<std::size_t> level;
    if (!options.level.empty()) {
        auto named = levelNamed(options.level, asked->run->machine());
        if (!named) return tl::unexpected(named.error());
        level = *named;
    }
    sim::Progress progress;
    std::shared_ptr<const sim::History> history;
    withProgress("looking back", progress, [&] { history = historyOf(*asked->run, asked->stretch, progress); });
    if (!history) return tl::unexpected(sim::Error::byUser());
    const sim::Collisions collisions = collisionsOf(*history, asked->run->trace(), *of);
    if (options.stats.json) {
        return writeText(collisionsAsJson(collisions, *history, level) + "\n", options.stats.output);
    }
    const sim::Table pairs = collisionPairs(collisions, *history, level);
    if (options.stats.csv) return writeText(sim::tableAsCsv(pairs), options.stats.output);
    constexpr std::size_t kColumns = 8;  // as many as a terminal has room for
    std::string out;
    for (std::size_t l = 0; l < history->levels.size(); ++l) {
        if (level && *level != l) continue;
        const sim::Table matrix = collisionMatrix(collisions, *history, l, kColumns);
        out += matrix.rows.empty() ? fmt::format("Nothing throws anything out of {}.\n\n", history->levels[l].name)
                                   : sim::tableAsText(matrix, options.stats.top) + '\n';
    }
    out += sim::tableAsText(pairs, options.stats.top) + leftOutText(collisions);
    return writeText(out, options.stats.output);
}

sim::Expected<void> sharingCommand(const HistoryOptions& options, const CLI::App& command) {
    auto asked = askedBy(options, command);
    if (!asked) return tl::unexpected(asked.error());
    sim::Progress progress;
    std::optional<sim::SharingReport> report;
    withProgress("looking back", progress, [&] { report = sharingOf(*asked->run, asked->stretch, progress); });
    if (!report) return tl::unexpected(sim::Error::byUser());
    const sim::Trace& trace = asked->run->trace();
    return writeText(
        options.stats.json ? sharingAsJson(*report, trace) + "\n" : sharingAsText(*report, trace, options.stats.top),
        options.stats.output);
}

void addCommonOptions(CLI::App& command, StatsOptions& options) {
    addInputOptions(command, options.input, true, false);
    command.add_option("--from", options.from, "the first access that counts; those before only fill the caches")
        ->capture_default_str();
    command.add_option("--to", options.to, "the access before which counting ends, or end")->capture_default_str();
    command.add_option("--top", options.top, "rows, or paragraphs, in text; JSON and CSV have all")
        ->capture_default_str()
        ->check(CLI::Range(1, 1'000'000'000));
    command.add_flag("--json", options.json, "as JSON instead of text");
    command.add_option("-o,--output", options.output, "a file; - for standard output")->capture_default_str();
}

}  // namespace

void addCollisionsCommand(CLI::App& app, int& status) {
    auto options = std::make_shared<HistoryOptions>();
    CLI::App* command = app.add_subcommand("collisions", "Tell who throws whom out of the caches, and when");
    addCommonOptions(*command, options->stats);
    command->add_option("--level", options->level, "of this level only");
    command->add_option("--by", options->by, "regions, objects or classes (region, object or class)")
        ->capture_default_str();
    command->add_flag("--csv", options->stats.csv, "as CSV, a row for each pair");
    command->callback([options, command, &status] {
        if (const auto done = collisionsCommand(*options, *command); !done) status = report(done.error());
    });
}

void addSharingCommand(CLI::App& app, int& status) {
    auto options = std::make_shared<HistoryOptions>();
    CLI::App* command = app.add_subcommand(
        "sharing", "Tell which blocks CPUs take from each other, what it costs and what would cure it");
    addCommonOptions(*command, options->stats);
    command->callback([options, command, &status] {
        if (const auto done = sharingCommand(*options, *command); !done) status = report(done.error());
    });
}

}  // namespace whorl::app
