// whorl whatif: a trace as it is and with a changed memory layout, side by side.
#include <utility>

#include "app/cli/question.h"
#include "app/cli/subcommands.h"
#include "app/cli/terminal.h"
#include "sim/analysis/what_if.h"
#include "sim/report/what_if_report.h"
#include "sim/trace/layout/mapped_trace.h"

namespace whorl::app {

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
    auto changed =
        inProgress("laying out", [&](sim::Progress& progress) { return sim::mapped(original, changes, progress); });
    if (!changed) return tl::unexpected(changed.error());
    return std::make_shared<const sim::Trace>(*std::move(changed));
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
        "whatif", "Compare with another layout: things shifted, aligned, padded, spread, transposed or split");
    addInputOptions(command, options->input, true);
    addAnswerOptions(command, options->answer, "regions, classes and objects in text; JSON has all",
                     "as JSON instead of tables");
    command.addExample("An array that begins at a block", "whorl whatif conflict --map align:b:64");
    answerBy(command, std::move(options), savingsOf);
}

}  // namespace whorl::app
