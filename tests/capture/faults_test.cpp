// Whatever happens to a program, what it did before is recorded, to the last access.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <tuple>

#include "capture/compiled.h"

namespace whorl::sim {
namespace {

using test::bytesOf;

std::string program(const std::string& way) {
    return test::compiled("faults.cpp", way + "g++ -O1");
}

struct Fault {
    std::string name;
    std::uint64_t writes;  ///< to marks
    int status;
};

class Faults : public testing::TestWithParam<std::tuple<std::string, Fault>> {};

TEST_P(Faults, LoseNothing) {
    const auto& [way, fault] = GetParam();
    std::vector<std::string> command{program(way), fault.name};
    if (fault.name == "dlopen") command.push_back(test::compiled("marks_library.cpp", way + "g++ -O1 -shared -fPIC"));
    const test::Recorded captured = test::recorded(command);
    EXPECT_EQ(bytesOf(captured.trace, "marks").written, 4 * fault.writes);
    EXPECT_EQ(captured.status, fault.status);
}

std::string nameOf(const testing::TestParamInfo<Faults::ParamType>& of) {
    const auto& [way, fault] = of.param;
    std::string name = (way.empty() ? "asItIs_" : "compiled_") + (fault.name.empty() ? "none" : fault.name);
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(Of, Faults,
                         testing::Combine(testing::ValuesIn(test::kWays),
                                          testing::Values(Fault{"", 1000, 0}, Fault{"segv", 1000, 128 + SIGSEGV},
                                                          Fault{"abort", 1000, 128 + SIGABRT}, Fault{"_exit", 1000, 3},
                                                          Fault{"kill", 1000, 128 + SIGKILL},
                                                          Fault{"throw", 1000, 128 + SIGABRT}, Fault{"exec", 1000, 0},
                                                          Fault{"exec-fails", 2000, 0}, Fault{"fork", 3000, 0},
                                                          Fault{"signals", 301000, 0}, Fault{"short-threads", 31000, 0},
                                                          Fault{"live-threads", 13800, 0}, Fault{"dlopen", 2000, 0})),
                         nameOf);

class FaultsAreSaid : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Ways, FaultsAreSaid, testing::ValuesIn(test::kWays));

TEST_P(FaultsAreSaid, AFork) {
    const test::Recorded captured = test::recorded({program(GetParam()), "fork"});
    ASSERT_FALSE(captured.trace.losses().empty());
    EXPECT_NE(captured.trace.losses()[0].find("forked"), std::string::npos);
}

TEST_P(FaultsAreSaid, AnExec) {
    for (const char* const way : {"exec", "execv", "execle", "fexecve"}) {
        const test::Recorded captured = test::recorded({program(GetParam()), way});
        EXPECT_EQ(captured.status, 0) << way;
        ASSERT_EQ(captured.trace.losses().size(), 1u) << way;
        EXPECT_NE(captured.trace.losses()[0].find("exec"), std::string::npos);
    }
    EXPECT_TRUE(test::recorded({program(GetParam()), "exec-fails"}).trace.losses().empty());
}

TEST_P(FaultsAreSaid, ManyThreadsThatTakeTurns) {
    const test::Recorded captured = test::recorded({program(GetParam()), "short-threads"});
    EXPECT_EQ(captured.trace.cpus(), 64u);
    ASSERT_FALSE(captured.trace.losses().empty());
    EXPECT_NE(captured.trace.losses()[0].find("301 threads"), std::string::npos);
}

TEST(Faults, WhatCannotRunIsSaid) {
    const auto sentenceFor = [](std::vector<std::string> command) {
        CaptureOptions options;
        options.command = std::move(command);
        Progress progress;
        const auto captured = capture(
            options, test::workFolder() + "/none.whorl", [] { return 0; }, progress);
        return captured ? std::string("recorded") : captured.error().sentence();
    };
    EXPECT_NE(sentenceFor({"./nowhere"}).find("there is no such program"), std::string::npos);
    EXPECT_NE(sentenceFor({sourceFolder() + "/README.md"}).find("not a program"), std::string::npos);
}

}  // namespace
}  // namespace whorl::sim
