// docs/chiron.md states the programs' costs, exact to the cycle.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>

#include "sim/programs/programs_costs.h"
#include "sim/programs/programs_support.h"
#include "support/docs.h"

namespace whorl::sim {
namespace {

std::string page() {
    return test::docsPage("chiron.md");
}

void expectRow(const std::string& row) {
    EXPECT_NE(page().find("\n| " + row), std::string::npos) << row;
}

TEST(ChironPage, StatesTheCostsOfVectorAddition) {
    const Costs one = costsOf(ran("vecadd"));
    const Costs four = costsOf(ran("vecadd:chunk=4"));
    const Costs all = costsOf(ran("vecadd:chunk=32"));
    const auto row = [&](const std::string& name, std::array<int, 3> theirs) {
        const auto of = [&](const Costs& costs) { return costs.objects.at("Global." + name); };
        expectRow(fmt::format("{} | {} | {} | {} | {} | {} | {} |", name, of(one), theirs[0], of(four), theirs[1],
                              of(all), theirs[2]));
    };
    row("ArrayA", {1765, 996, 986});
    row("ArrayB", {1798, 1036, 1007});
    row("ArrayC", {5382, 5072, 1056});
    row("GS", {12666, 3917, 962});
    expectRow(fmt::format("time | {} | 86108 | {} | 81649 | {} | 78758 |", one.elapsed, four.elapsed, all.elapsed));
    const auto monitor = [](const std::string& spec) { return costsOf(ran(spec)).objects.at("Global.GS"); };
    EXPECT_NE(page().find(fmt::format("costs {} and {}", monitor("vecadd:spin=tas"), monitor("vecadd:spin=ttas"))),
              std::string::npos);
}

TEST(ChironPage, StatesTheCostsOfTheWindTunnel) {
    const Costs shared = costsOf(ran("windtunnel"));
    const Costs apart = costsOf(ran("windtunnel:quadrants=apart"));
    for (const auto& [name, instances] : shared.instances) {
        if (name == "Global") continue;
        expectRow(fmt::format("{} | {} | {:.0f} | ", name, instances, shared.each(name)));
        EXPECT_NE(page().find(fmt::format(" | {:.0f} | ", apart.each(name))), std::string::npos) << name;
    }
    expectRow(fmt::format("time | | {} | 2.5 million | {} | 1954965 |", shared.elapsed, apart.elapsed));
    const Cycles silent = costsOf(ran("windtunnel:quadrants=apart,print=off")).elapsed;
    EXPECT_NE(page().find(fmt::format("it takes {} cycles", silent)), std::string::npos) << silent;
}

TEST(ChironPage, StatesTheCostsOfNBody) {
    const Cycles on = costsOf(ran("nbody")).elapsed;
    const Cycles off = costsOf(ran("nbody:stats=off")).elapsed;
    expectRow(fmt::format("time | {} | 2619319 | {} | 2262810 |", on, off));
    const double saved = 1 - static_cast<double>(off) / static_cast<double>(on);
    expectRow(fmt::format("saved | | | {:.0f} % | 13 % |", 100 * saved));
}

}  // namespace
}  // namespace whorl::sim
