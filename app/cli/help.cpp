// whorl help: the output of --help, by the name of a command.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "app/cli/subcommands.h"
#include "app/commands/bindings.h"
#include "sim/base/byte_sink.h"
#include "sim/base/text.h"
#include "sim/programs/program.h"

namespace whorl::app {

namespace {

/// What is explained beside the commands: the keys of the window.
constexpr std::string_view kKeys = "keys";

sim::Expected<void> explainCommand(const std::string& command, const OptionParser& program) {
    if (command == kKeys) return sim::writeText(tableOfKeys(), "-");
    const std::vector<std::string> known = program.commandNames();
    if (command.empty() || std::find(known.begin(), known.end(), command) != known.end()) {
        return sim::writeText(program.help(command), "-");
    }
    const bool isBuiltIn = sim::programNamed(command) != nullptr;
    return sim::fail("", fmt::format("there is no command {}", sim::quotedText(command)),
                     isBuiltIn ? "it is a built-in program: see whorl programs"
                               : sim::didYouMean(command, known) + "see whorl --help");
}

}  // namespace

void addHelpCommand(OptionParser& program) {
    auto about = std::make_shared<std::string>();
    OptionParser& command =
        program.addCommand("help", "Explain a command, as whorl COMMAND --help does, or list the keys of the window");
    command.add("COMMAND", *about, "its name, or keys for those of the window; if not given, all commands are listed",
                {.kind = ValueKind::command, .among = {std::string(kKeys)}});
    command.onRun([about, &program] { return explainCommand(*about, program); });
}

}  // namespace whorl::app
