// whorl programs: what is built in.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/cli/common.h"
#include "sim/machine/machine_config.h"
#include "sim/programs/program.h"

namespace whorl::app {

namespace {

std::string valuesOf(const sim::ProgramOption& option) {
    if (!option.choices.empty()) return fmt::format("{}", fmt::join(option.choices, "|"));
    return fmt::format("{} to {}", option.least, option.most);
}

void listAll() {
    fmt::print("Built-in programs, really run over traced arrays:\n");
    for (const sim::Program& program : sim::programs()) {
        fmt::print("\n{}: {}\n", program.name, program.words);
        for (const sim::ProgramOption& o : program.options) {
            fmt::print("  --{:<9} {} ({}; {} unless given)\n", o.name, o.words, valuesOf(o), o.standard);
        }
        fmt::print("  machine     {} unless given\n", program.machine);
    }
    fmt::print(
        "\nUse them as an input, with options:\n"
        "  whorl matmul --n 16 --variant blocked --block 4\n"
        "  whorl stats matmul:n=16,variant=blocked,block=4\n"
        "\nMachines by name: {}\n",
        fmt::join(sim::presetNames(), ", "));
}

}  // namespace

void addProgramsCommand(CLI::App& app, int&) {
    app.add_subcommand("programs", "List the built-in programs and machines")->callback(listAll);
}

}  // namespace whorl::app
