// whorl check: the processor's own counters of a program beside those of its simulation.
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <utility>

#include "app/cli/question.h"
#include "app/cli/subcommands.h"
#include "app/cli/terminal.h"
#include "app/system/child_process.h"
#include "app/system/hardware_counters.h"
#include "app/system/threads.h"
#include "sim/machine/host_machine.h"
#include "sim/replay/measuring.h"
#include "sim/report/hardware_report.h"

namespace whorl::app {

namespace {

struct CheckCommand {
    std::string program;
    std::vector<std::string> arguments;
    std::string machine;
    std::vector<std::string> settings;
    AnswerOptions answer;
};

std::vector<std::string> commandOf(const CheckCommand& options) {
    std::vector<std::string> command{options.program};
    command.insert(command.end(), options.arguments.begin(), options.arguments.end());
    return command;
}

sim::Expected<int> check(const CheckCommand& options) {
    OpenRequest request{.input = {},
                        .machine = options.machine.empty() ? std::string(sim::kHostMachine) : options.machine,
                        .settings = options.settings,
                        .reading = {}};
    WHORL_TRY(sim::checkOutputOf(commandOf(options), options.answer.output));
    const auto machine = WHORL_TRY(machineOf(request));
    const TemporaryFolder folder;
    WHORL_TRY(folder.checked());
    int countedStatus = 0;
    HardwareCounts counted;
    const auto counts = checkCounters();
    if (counts) {
        counted = WHORL_TRY(countProgram(commandOf(options), folder.path(), countedStatus));
    } else {
        fmt::print(stderr, "whorl: {}\n", counts.error().sentence());
    }
    // The processor counts all of the program.
    sim::CaptureOptions whole;
    whole.command = commandOf(options);
    whole.everything = true;
    whole.names = false;
    const auto recorded = WHORL_TRY(recordedIn(folder, whole));
    request.input = recorded.trace;
    auto read = WHORL_TRY(
        inProgress("reading the recording", [&](sim::Progress& progress) { return traceOf(request, progress); }));
    const auto trace = std::make_shared<const sim::Trace>(std::move(read));
    const auto measures = WHORL_TRY(inProgress("simulating", [&](sim::Progress& progress) {
        return sim::measure(trace, machine, {sim::Tick{0}, sim::Tick{trace->size()}}, false, progress, threadsFor());
    }));
    warnOf(*trace, options.program);
    const auto checked = sim::checkedCounts(measures, trace->instructions(), counted);
    return write(sim::checkDocument(checked, machine.name), options.answer).map([&] {
        return counts ? countedStatus : recorded.status;
    });
}

}  // namespace

void addCheckCommand(OptionParser& program) {
    auto options = std::make_shared<CheckCommand>();
    OptionParser& command = program.addCommand(
        "check", "Run a program twice, counted by the processor (perf) and simulated, and explain the differences");
    command.add("PROGRAM", options->program, "the program, after --", {.required = true, .kind = ValueKind::program});
    command.add("ARGUMENTS", options->arguments, "its arguments", {.kind = ValueKind::argument});
    command.add("-m,--machine", options->machine, "the machine, as for whorl; if not given, this computer's caches",
                {.kind = ValueKind::machine});
    command.add("--set", options->settings, "changes a value of the machine; may be given several times",
                {.kind = ValueKind::setting});
    command.addFlag("--json", options->answer.json, "as JSON");
    command.add("-o,--output", options->answer.output, "the file; - for standard output", {.kind = ValueKind::output});
    command.addExample("Does the simulation count what the processor does?", "whorl check -- ./my-program");
    command.onRun(std::function<sim::Expected<int>()>([options] { return check(*options); }));
}

}  // namespace whorl::app
