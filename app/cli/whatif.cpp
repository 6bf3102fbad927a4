// whorl whatif: a trace as it is and with things laid out in another way, side by side.
#include "app/cli/common.h"
#include "sim/analysis/what_if.h"
#include "sim/trace/layout/mapped_trace.h"

namespace whorl::app {

namespace {

struct WhatIfOptions {
    InputOptions input;
    std::uint64_t top = 10;
    bool json = false;
    std::string output = "-";
};

using SharedTrace = std::shared_ptr<const sim::Trace>;

/// Reads the input as it is, and makes the changes.
sim::Expected<SharedTrace> changedTrace(OpenRequest request) {
    const auto changes = changesOf(request);
    if (!changes) return tl::unexpected(changes.error());
    if (changes->empty()) {
        return sim::fail("", "whatif needs a change of where things lie",
                         "say one with --map, such as --map align:NAME:64");
    }
    request.changes.clear();
    sim::Progress reading;
    sim::Expected<sim::Trace> trace = tl::unexpected(sim::Error{});
    withProgress("reading " + request.input, reading, [&] { trace = traceOf(request, reading); });
    if (!trace) return tl::unexpected(trace.error());
    warnOf(*trace, request.input);
    const auto original = std::make_shared<const sim::Trace>(*std::move(trace));
    sim::Progress mapping;
    sim::Expected<sim::Trace> changed = tl::unexpected(sim::Error{});
    withProgress("laying out", mapping, [&] { changed = sim::mapped(original, *changes, mapping); });
    if (!changed) return tl::unexpected(changed.error());
    return std::make_shared<const sim::Trace>(*std::move(changed));
}

sim::Expected<void> whatIfCommand(const WhatIfOptions& options, const CLI::App& command) {
    auto request = requestOf(options.input, command);
    if (!request) return tl::unexpected(request.error());
    if (auto machine = machineOf(*request); !machine) return tl::unexpected(machine.error());
    auto changed = changedTrace(*request);
    if (!changed) return tl::unexpected(changed.error());
    const SharedTrace& original = (*changed)->original();
    auto machine = machineOf(*request, original.get());
    if (!machine) return tl::unexpected(machine.error());
    sim::Progress progress;
    sim::Expected<sim::WhatIf> done = tl::unexpected(sim::Error{});
    withProgress("simulating", progress, [&] { done = sim::whatIf(original, *changed, *machine, progress); });
    if (!done) return tl::unexpected(done.error());
    return writeText(options.json ? sim::whatIfAsJson(*done) + "\n" : sim::whatIfAsText(*done, options.top),
                     options.output);
}

}  // namespace

void addWhatIfCommand(CLI::App& app, int& status) {
    auto options = std::make_shared<WhatIfOptions>();
    CLI::App* command = app.add_subcommand(
        "whatif", "Tell what it would save to lay things out in another way: shifted, aligned, padded or spread");
    addInputOptions(*command, options->input, true);
    command->add_option("--top", options->top, "regions, classes and objects in text; JSON has all")
        ->capture_default_str()
        ->check(CLI::Range(1, 1'000'000'000));
    command->add_flag("--json", options->json, "as JSON instead of tables");
    command->add_option("-o,--output", options->output, "a file; - for standard output")->capture_default_str();
    command->callback([options, command, &status] {
        if (const auto done = whatIfCommand(*options, *command); !done) status = report(done.error());
    });
}

}  // namespace whorl::app
