// whorl stats: the counts of a whole trace.
#include <fmt/format.h>

#include <cstdio>

#include "app/cli/common.h"
#include "sim/measure/report.h"

namespace whorl::app {

namespace {

struct StatsOptions {
    InputOptions input;
    bool json = false;
};

sim::Expected<void> printStats(const StatsOptions& options, const CLI::App& command) {
    auto request = requestOf(options.input, command);
    if (!request) return tl::unexpected(request.error());
    auto opened = openWhole(*request);
    if (!opened) return tl::unexpected(opened.error());
    const sim::Run& run = *opened->run;
    const std::string text = options.json ? sim::countersAsJson(run.totals(), run.machine())
                                          : sim::countersAsTable(run.totals(), run.machine());
    fmt::print("{}{}", text, text.ends_with('\n') ? "" : "\n");
    if (std::fflush(stdout) != 0) return sim::fail("", "the result cannot be written to standard output");
    warnOf(run.trace(), request->input);
    return {};
}

}  // namespace

void addStatsCommand(CLI::App& app, int& status) {
    auto options = std::make_shared<StatsOptions>();
    CLI::App* command = app.add_subcommand("stats", "Count hits, misses, evictions and write-backs of a whole trace");
    addInputOptions(*command, options->input, true);
    command->add_flag("--json", options->json, "as JSON instead of a table");
    command->callback([options, command, &status] {
        if (const auto done = printStats(*options, *command); !done) status = report(done.error());
    });
}

}  // namespace whorl::app
