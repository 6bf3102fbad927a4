// whorl quiz: questions about accesses for students, as a sheet to print or for Moodle.
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <utility>

#include "app/cli/question.h"
#include "app/cli/subcommands.h"
#include "app/cli/terminal.h"
#include "app/cli/values.h"
#include "app/export/quiz_pdf.h"
#include "sim/analysis/quiz/choice.h"
#include "sim/base/byte_sink.h"
#include "sim/base/output_file.h"
#include "sim/report/quiz/quiz_sheet.h"

namespace whorl::app {

namespace {

struct QuizOptions : QueryOptions {
    std::string level;
    std::uint64_t count = 10;
    std::uint64_t every = 0;
    std::uint64_t seed = 1;
    bool play = false;
    bool noAnswers = false;
};

enum class SheetForm : std::uint8_t { text, pdf, gift };

/// The format of the sheet, from the ending of the output file.
sim::Expected<SheetForm> formOf(const QuizOptions& options) {
    const std::string& name = options.answer.output;
    const auto target = WHORL_TRY(sim::outputTarget(name));
    SheetForm form = SheetForm::text;
    if (name.ends_with(".pdf")) {
        form = SheetForm::pdf;
    } else if (name.ends_with(".gift")) {
        form = SheetForm::gift;
    } else if (target.kind == sim::OutputTarget::Kind::file && !name.ends_with(".txt")) {
        return sim::fail(name, "is not a kind of sheet that can be written",
                         "end it in .pdf, .txt or .gift (for Moodle)");
    }
    if (form != SheetForm::gift) return form;
    if (options.play) return sim::fail(name, "Moodle has no table to fill in", "write a .pdf or .txt with --play");
    if (options.noAnswers) return sim::fail(name, "Moodle needs the answers", "leave out --no-answers");
    return form;
}

sim::Expected<void> write(const sim::QuizSheet& sheet, SheetForm form, const std::string& output) {
    if (form == SheetForm::text) return sim::writeText(sim::quizAsText(sheet), output);
    if (form == SheetForm::gift) return sim::writeText(sim::quizAsGift(sheet), output);
    return inProgress("drawing the sheet", [&](sim::Progress& progress) { return quizAsPdf(sheet, progress); })
        .and_then([&](const std::string& bytes) { return sim::writeText(bytes, output); });
}

sim::Expected<void> quizCommand(const QuizOptions& options, const OptionParser& command) {
    const auto form = WHORL_TRY(formOf(options));
    if (options.play && options.every != 0) {
        return sim::fail("", "--play and --every exclude each other", "--play uses all accesses to a set");
    }
    std::size_t level = 0;
    const auto find = [&](const sim::Trace&, const sim::MachineConfig& machine) -> sim::Expected<void> {
        if (machine.levels.empty()) {
            return sim::fail("", "a quiz is about caches, and the machine has none", "choose a machine with levels");
        }
        if (options.level.empty()) return {};
        return levelNamed(options.level, machine).map([&](std::size_t named) { level = named; });
    };
    auto query = WHORL_TRY(queriedBy(options, command, find));
    const sim::QuizChoice choice{
        .level = level, .range = query.range, .count = options.count, .every = options.every, .seed = options.seed};
    auto questions = WHORL_TRY(inProgress("choosing accesses", [&](sim::Progress& progress) {
        return options.play ? sim::chosenSequence(*query.run, choice, progress)
                            : sim::chosenQuestions(*query.run, choice, progress);
    }));
    const sim::MachineConfig& machine = query.run->machine();
    if (questions.empty()) {
        return sim::fail(query.run->trace().name(),
                         fmt::format("no access of this range can be asked about at {}", machine.levels[level].name),
                         "questions need accesses of one block that reach the level: choose another --level or range");
    }
    const sim::QuizSheet sheet{.trace = query.run->sharedTrace(),
                               .machine = machine,
                               .settings = options.input.settings,
                               .level = level,
                               .questions = std::move(questions),
                               .isSequence = options.play,
                               .withAnswers = !options.noAnswers};
    return write(sheet, form, options.answer.output);
}

}  // namespace

void addQuizCommand(OptionParser& program) {
    auto options = std::make_shared<QuizOptions>();
    OptionParser& command =
        program.addCommand("quiz", "Write questions for students: hit or miss, which set, which block is evicted");
    addInputOptions(command, options->input, true);
    addRangeOptions(command, *options, "the first access to ask about; earlier accesses only fill the caches",
                    "the first access after those to ask about, or end");
    command.add("--count", options->count, "the number of questions, or of accesses with --play",
                {.showDefault = true, .limits = Limits<int>{1, 10000}});
    command.add("--every", options->every, "ask about every Nth access, instead of instructive ones",
                {.limits = Limits<int>{1, 1000000000}});
    command.add("--seed", options->seed, "another seed chooses other accesses", {.showDefault = true});
    command.add("--level", options->level, "the level to ask about; the nearest unless given",
                {.kind = ValueKind::level});
    command.addFlag("--play", options->play, "a table to fill in: accesses to one set, one after the other");
    command.addFlag("--no-answers", options->noAnswers, "without the answers");
    command.add("-o,--output", options->answer.output,
                "a file: .pdf to print, .txt, or .gift for Moodle; - for text on standard output",
                {.showDefault = true, .kind = ValueKind::output});
    command.addExample("A sheet to print, with answers",
                       "whorl quiz matmul:n=16 --machine \"1K/2/32, 4K/4/32\" -o sheet.pdf");
    command.addExample("Twenty others for Moodle", "whorl quiz matmul:n=16 -m paper --count 20 --seed 2 -o sheet.gift");
    command.addExample("A set to be played by hand", "whorl quiz mergesort:n=64 -m paper --play --count 12");
    command.onRun([options, &command] { return quizCommand(*options, command); });
}

}  // namespace whorl::app
