#include "app/cli/with_options.h"

#include <fmt/format.h>

#include <utility>

#include "app/cli/input_options.h"
#include "app/session/transitions.h"
#include "app/tasks/opening.h"
#include "sim/base/text.h"

namespace whorl::app {

void addWithOptions(OptionParser& command, WithOptions& options, const std::string& input) {
    command.add(input, options.input,
                "another input to compare with: a trace file, a built-in program with its options, or a pattern",
                {.kind = ValueKind::input});
    command.add("--with-machine", options.machine,
                "the machine of what is compared, as for --machine; --set changes that of the first alone",
                {.kind = ValueKind::machine});
}

void addLockOption(OptionParser& command, WithOptions& options) {
    command.addChoice(
        "--lock", options.lock, {{"access", TimeLock::access}, {"share", TimeLock::share}, {"line", TimeLock::line}},
        "which times of what is compared are shown together: after as many accesses, after the same share "
        "of them, or after the same executions of source lines");
}

sim::Expected<std::optional<OpenRequest>> secondOf(const WithOptions& options, const OpenRequest& first) {
    if (options.input.empty() && options.machine.empty()) return std::optional<OpenRequest>();
    OpenRequest second = first;
    if (!options.input.empty()) second.input = options.input;
    if (!options.machine.empty()) {
        second.machine = options.machine;
        second.settings.clear();
    }
    const bool sameMachine = second.machine == first.machine && second.settings == first.settings;
    if (second.input == first.input && sameMachine && !options.maybeSame) {
        return sim::fail("", fmt::format("{} would be compared with itself", sim::quotedText(first.input)),
                         "name another input, or another machine with --with-machine");
    }
    if (second.input == "-" && first.input == "-" && options.machine.empty()) {
        return sim::fail("-", "standard input can be read only once", "name a file");
    }
    return std::optional(std::move(second));
}

sim::Expected<void> openCompared(const WithOptions& options, const OpenRequest& first, Session& session) {
    auto second = WHORL_TRY(secondOf(options, first));
    if (!second) return {};
    const OpenRequest& request = *second;
    const sim::Run& run = *session.opened.run;
    auto opened = openWhole(request, request.input == first.input ? run.sharedTrace() : nullptr);
    if (!opened) return tl::unexpected(opened.error());
    session.lock = options.lock;
    ComparedRun compared{.opened = *std::move(opened)};
    if (options.lock == TimeLock::line) compared.lines = linesOfBoth(run.trace(), compared.opened.run->trace());
    enterCompared(session, std::move(compared));
    return {};
}

}  // namespace whorl::app
