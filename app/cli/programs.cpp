// whorl programs: what is built in.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/cli/subcommands.h"
#include "sim/programs/program.h"

namespace whorl::app {

namespace {

std::string valuesOf(const sim::ProgramOption& option) {
    if (!option.choices.empty()) return fmt::format("{}", fmt::join(option.choices, "|"));
    return fmt::format("{} to {}", option.min, option.max);
}

sim::Expected<void> listAll() {
    fmt::print("Built-in programs; their accesses are recorded as they run:\n");
    for (const sim::Program& program : sim::programs()) {
        fmt::print("\n{}: {}\n", program.name, program.description);
        for (const sim::ProgramOption& o : program.options) {
            fmt::print("  --{:<9} {} ({}; default {})\n", o.name, o.description, valuesOf(o), o.defaultValue);
        }
        fmt::print("  machine     default {}\n", program.machine);
    }
    fmt::print(
        "\nUse them as an input, with options:\n"
        "  whorl matmul --n 16 --variant blocked --block 4\n"
        "  whorl stats matmul:n=16,variant=blocked,block=4\n"
        "\nFor the machines see whorl machines.\n");
    return {};
}

}  // namespace

void addProgramsCommand(OptionParser& program) {
    program.addCommand("programs", "List the built-in programs").onRun(listAll);
}

}  // namespace whorl::app
