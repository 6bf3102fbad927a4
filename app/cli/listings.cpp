// whorl help, whorl programs and whorl machines: what there is, listed.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <string>

#include "app/cli/question.h"
#include "app/cli/subcommands.h"
#include "app/commands/bindings.h"
#include "sim/base/byte_sink.h"
#include "sim/base/output_file.h"
#include "sim/base/text.h"
#include "sim/machine/machine_config.h"
#include "sim/programs/program.h"

namespace whorl::app {

// whorl help: the output of --help, by the name of a command.

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
    command.add("COMMAND", *about,
                "a command, or keys for the keys of the window; if not given, all commands are listed",
                {.kind = ValueKind::command, .among = {std::string(kKeys)}});
    command.onRun([about, &program] { return explainCommand(*about, program); });
}

// whorl programs: what is built in.

namespace {

std::string valuesOf(const sim::ProgramOption& option) {
    if (!option.choices.empty()) return fmt::format("{}", fmt::join(option.choices, "|"));
    return fmt::format("{} to {}", option.min, option.max);
}

sim::Expected<void> listAll() {
    std::string text = "Built-in programs; their accesses are recorded as they run:\n";
    const auto out = std::back_inserter(text);
    for (const sim::Program& program : sim::programs()) {
        fmt::format_to(out, "\n{}: {}\n", program.name, program.description);
        for (const sim::ProgramOption& o : program.options) {
            fmt::format_to(out, "  --{:<9} {} ({}; default {})\n", o.name, o.description, valuesOf(o), o.defaultValue);
        }
        fmt::format_to(out, "  machine     default {}\n", program.machine);
    }
    text +=
        "\nUse them as an input, with options:\n"
        "  whorl matmul --n 16 --variant blocked --block 4\n"
        "  whorl stats matmul:n=16,variant=blocked,block=4\n"
        "\nOr type the loops and accesses of a program of your own; see docs/patterns.md:\n"
        "  whorl 'pattern:for i in 0..16 { for j in 0..16 { read A[j][i] } }'\n"
        "\nFor the machines see whorl machines.\n";
    return sim::writeText(text, "-");
}

}  // namespace

void addProgramsCommand(OptionParser& program) {
    program.addCommand("programs", "List the built-in programs").onRun(listAll);
}

// whorl machines: the machines that have names, or one machine as a JSON file.

namespace {

struct MachinesOptions {
    std::string machine;
    std::string output = "-";
};

std::string entryOf(const std::string& name, const sim::MachineConfig& machine) {
    std::string out = fmt::format("\n{}: {}\n", name, sim::geometryOf(machine));
    for (const std::string* words : {&machine.note, &machine.source}) {
        if (!words->empty()) out += fmt::format("  {}{}\n", words == &machine.source ? "Source: " : "", *words);
    }
    return out;
}

sim::Expected<std::string> listOfAll() {
    std::string out = "Machines by name, for --machine:\n";
    for (const std::string& name : sim::presetNames()) {
        const auto machine = WHORL_TRY(sim::loadMachine(name));
        out += entryOf(name, machine);
    }
    const std::string host(sim::kHostMachine);
    const auto machine = sim::loadMachine(host);
    out += machine ? entryOf(host, *machine) : fmt::format("\n{}\n", machine.error().sentence());
    return out + fmt::format("\nAs a file, to change it:\n  whorl machines {0} -o {0}.json\n", host);
}

sim::Expected<std::string> asJson(const std::string& words) {
    return sim::loadMachine(words).map(sim::machineAsJson);
}

sim::Expected<void> machinesCommand(const MachinesOptions& options) {
    const std::vector<std::string> inputs{options.machine};
    WHORL_TRY(sim::checkOutput(options.output, inputs));
    const auto text = WHORL_TRY(options.machine.empty() ? listOfAll() : asJson(options.machine));
    return sim::writeText(text, options.output);
}

}  // namespace

void addMachinesCommand(OptionParser& program) {
    auto options = std::make_shared<MachinesOptions>();
    OptionParser& command = program.addCommand("machines", "List the named machines, or write one as a JSON file");
    command.add("MACHINE", options->machine,
                "a machine as for --machine: it is written as JSON; if not given, all names are listed",
                {.kind = ValueKind::machine});
    addOutputOption(command, options->output);
    command.addExample("The names of all machines", "whorl machines");
    command.addExample("This computer's caches as a file, to change them", "whorl machines host -o mine.json");
    command.onRun([options] { return machinesCommand(*options); });
}

}  // namespace whorl::app
