// whorl grade: whether a program keeps to limits, for the graders of courses.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/question.h"
#include "app/cli/subcommands.h"
#include "app/cli/terminal.h"
#include "app/system/background_programs.h"
#include "app/system/child_process.h"
#include "app/tasks/opening.h"
#include "sim/analysis/figures.h"
#include "sim/base/output_file.h"
#include "sim/replay/measuring.h"
#include "sim/report/gate.h"
#include "sim/trace/filter.h"

namespace whorl::app {

namespace {

struct GradeCommand {
    std::string file;
    std::vector<std::string> arguments;
    std::string compiler;
    std::vector<std::string> functions;
    std::vector<std::string> limits;
    std::vector<std::string> only;
    std::string machine;
    std::vector<std::string> settings;
    AnswerOptions answer;
};

constexpr int kNotPassed = 1;  ///< exit status; that of an error is another

/// While it lives, what is written to standard output goes to standard error: the answer stands alone there.
class OutputAside {
  public:
    OutputAside() : own_(dup(STDOUT_FILENO)) {
        std::fflush(stdout);
        dup2(STDERR_FILENO, STDOUT_FILENO);
    }
    OutputAside(const OutputAside&) = delete;
    OutputAside& operator=(const OutputAside&) = delete;
    ~OutputAside() {
        std::fflush(stdout);
        dup2(own_, STDOUT_FILENO);
        close(own_);
    }

  private:
    int own_;
};

sim::Expected<RecordedSource> recorded(const GradeCommand& options, const std::string& folder) {
    const WatchedSource source{.file = options.file,
                               .compiler = options.compiler,
                               .arguments = options.arguments,
                               .functions = options.functions,
                               .folder = folder};
    const OutputAside aside;
    return inProgress("recording " + options.file,
                      [&](sim::Progress& progress) { return compileAndRecord(source, 1, progress); });
}

sim::Expected<sim::Grade> gradeOf(const GradeCommand& options) {
    std::vector<sim::FigureCondition> limits;
    limits.reserve(options.limits.size());
    for (const std::string& words : options.limits) limits.push_back(WHORL_TRY(sim::parseFigureCondition(words)));
    OpenRequest request{.input = {}, .machine = options.machine, .settings = options.settings, .reading = {}};
    for (const std::string& words : options.only) WHORL_TRY(sim::addCondition(request.reading.only, words));
    const auto machine = WHORL_TRY(machineOf(request));
    // A limit that cannot be is told before anything is compiled.
    sim::Progress unwatched;
    const auto none = WHORL_TRY(sim::measure(std::make_shared<const sim::Trace>(), machine, {}, true, unwatched));
    WHORL_TRY(sim::gradedLimits(limits, sim::figuresOf(none, {.traffic = true})));
    if (access(options.file.c_str(), R_OK) != 0) {
        return sim::fail(options.file, "there is no such file, or it cannot be read");
    }
    const TemporaryFolder folder;
    WHORL_TRY(folder.checked());
    const auto source = WHORL_TRY(recorded(options, folder.path()));
    warnOf(source.losses, 0, options.file);
    request.input = source.trace;
    const auto trace = WHORL_TRY(readTrace(request));
    const auto measures = WHORL_TRY(inProgress("simulating", [&](sim::Progress& progress) {
        return sim::measure(trace, machine, {sim::Tick{0}, sim::Tick{trace->size()}}, true, progress);
    }));
    return sim::Grade{.program = options.file,
                      .machine = machine.name,
                      .accesses = trace->size(),
                      .status = source.status,
                      .limits = WHORL_TRY(sim::gradedLimits(limits, sim::figuresOf(measures, {.traffic = true})))};
}

sim::Expected<int> grade(const GradeCommand& options) {
    WHORL_TRY(sim::checkOutput(options.answer.output, std::vector{options.file}));
    auto grade = gradeOf(options);
    if (!grade) {
        // A grader reads JSON in any case.
        if (options.answer.json && !grade.error().cancelled) {
            const sim::JsonObject failed{{"passed", false}, {"error", grade.error().sentence()}};
            WHORL_TRY(sim::writeText(sim::jsonText(failed) + '\n', options.answer.output));
        }
        return tl::unexpected(grade.error());
    }
    const bool isPassed = grade->isPassed();
    return write(sim::gradeDocument(*std::move(grade)), options.answer).map([&] {
        return isPassed ? EXIT_SUCCESS : kNotPassed;
    });
}

}  // namespace

void addGradeCommand(OptionParser& program) {
    auto options = std::make_shared<GradeCommand>();
    OptionParser& command =
        program.addCommand("grade", "Compile a program, record it, and say whether it keeps to limits");
    command.add("SOURCE", options->file, "a source file of C, C++, Rust or Fortran",
                {.required = true, .kind = ValueKind::file});
    command.add("ARGUMENTS", options->arguments, "the arguments of the program, after --",
                {.kind = ValueKind::argument});
    command.add("--limit", options->limits,
                "what it must keep to: L1.misses<=500, cycles<20000 or memory.reads<=64; may be given several times",
                {.required = true});
    command.add("--function", options->functions,
                "only the accesses of this function count; may be given several times");
    command.add("--only", options->only, "which accesses count, besides: region=A,B, file=mm.c or 0x1000-0x1fff",
                {.kind = ValueKind::condition});
    command.add("--compile", options->compiler,
                "how it is compiled, such as \"gcc -O0 -g main.c\"; the source and -o OUTPUT are added");
    command.add("-m,--machine", options->machine, "the machine, as for whorl",
                {.required = true, .kind = ValueKind::machine});
    command.add("--set", options->settings, "changes a value of the machine; may be given several times",
                {.kind = ValueKind::setting});
    command.addFlag("--json", options->answer.json, "as JSON; also what is wrong");
    addOutputOption(command, options->answer.output);
    command.addExample("A program in a cache of 1 KB", "whorl grade my.c --limit 'L1.misses<=300' -m s5E1b5");
    command.addExample("One function of a program of several files, and two arrays",
                       "whorl grade my.c --compile \"gcc -g -O0 driver.c\" --function transpose --only region=A,B "
                       "--limit 'L1.misses<=300' -m s5E1b5");
    command.onRun([options] { return grade(*options); });
}

}  // namespace whorl::app
