#include "app/cli/question.h"

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/input_options.h"
#include "app/cli/terminal.h"
#include "app/cli/values.h"
#include "app/system/ending.h"
#include "app/system/threads.h"
#include "app/tasks/other_order.h"
#include "sim/base/byte_sink.h"
#include "sim/base/text.h"
#include "sim/replay/measuring.h"

namespace whorl::app {

void addAnswerOptions(OptionParser& command, AnswerOptions& options, const std::string& top, const std::string& json,
                      int mostTop) {
    addTopOption(command, options, top, mostTop);
    command.addFlag("--json", options.json, json);
    addOutputOption(command, options.output);
}

void addTopOption(OptionParser& command, AnswerOptions& options, const std::string& words, int most) {
    command.add("--top", options.top, words, {.showDefault = true, .limits = Limits<int>{1, most}});
}

void addOutputOption(OptionParser& command, std::string& output) {
    command.add("-o,--output", output, "a file; - for standard output",
                {.showDefault = true, .kind = ValueKind::output});
}

sim::Expected<void> checkForm(const AnswerOptions& options) {
    std::vector<std::string> chosen;
    const auto note = [&](bool isChosen, const char* option) {
        if (isChosen) chosen.emplace_back(option);
    };
    note(options.json, "--json");
    note(options.csv, "--csv");
    note(options.markdown, "--markdown");
    note(options.html, "--html");
    note(options.notes, "--notes");
    if (chosen.size() < 2) return {};
    return sim::fail("", sim::joinNames(chosen) + " exclude each other", "choose one");
}

sim::Expected<void> write(const sim::Document& document, const AnswerOptions& options) {
    return sim::writeText(options.json       ? sim::jsonText(document.json()) + '\n'
                          : options.csv      ? sim::tableAsCsv(document.csv())
                          : options.markdown ? document.markdown(options.top)
                          : options.html     ? document.html(options.top)
                          : options.notes    ? document.notes()
                                             : document.text(options.top),
                          options.output);
}

void addRangeOptions(OptionParser& command, QueryOptions& options, const std::string& from, const std::string& to) {
    command.add("--from", options.from, from, {.showDefault = true});
    command.add("--to", options.to, to, {.showDefault = true, .among = {"end"}});
}

void addQueryOptions(OptionParser& command, QueryOptions& options, const std::string& top) {
    addInputOptions(command, options.input, true);
    addRangeOptions(command, options);
    addAnswerOptions(command, options.answer, top);
}

sim::Expected<sim::Range> rangeOf(const QueryOptions& options, const sim::Trace& trace) {
    const auto from = WHORL_TRY(parseTick("--from", options.from, trace.size()));
    const auto to = WHORL_TRY(parseTick("--to", options.to, trace.size()));
    if (to < from) {
        return sim::fail("", fmt::format("--to {} comes before --from {}", to.value, from.value), "swap them");
    }
    return sim::Range{.from = from, .to = to};
}

sim::Expected<RunQuery> queriedBy(const QueryOptions& options, const OptionParser& command, const QueryCheck& check) {
    WHORL_TRY(checkForm(options.answer));
    auto request = WHORL_TRY(requestOf(options.input, command, options.answer.output));
    auto trace = WHORL_TRY(readTrace(request));
    auto range = WHORL_TRY(rangeOf(options, *trace));
    auto named = WHORL_TRY(machineOf(request, trace.get()));
    const auto machine = WHORL_TRY(sim::grownFor(named, *trace));
    if (check) WHORL_TRY(check(*trace, machine));
    auto run = WHORL_TRY(inProgress(
        "simulating", [&](sim::Progress& progress) { return sim::builtRun(trace, machine, progress, threadsFor()); }));
    return RunQuery{.request = std::move(request), .run = std::move(run), .range = range};
}

sim::Expected<std::optional<sim::OrderNote>> noteOnOrder(const OpenRequest& request, const sim::Trace& trace,
                                                         const sim::MachineConfig& machine, bool isWhole) {
    return inProgress("in the other order",
                      [&](sim::Progress& progress) { return noteOnOrder(request, trace, machine, isWhole, progress); });
}

sim::Expected<RecordedProgram> recordedIn(const TemporaryFolder& folder, sim::CaptureOptions options) {
    options.threads = threadsFor();
    WHORL_TRY(folder.checked());
    const std::string& program = options.command.front();
    const std::string trace = folder.path() + '/' + std::filesystem::path(program).filename().string() + ".whorl";
    sim::Progress progress;
    const EndsInOrder inOrder;
    const auto captured = WHORL_TRY(sim::capture(
        options, trace, [] { return askedToEnd(); }, progress));
    // The caller reports the losses, which reading the trace yields.
    return RecordedProgram{.trace = trace, .status = captured.status};
}

}  // namespace whorl::app
