// whorl trace: an input written as a trace file, in Whorl's binary or text form, or as a Chiron trace.
#include <fmt/format.h>

#include <utility>

#include "app/cli/input_options.h"
#include "app/cli/subcommands.h"
#include "app/cli/terminal.h"
#include "app/system/threads.h"
#include "sim/base/text.h"
#include "sim/report/chiron_writer.h"
#include "sim/trace/writer.h"

namespace whorl::app {

namespace {

struct TraceOptions {
    InputOptions input;
    std::string output = "-";
    std::string format;  ///< empty: from the file name
    bool small = false;
};

/// Whether the trace is written as a .whorl file, the only format that holds texts of source files.
bool isBinary(const TraceOptions& options) {
    return options.format.empty() ? options.output.ends_with(".whorl") : options.format == "whorl";
}

/// Reports source text embedded in the file, as a user who shares the file may not expect it.
void sayEmbedded(const sim::Trace& trace, const std::string& output) {
    constexpr std::size_t kNamed = 8;
    const std::vector<std::string> names = sim::sourcesWithText(trace);
    if (names.empty()) return;
    const bool one = names.size() == 1;
    fmt::print(stderr, "whorl: {}: embeds {} source {}: {} (--no-sources leaves {} out)\n",
               output == "-" ? "standard output" : output, names.size(), one ? "file" : "files",
               sim::firstNames(names, kNamed), one ? "it" : "them");
}

/// Writes the trace in the requested format. Only a Chiron trace contains the events of a machine.
sim::Expected<void> writeAs(const TraceOptions& options, const OpenRequest& request, const sim::Trace& trace,
                            sim::Progress& progress) {
    const auto format = sim::formatNamed(options.format);
    const sim::WhorlPacking packing{.effort = options.small ? sim::Effort::thorough : sim::Effort::moderate,
                                    .run = runInPool};
    if (format != sim::TraceFormat::chiron) return sim::writeTrace(trace, options.output, progress, format, packing);
    const auto machine = WHORL_TRY(machineOf(request, &trace));
    return sim::writeChiron(trace, machine, options.output, progress);
}

sim::Expected<void> writeOut(const TraceOptions& options, const OptionParser& command) {
    if (options.small && !isBinary(options)) {
        return sim::fail("", "--small is about .whorl files", "name one with -o, or leave --small out");
    }
    auto request = WHORL_TRY(requestOf(options.input, command, options.output));
    // The file can keep both the order of the recording and what gives the other one when it is read.
    const bool keepsOrder = isBinary(options) && request.reading.only.wantsAll();
    if (keepsOrder && request.reading.order == sim::AccessOrder::automatic) {
        request.reading.order = sim::AccessOrder::recorded;
    }
    const auto machine = WHORL_TRY(machineOf(request));
    auto trace = WHORL_TRY(inProgress("reading " + nameOfInput(request.input),
                                      [&](sim::Progress& progress) { return traceOf(request, progress); }));
    warnOf(trace, nameOfInput(request.input));
    if (!request.machine.empty() || !request.settings.empty() || namesProgram(request.input)) {
        sim::TraceParts parts = std::move(trace).takeParts();
        parts.machine = sim::machineAsJson(machine);
        trace = sim::Trace(std::move(parts));
    }
    auto written = inProgress("writing " + options.output,
                              [&](sim::Progress& progress) { return writeAs(options, request, trace, progress); });
    if (written && isBinary(options)) sayEmbedded(trace, options.output);
    return written;
}

}  // namespace

void addTraceCommand(OptionParser& program) {
    auto options = std::make_shared<TraceOptions>();
    OptionParser& command = program.addCommand(
        "trace",
        "Run a built-in program, or read a trace, and write it as a trace file; a binary file also stores the machine");
    addInputOptions(command, options->input, true);
    command.add("--to", options->format,
                "the format: text, whorl or chiron, which needs a machine with two levels and records its events; if "
                "not given, the file's name decides",
                {.oneOf = {"text", "whorl", "chiron"}});
    command.addFlag("--small", options->small,
                    "a .whorl file as small as possible, by up to a third, which takes ten times as long");
    command.add("-o,--output", options->output,
                "the file: binary if it ends in .whorl, else text, compressed if it ends in .gz or .zst; - for "
                "standard output",
                {.showDefault = true, .kind = ValueKind::output});
    command.addExample("A built-in program as a text", "whorl trace matmul:n=8 -o matmul.trace");
    command.addExample("A frequently read trace, in the format that is read fastest",
                       "whorl trace my.lackey -o my.whorl");
    command.onRun([options, &command] { return writeOut(*options, command); });
}

}  // namespace whorl::app
