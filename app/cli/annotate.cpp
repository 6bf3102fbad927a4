// whorl annotate: the sources of a trace with what each line costs beside it.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/question.h"
#include "app/cli/subcommands.h"
#include "app/cli/terminal.h"
#include "app/system/threads.h"
#include "app/tasks/opening.h"
#include "sim/base/text.h"
#include "sim/replay/measuring.h"
#include "sim/report/annotated_source.h"

namespace whorl::app {

namespace {

struct AnnotateOptions {
    InputOptions input;
    std::vector<std::string> functions;
    AnswerOptions answer{.top = 10};
};

/// Leaves the functions of these names only; of a name without its class, of every class.
sim::Expected<void> choose(sim::AnnotatedSource& source, const std::vector<std::string>& names) {
    if (names.empty()) return {};
    const auto isCalled = [](const std::string& function, const std::string& name) {
        const std::string bare = function.substr(0, function.find('('));
        return function == name || bare == name || bare.ends_with("::" + name);
    };
    for (const std::string& name : names) {
        const auto isIt = [&](const sim::AnnotatedFunction& function) { return isCalled(function.name, name); };
        if (std::ranges::any_of(source.functions, isIt)) continue;
        std::vector<std::string> known;
        for (const sim::AnnotatedFunction& function : source.functions) {
            if (!function.name.empty()) known.push_back(function.name);
        }
        if (known.empty()) return sim::fail("", "the trace names no functions", "leave --function out");
        return sim::fail("", fmt::format("no function {} makes accesses", sim::quotedText(name)),
                         sim::didYouMean(name, known) + "those that do are " + sim::firstNames(known, 5));
    }
    std::erase_if(source.functions, [&](const sim::AnnotatedFunction& function) {
        return std::ranges::none_of(names, [&](const std::string& name) { return isCalled(function.name, name); });
    });
    return {};
}

sim::Expected<void> annotate(const AnnotateOptions& options, const OptionParser& command) {
    WHORL_TRY(checkForm(options.answer));
    auto request = WHORL_TRY(requestOf(options.input, command, options.answer.output));
    WHORL_TRY(machineOf(request));
    const auto trace = WHORL_TRY(readTrace(request));
    auto named = WHORL_TRY(machineOf(request, trace.get()));
    const auto machine = WHORL_TRY(sim::grownFor(named, *trace));
    const sim::Range all{sim::Tick{0}, sim::Tick{trace->size()}};
    const auto measures = WHORL_TRY(inProgress("simulating", [&](sim::Progress& progress) {
        return sim::measure(trace, machine, all, true, progress, threadsFor());
    }));
    const auto stalls = WHORL_TRY(inProgress("finding strides", [&](sim::Progress& progress) {
        auto found = sim::stallsOf(*trace, machine, sim::Trace::kChunk, progress);
        return found ? sim::Expected<sim::Stalls>(*std::move(found)) : tl::unexpected(sim::Error::byUser());
    }));
    sim::AnnotatedSource source = sim::annotated(*trace, measures, stalls);
    source.settings = request.settings;
    WHORL_TRY(choose(source, options.functions));
    return write(sim::annotatedDocument(std::move(source)), options.answer);
}

}  // namespace

void addAnnotateCommand(OptionParser& program) {
    auto options = std::make_shared<AnnotateOptions>();
    OptionParser& command =
        program.addCommand("annotate", "Print the source, function by function, with what each line costs beside it");
    addInputOptions(command, options->input, true);
    command.add("--function", options->functions,
                "only this function, with or without its class and parameters; may be given several times");
    addAnswerOptions(command, options->answer, "functions, those that take most cycles; JSON and CSV have all",
                     "as JSON instead of text");
    command.addFlag("--csv", options->answer.csv, "as CSV: a row for each line that costs something");
    command.addFlag("--markdown", options->answer.markdown, "as Markdown");
    command.addFlag("--html", options->answer.html, "as a page of HTML");
    command.addExample("Where the stalls are in a recorded program", "whorl annotate my.whorl -m laptop");
    command.addExample("A page to pass on", "whorl annotate matmul:n=32 --html -o matmul.html");
    command.onRun([options, &command] { return annotate(*options, command); });
}

}  // namespace whorl::app
