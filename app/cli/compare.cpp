// whorl compare: the figures of two runs side by side, and limits on them.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/input_options.h"
#include "app/cli/question.h"
#include "app/cli/subcommands.h"
#include "app/cli/terminal.h"
#include "app/system/threads.h"
#include "sim/analysis/comparison.h"
#include "sim/base/output_file.h"
#include "sim/replay/measuring.h"
#include "sim/report/comparison_report.h"
#include "sim/report/gate.h"
#include "sim/report/tables.h"

namespace whorl::app {

namespace {

struct CompareOptions {
    InputOptions input;
    WithOptions with;
    std::vector<std::string> by;      ///< empty: regions
    std::vector<std::string> failIf;  ///< limits
    AnswerOptions answer{.top = 10};
};

constexpr int kLimitExceeded = 1;  ///< exit status; that of an error is another

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
        return sim::measure(known, machine, all, true, progress, threadsFor());
    }));
    return MeasuredInput{.trace = std::move(known), .measures = std::move(measures)};
}

/// Fails, before a long trace is read, if a machine that is named is not sound.
sim::Expected<void> checkMachine(const OpenRequest& request) {
    if (request.machine.empty() && !namesProgram(request.input)) return {};
    return machineOf(request).map([](const sim::MachineConfig&) {});
}

sim::Expected<std::vector<sim::Grouping>> groupingsOf(const CompareOptions& options) {
    std::vector<sim::Grouping> out;
    for (const std::string& word : options.by) {
        const auto grouping = sim::groupingNamed(word);
        if (!grouping) {
            return sim::fail("", fmt::format("--by \"{}\" is not valid", word),
                             "use region, object, line, function or cpu");
        }
        if (std::find(out.begin(), out.end(), *grouping) == out.end()) out.push_back(*grouping);
    }
    if (out.empty()) out.push_back(sim::Grouping::region);
    return out;
}

/// Writes the answer. The exit status: whether a limit is exceeded.
sim::Expected<int> compare(const CompareOptions& options, const OptionParser& command) {
    WHORL_TRY(checkForm(options.answer));
    const auto groupings = WHORL_TRY(groupingsOf(options));
    std::vector<sim::FigureCondition> limits;
    limits.reserve(options.failIf.size());
    for (const std::string& words : options.failIf) limits.push_back(WHORL_TRY(sim::parseFigureCondition(words)));
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
    const sim::Measured was{*a.trace, a.measures};
    const sim::Measured is{*b.trace, b.measures};
    sim::Comparison done = sim::comparison(was, is);
    done.sides[0].settings = first.settings;
    done.sides[1].settings = other.settings;
    std::vector<sim::ComparedThings> things;
    things.reserve(groupings.size());
    for (const sim::Grouping grouping : groupings) things.push_back(sim::comparedBy(grouping, was, is));
    const auto failed = WHORL_TRY(sim::exceededLimits(limits, done, things));
    const auto document = sim::comparisonDocument(std::move(done), std::move(things), failed, !limits.empty());
    WHORL_TRY(write(document, options.answer));
    for (const sim::ExceededLimit& limit : failed) {
        fmt::print(stderr, "whorl: {} is exceeded: {}\n", limit.limit, limit.reason);
    }
    return failed.empty() ? EXIT_SUCCESS : kLimitExceeded;
}

}  // namespace

void addCompareCommand(OptionParser& program) {
    auto options = std::make_shared<CompareOptions>();
    options->with.maybeSame = true;
    OptionParser& command =
        program.addCommand("compare", "Compare the figures of two inputs, or of one input on two machines");
    addInputOptions(command, options->input, true);
    addWithOptions(command, options->with, "OTHER");
    command.add(
        "--by", options->by,
        "region (if none is given), object, line, function or cpu: what the figures are also told of; may be given "
        "several times",
        {.among = {"region", "object", "line", "function", "cpu"}});
    command.add("--fail-if", options->failIf,
                "a limit on the second input: L1.misses>+2% (of the first), cycles>+1000 or L1.misses>5000; if it is "
                "exceeded, the reason is told and the exit status is 1; may be given several times");
    addAnswerOptions(command, options->answer, "things in each table in text and Markdown; the others have all",
                     "as JSON instead of tables");
    command.addFlag("--csv", options->answer.csv, "as CSV: a row for each figure");
    command.addFlag("--markdown", options->answer.markdown, "as Markdown, for a comment on a change");
    command.addExample("Two ways of one computation", "whorl compare matmul:n=16 matmul:n=16,variant=blocked");
    command.addExample("One trace on two machines", "whorl compare my.whorl --with-machine \"64K/16/64, 1M/16/64\"");
    command.addExample("A test that fails when a change costs more",
                       "whorl compare matmul:n=16 matmul:n=16,variant=blocked --by line --fail-if 'L1.misses>+2%'");
    command.onRun([options, &command] { return compare(*options, command); });
}

}  // namespace whorl::app
