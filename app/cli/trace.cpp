// whorl trace: an input written as a trace file, in Whorl's binary or text form.
#include <fmt/format.h>

#include "app/cli/common.h"
#include "sim/trace/writer.h"

namespace whorl::app {

namespace {

struct TraceOptions {
    InputOptions input;
    std::string output = "-";
};

sim::Expected<void> writeOut(const TraceOptions& options, const CLI::App& command) {
    auto request = requestOf(options.input, command);
    if (!request) return tl::unexpected(request.error());
    const auto machine = machineOf(*request);
    if (!machine) return tl::unexpected(machine.error());
    sim::Progress reading;
    sim::Expected<sim::Trace> trace = tl::unexpected(sim::Error{});
    withProgress("reading " + request->input, reading, [&] { trace = traceOf(*request, reading); });
    if (!trace) return tl::unexpected(trace.error());
    warnOf(*trace, request->input);
    if (!request->machine.empty() || !request->settings.empty() || namesProgram(request->input)) {
        sim::TraceParts parts = trace->parts();
        parts.machine = sim::machineAsJson(*machine);
        *trace = sim::Trace(std::move(parts));
    }
    sim::Progress writing;
    sim::Expected<void> written;
    withProgress("writing " + options.output, writing,
                 [&] { written = sim::writeTrace(*trace, options.output, writing); });
    return written;
}

}  // namespace

void addTraceCommand(CLI::App& app, int& status) {
    auto options = std::make_shared<TraceOptions>();
    CLI::App* command =
        app.add_subcommand("trace",
                           "Run a built-in program, or read a trace, and write it as a trace file; a binary one "
                           "takes the machine along");
    addInputOptions(*command, options->input, true);
    command
        ->add_option("-o,--output", options->output,
                     "the file: binary if it ends in .whorl, else text, compressed if it ends in .gz or .zst; - for "
                     "standard output")
        ->capture_default_str();
    command->callback([options, command, &status] {
        if (const auto done = writeOut(*options, *command); !done) status = report(done.error());
    });
}

}  // namespace whorl::app
