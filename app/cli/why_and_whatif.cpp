// whorl why and whorl whatif: what another memory layout saves.
#include <memory>
#include <utility>

#include "app/cli/question.h"
#include "app/cli/subcommands.h"
#include "app/cli/terminal.h"
#include "app/system/threads.h"
#include "app/tasks/opening.h"
#include "sim/analysis/comparison.h"
#include "sim/analysis/why.h"
#include "sim/machine/host_machine.h"
#include "sim/report/comparison_report.h"
#include "sim/report/why_report.h"
#include "sim/trace/layout/mapped_trace.h"

namespace whorl::app {

// whorl why: what stalls most, and which other memory layout or order of loops saves cycles.

namespace {

struct WhyOptions {
    InputOptions input;
    AnswerOptions answer{.top = 5};
    bool exact = false;
};

sim::Expected<sim::Document> explain(const WhyOptions& options, const OptionParser& command) {
    WHORL_TRY(checkForm(options.answer));
    auto request = WHORL_TRY(requestOf(options.input, command, options.answer.output));
    WHORL_TRY(machineOf(request));
    auto trace = WHORL_TRY(readTrace(request));
    auto machine = WHORL_TRY(machineOf(request, trace.get()));
    auto report = WHORL_TRY(inProgress("trying layouts", [&](sim::Progress& progress) {
        const sim::WhyRequest wanted{.top = options.answer.top,
                                     .exact = options.exact,
                                     .run = runInPool,
                                     .loops = otherLoopsOf(request, *trace)};
        return sim::whyOf(trace, machine, wanted, progress);
    }));
    report.settings = request.settings;
    auto order = WHORL_TRY(noteOnOrder(request, *trace, machine, true));
    return sim::whyDocument(std::move(report), trace, order);
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
    command.addFlag("--csv", options->answer.csv, "as CSV: a row for each line and each array");
    command.addFlag("--notes", options->answer.notes,
                    "as a compiler's notes, which editors go to: FILE:LINE:COLUMN: note: …");
    command.addFlag("--exact", options->exact,
                    "try layouts on the whole trace, also on a long one, which otherwise is sampled");
    command.addExample("What stalls a built-in program most", "whorl why matmul:n=32 -m laptop");
    command.addExample("Your own program, on this computer's caches", "whorl why -- ./my-program");
    answerBy(command, std::move(options), causesOf);
}

// whorl whatif: a trace as it is and with a changed memory layout, side by side.

namespace {

struct WhatIfOptions {
    InputOptions input;
    AnswerOptions answer{.top = 10};
};

using SharedTrace = std::shared_ptr<const sim::Trace>;

/// Reads the input unchanged, then applies the changes.
sim::Expected<SharedTrace> changedTrace(OpenRequest request) {
    const std::vector<sim::LayoutChange> changes = std::exchange(request.changes, {});
    if (changes.empty()) {
        return sim::fail("", "whatif needs a change of the layout", "give one with --map, such as --map align:NAME:64");
    }
    const auto original = WHORL_TRY(readTrace(request));
    auto changed = WHORL_TRY(
        inProgress("laying out", [&](sim::Progress& progress) { return sim::mapped(original, changes, progress); }));
    return std::make_shared<const sim::Trace>(std::move(changed));
}

sim::Expected<sim::Document> savingsOf(const WhatIfOptions& options, const OptionParser& command) {
    auto request = WHORL_TRY(requestOf(options.input, command, options.answer.output));
    WHORL_TRY(machineOf(request));
    auto changed = WHORL_TRY(changedTrace(request));
    const SharedTrace& original = changed->original();
    auto machine = WHORL_TRY(machineOf(request, original.get()));
    return inProgress("simulating",
                      [&](sim::Progress& progress) { return sim::whatIf(original, changed, machine, progress); })
        .map(sim::whatIfDocument);
}

}  // namespace

void addWhatIfCommand(OptionParser& program) {
    auto options = std::make_shared<WhatIfOptions>();
    OptionParser& command = program.addCommand(
        "whatif",
        "Compare with another layout: things shifted, aligned, padded, spread, transposed, in tiles or split");
    addInputOptions(command, options->input, true);
    addAnswerOptions(command, options->answer, "regions, classes and objects in text; JSON has all",
                     "as JSON instead of tables");
    command.addExample("An array aligned to a block", "whorl whatif conflict --map align:b:64");
    answerBy(command, std::move(options), savingsOf);
}

}  // namespace whorl::app
