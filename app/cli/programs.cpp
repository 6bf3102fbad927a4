// whorl programs: what is built in.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iterator>
#include <string>

#include "app/cli/subcommands.h"
#include "sim/base/byte_sink.h"
#include "sim/programs/program.h"

namespace whorl::app {

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

}  // namespace whorl::app
