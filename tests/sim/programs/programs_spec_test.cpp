// The syntax that chooses a program, and the error messages.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sim/machine/machine_config.h"
#include "sim/programs/program.h"
#include "support/refusal.h"

namespace whorl::sim {
namespace {

std::string refusal(std::string_view spec) {
    return test::refusalOf(parseProgramSpec(spec));
}

TEST(ProgramSpec, EveryProgramStandsInTheListAndRunsOnItsMachine) {
    std::vector<std::string> names;
    for (const Program& program : programs()) {
        names.push_back(program.name);
        EXPECT_EQ(programNamed(program.name), &program);
        EXPECT_FALSE(program.description.empty());
        EXPECT_TRUE(loadMachine(program.machine).has_value()) << program.name;
        for (const ProgramOption& option : program.options) {
            const auto spec = fmt::format("{}:{}={}", program.name, option.name, option.defaultValue);
            EXPECT_EQ(parseProgramSpec(spec).has_value(), option.onlyWith.empty()) << spec;
        }
    }
    EXPECT_EQ(names, (std::vector<std::string>{"matmul", "bubblesort", "mergesort", "arrayinit", "conflict", "aligned",
                                               "mpm", "vecadd", "windtunnel", "nbody"}));
    EXPECT_EQ(programNamed("quicksort"), nullptr);
}

TEST(ProgramSpec, ParsesOptions) {
    const auto spec = parseProgramSpec(" matmul : block=3, n = 016 ,variant=blocked");
    ASSERT_TRUE(spec.has_value()) << spec.error().sentence();
    EXPECT_EQ(spec->program->name, "matmul");
    EXPECT_EQ(spec->options, (std::map<std::string, std::string>{{"n", "16"}, {"variant", "blocked"}, {"block", "3"}}));
    EXPECT_EQ(specAsText(*spec), "matmul:n=16,variant=blocked,block=3");
    EXPECT_EQ(specAsText(*parseProgramSpec("conflict:align=64")), "conflict:align=64");
    EXPECT_EQ(specAsText(*parseProgramSpec("matmul")), "matmul");
}

TEST(ProgramSpec, UnknownProgram) {
    EXPECT_EQ(
        refusal("mtamul:n=3"),
        "there is no program \"mtamul\"; did you mean \"matmul\"? the programs are matmul, bubblesort, mergesort, "
        "arrayinit, conflict, aligned, mpm, vecadd, windtunnel, nbody and pattern");
    EXPECT_EQ(refusal("quux"),
              "there is no program \"quux\"; the programs are matmul, bubblesort, mergesort, arrayinit, conflict, "
              "aligned, mpm, "
              "vecadd, windtunnel, nbody and pattern");
    EXPECT_EQ(refusal(""),
              "no program is named; the programs are matmul, bubblesort, mergesort, arrayinit, conflict, aligned, mpm, "
              "vecadd, windtunnel, nbody and pattern");
}

TEST(ProgramSpec, UnknownOption) {
    EXPECT_EQ(refusal("matmul:blok=4"),
              "matmul: there is no option \"blok\"; did you mean \"block\"? the options are n, variant and block");
    EXPECT_EQ(refusal("bubblesort:size=4"), "bubblesort: there is no option \"size\"; the only option is n");
}

TEST(ProgramSpec, ValuesThatCannotBe) {
    const std::string range = "; n is a whole number from 1 to 384";
    EXPECT_EQ(refusal("matmul:n=many"), "matmul: \"n=many\" is not a whole number" + range);
    EXPECT_EQ(refusal("matmul:n=1e3"), "matmul: \"n=1e3\" is not a whole number" + range);
    EXPECT_EQ(refusal("matmul:n="), "matmul: \"n=\" has no value" + range);
    EXPECT_EQ(refusal("matmul:n=0"), "matmul: \"n=0\" is out of range" + range);
    EXPECT_EQ(refusal("matmul:n=-3"), "matmul: \"n=-3\" is out of range" + range);
    EXPECT_EQ(refusal("matmul:n=385"), "matmul: \"n=385\" is out of range" + range);
    EXPECT_EQ(refusal("matmul:n=99999999999999999999"), "matmul: \"n=99999999999999999999\" is out of range" + range);
    EXPECT_EQ(refusal("matmul:variant=transpose"),
              "matmul: \"variant=transpose\" is not one of the choices; did you mean \"transposed\"? variant is "
              "standard, transposed or blocked");
    EXPECT_EQ(refusal("matmul:variant="),
              "matmul: \"variant=\" has no value; variant is standard, transposed or blocked");
    EXPECT_EQ(refusal("conflict:align=100"),
              "conflict: \"align=100\" is not one of the choices; align is 4, 8, 16, 32, 64, 128, 256, 512, 1024, "
              "2048, 4096, 8192, 16384, 32768 or 65536");
}

TEST(ProgramSpec, OptionsThatCannotBe) {
    EXPECT_EQ(refusal("matmul:16"), "matmul: \"16\" is not an option with a value; options are given as matmul:n=16");
    EXPECT_EQ(refusal("matmul:"), "matmul: \"\" is not an option with a value; options are given as matmul:n=16");
    EXPECT_EQ(refusal("matmul:n=3,,"), "matmul: \"\" is not an option with a value; options are given as matmul:n=16");
    EXPECT_EQ(refusal("matmul:n=3,n=4"), "matmul: the option \"n\" is given twice; remove one of them");
}

TEST(ProgramSpec, AnOptionWithoutEffectIsAnError) {
    const std::string words =
        "matmul: \"block=8\" has no effect with variant={}; give variant=blocked too, or leave block out";
    EXPECT_EQ(refusal("matmul:block=8"), fmt::format(fmt::runtime(words), "standard"));
    EXPECT_EQ(refusal("matmul:block=8,variant=transposed"), fmt::format(fmt::runtime(words), "transposed"));
    EXPECT_EQ(refusal("matmul:variant=blocked,block=8"), "accepted");
}

TEST(ProgramSpec, RunningLooksAtTheOptionsToo) {
    Progress progress;
    const auto trace = runProgram({.program = programNamed("bubblesort"), .options = {{"n", "0"}}}, progress);
    ASSERT_FALSE(trace.has_value());
    EXPECT_EQ(trace.error().sentence(), "bubblesort: \"n=0\" is out of range; n is a whole number from 2 to 10000");
}

}  // namespace
}  // namespace whorl::sim
