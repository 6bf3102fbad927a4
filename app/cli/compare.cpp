// whorl compare: the figures of two runs side by side.
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "app/cli/input_options.h"
#include "app/cli/question.h"
#include "app/cli/subcommands.h"
#include "app/cli/terminal.h"
#include "sim/analysis/comparison.h"
#include "sim/base/output_file.h"
#include "sim/replay/measuring.h"
#include "sim/report/comparison_report.h"

namespace whorl::app {

namespace {

struct CompareOptions {
    InputOptions input;
    WithOptions with;
    AnswerOptions answer{.top = 10};
};

struct MeasuredInput {
    std::shared_ptr<const sim::Trace> trace;
    sim::Measures measures;
};

/// `known`: the trace, if it has been read; else null.
sim::Expected<MeasuredInput> measured(const OpenRequest& request, std::shared_ptr<const sim::Trace> known) {
    if (!known) known = WHORL_TRY(readTrace(request));
    auto machine = WHORL_TRY(machineOf(request, known.get()));
    const sim::Range all{sim::Tick{0}, sim::Tick{known->size()}};
    auto measures = WHORL_TRY(inProgress("simulating " + nameOfInput(request.input), [&](sim::Progress& progress) {
        return sim::measure(known, machine, all, true, progress);
    }));
    return MeasuredInput{.trace = std::move(known), .measures = std::move(measures)};
}

/// Fails, before a long trace is read, if a machine that is named is not sound.
sim::Expected<void> checkMachine(const OpenRequest& request) {
    if (request.machine.empty() && !namesProgram(request.input)) return {};
    return machineOf(request).map([](const sim::MachineConfig&) {});
}

sim::Expected<sim::Document> compare(const CompareOptions& options, const OptionParser& command) {
    auto first = WHORL_TRY(requestOf(options.input, command, options.answer.output));
    auto second = WHORL_TRY(secondOf(options.with, first));
    if (!second) {
        return sim::fail("", "compare needs two runs",
                         "name another input after the first, or another machine with --with-machine");
    }
    const OpenRequest& other = *second;
    WHORL_TRY(sim::checkOutput(options.answer.output, inputFiles(other)));
    WHORL_TRY(checkMachine(first));
    WHORL_TRY(checkMachine(other));
    const auto a = WHORL_TRY(measured(first, nullptr));
    const auto b = WHORL_TRY(measured(other, other.input == first.input ? a.trace : nullptr));
    sim::Comparison done = sim::comparison({*a.trace, a.measures}, {*b.trace, b.measures});
    done.sides[0].settings = first.settings;
    done.sides[1].settings = other.settings;
    return sim::comparisonDocument(std::move(done));
}

}  // namespace

void addCompareCommand(OptionParser& program) {
    auto options = std::make_shared<CompareOptions>();
    options->with.maybeSame = true;
    OptionParser& command =
        program.addCommand("compare", "Compare the figures of two inputs, or of one input on two machines");
    addInputOptions(command, options->input, true);
    addWithOptions(command, options->with, "OTHER");
    addAnswerOptions(command, options->answer, "regions of each level in text; JSON has all",
                     "as JSON instead of tables");
    command.addExample("Two ways of one computation", "whorl compare matmul:n=16 matmul:n=16,variant=blocked");
    command.addExample("One trace on two machines", "whorl compare my.whorl --with-machine \"64K/16/64, 1M/16/64\"");
    answerBy(command, std::move(options), compare);
}

}  // namespace whorl::app
