// whorl why: what stalls most, and which other memory layout saves cycles.
#include <memory>
#include <utility>

#include "app/cli/question.h"
#include "app/cli/recorded_program.h"
#include "app/cli/subcommands.h"
#include "app/cli/terminal.h"
#include "sim/analysis/why.h"
#include "sim/machine/host_machine.h"
#include "sim/report/why_report.h"

namespace whorl::app {

namespace {

struct WhyOptions {
    InputOptions input;
    AnswerOptions answer{.top = 5};
};

sim::Expected<sim::Document> explain(const WhyOptions& options, const OptionParser& command) {
    auto request = WHORL_TRY(requestOf(options.input, command, options.answer.output));
    WHORL_TRY(machineOf(request));
    auto trace = WHORL_TRY(readTrace(request));
    auto machine = WHORL_TRY(machineOf(request, trace.get()));
    auto report = inProgress("trying layouts", [&](sim::Progress& progress) {
        return sim::whyOf(trace, machine, options.answer.top, progress);
    });
    if (!report) return tl::unexpected(report.error());
    report->settings = request.settings;
    return sim::whyDocument(*std::move(report));
}

/// The input is a trace or a built-in program; or a program that is recorded first, on this computer's caches unless
/// told otherwise.
sim::Expected<sim::Document> causesOf(const WhyOptions& asked, const OptionParser& command) {
    const std::string program = asked.input.input;
    if (isProgram(program) || !sim::isRecordable(program)) return explain(asked, command);
    const TemporaryFolder folder;
    sim::CaptureOptions capture;
    capture.command = {program};
    const std::vector<std::string> left = command.leftOver();
    // The separator "--" is not one of the program's words.
    const bool isMarked = !left.empty() && left.front() == "--";
    capture.command.insert(capture.command.end(), left.begin() + (isMarked ? 1 : 0), left.end());
    auto recorded = WHORL_TRY(recordedIn(folder, capture));
    WhyOptions options = asked;
    options.input.input = std::move(recorded.trace);
    if (options.input.machine.empty()) options.input.machine = sim::kHostMachine;
    options.input.isRecorded = true;
    return explain(options, command);
}

}  // namespace

void addWhyCommand(OptionParser& program) {
    auto options = std::make_shared<WhyOptions>();
    OptionParser& command =
        program.addCommand("why", "List the source lines and arrays that stall most, and what another layout saves");
    addInputOptions(command, options->input, true);
    addAnswerOptions(command, options->answer, "lines, and arrays", "as JSON instead of text", 1000);
    command.addExample("What stalls a built-in program most", "whorl why matmul:n=32 -m laptop");
    command.addExample("The same of your own, on this computer's caches", "whorl why -- ./my-program");
    answerBy(command, std::move(options), causesOf);
}

}  // namespace whorl::app
