// A recorded program makes child processes as it does without Whorl: they do, print and return the same.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <string>
#include <tuple>
#include <vector>

#include "capture/compiled.h"
#include "sim/capture/traced_process.h"

namespace whorl::sim {
namespace {

/// What a process printed, to both of its outputs, and its status as a shell reports it.
struct Outcome {
    std::string printed;
    int status = 0;
    bool operator==(const Outcome&) const = default;
};

/// What is printed meanwhile, by this process and those that it starts.
template <class Work>
std::string printedBy(const Work& work) {
    const std::string path = test::workFolder() + "/printed";
    const std::array<int, 2> kept = {dup(STDOUT_FILENO), dup(STDERR_FILENO)};
    const int file = open(path.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_APPEND | O_CLOEXEC, 0600);
    std::fflush(stdout);
    dup2(file, STDOUT_FILENO);
    dup2(file, STDERR_FILENO);
    work();
    dup2(kept[0], STDOUT_FILENO);
    dup2(kept[1], STDERR_FILENO);
    for (const int fd : {file, kept[0], kept[1]}) close(fd);
    return test::bytesOf(path);
}

Outcome asItIs(const std::vector<std::string>& command) {
    Outcome outcome;
    outcome.printed = printedBy([&] {
        auto started = ChildProcess::start(command, {}, {});
        ASSERT_TRUE(started.has_value()) << started.error().sentence();
        while (!started->ended()) usleep(1000);
        outcome.status = shellStatus(*started->ended());
    });
    return outcome;
}

Outcome whileRecorded(const CaptureOptions& options) {
    Outcome outcome;
    outcome.printed = printedBy([&] { outcome.status = test::recorded(options).status; });
    return outcome;
}

void expectUnchanged(const std::vector<std::string>& command, bool children = false) {
    const Outcome expected = asItIs(command);
    CaptureOptions options;
    options.command = command;
    options.children = children;
    const Outcome outcome = whileRecorded(options);
    EXPECT_EQ(outcome.printed, expected.printed);
    EXPECT_EQ(outcome.status, expected.status);
    EXPECT_FALSE(expected.printed.empty());
}

class Children : public testing::TestWithParam<std::tuple<std::string, std::string>> {};

TEST_P(Children, AreAsWithoutWhorl) {
    const auto& [compiler, way] = GetParam();
    expectUnchanged({test::compiled("children.cpp", compiler + "g++ -O1"), way});
}

TEST_P(Children, ThatAreRecordedAreAsWithoutWhorl) {
    const auto& [compiler, way] = GetParam();
    expectUnchanged({test::compiled("children.cpp", compiler + "g++ -O1"), way}, true);
}

std::string nameOfWay(const testing::TestParamInfo<Children::ParamType>& of) {
    const auto& [compiler, way] = of.param;
    std::string name = (compiler.empty() ? "asItIs_" : "compiled_") + way;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(Of, Children,
                         testing::Combine(testing::ValuesIn(test::kWays),
                                          testing::Values("fork", "threads", "twice", "abort", "exec", "vfork",
                                                          "system", "popen", "spawn", "environment",
                                                          "environment-of-child")),
                         nameOfWay);

TEST(ChildrenOf, StaticProgramsAreAsWithoutWhorl) {
    expectUnchanged({test::compiled("children.cpp", "g++ -O1 -static"), "fork"});
    expectUnchanged({test::compiled("children.cpp", "g++ -O1 -static"), "system"});
}

TEST(ChildrenOf, AProgramAreNotRecordedAndThatIsSaidOnce) {
    for (const std::string& way : test::kWays) {
        const test::Recorded captured = test::recorded({test::compiled("children.cpp", way + "g++ -O1"), "twice"});
        const auto& losses = captured.trace.losses();
        EXPECT_EQ(test::bytesOf(captured.trace, "marks").written, 4u * 2000);
        EXPECT_EQ(std::count_if(losses.begin(), losses.end(),
                                [](const std::string& l) { return l.find("forked") != std::string::npos; }),
                  1);
    }
}

/// Programs that live by their children, as people record them.
class Launchers : public testing::TestWithParam<std::vector<std::string>> {};

TEST_P(Launchers, RunTheirChildren) {
    if (!test::isInstalled(GetParam()[0])) GTEST_SKIP() << GetParam()[0] << " is not installed";
    expectUnchanged(GetParam());
}

TEST_P(Launchers, RunThemWhereTheyAreRecorded) {
    if (!test::isInstalled(GetParam()[0])) GTEST_SKIP() << GetParam()[0] << " is not installed";
    expectUnchanged(GetParam(), true);
}

const std::vector<std::vector<std::string>> kLaunchers = {
    {"sh", "-c", "ls / | sort | head -n 3; (exit 3); echo $?; x=$(echo sub); echo $x; exit 6"},
    {"timeout", "20", "sh", "-c", "echo in time; exit 8"},
    {"env", "-i", "A=1", "/bin/sh", "-c", "echo $A"},
    {"make", "-s", "-f", "/dev/null", "--eval", "all: ; @echo made; sh -c 'exit 2'"},
    {"/usr/bin/python3", "-ISc",
     "import os\n"
     "print(os.system('echo by a shell; exit 4'), flush=True)\n"
     "child = os.fork()\n"
     "if child == 0: os._exit(7)\n"
     "print(os.waitpid(child, 0)[1])"},
    {"git", "-c", "alias.say=!echo from git; exit 5", "say"}};

std::string nameOfLauncher(const testing::TestParamInfo<std::vector<std::string>>& of) {
    return std::filesystem::path(of.param[0]).filename().string();
}

INSTANTIATE_TEST_SUITE_P(Of, Launchers, testing::ValuesIn(kLaunchers), nameOfLauncher);

}  // namespace
}  // namespace whorl::sim
