// whorl machines: the machines that have names, or one machine as a JSON file.
#include <fmt/format.h>

#include "app/cli/question.h"
#include "app/cli/subcommands.h"
#include "sim/base/byte_sink.h"
#include "sim/base/output_target.h"
#include "sim/machine/machine_config.h"

namespace whorl::app {

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
    if (auto checked = sim::checkOutput(options.output, inputs); !checked) return checked;
    const auto text = WHORL_TRY(options.machine.empty() ? listOfAll() : asJson(options.machine));
    return sim::writeText(text, options.output);
}

}  // namespace

void addMachinesCommand(OptionParser& program) {
    auto options = std::make_shared<MachinesOptions>();
    OptionParser& command =
        program.addCommand("machines", "List the machines that have names, or write one as a JSON file");
    command.add("MACHINE", options->machine,
                "a machine as for --machine: it is written as JSON; if not given, all names are listed",
                {.kind = ValueKind::machine});
    addOutputOption(command, options->output);
    command.addExample("The names of all machines", "whorl machines");
    command.addExample("This computer's caches as a file, to change them", "whorl machines host -o mine.json");
    command.onRun([options] { return machinesCommand(*options); });
}

}  // namespace whorl::app
