// Whatever happens to a program, what it did before is recorded, to the last access.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>

#include "capture/compiled.h"

namespace whorl::sim {
namespace {

using test::bytesOf;

std::string program() {
    return test::compiled("faults.cpp", "g++ -O1");
}

struct Fault {
    std::string name;
    std::uint64_t writes;  ///< to marks
    int status;
};

class Faults : public testing::TestWithParam<Fault> {};

TEST_P(Faults, LoseNothing) {
    std::vector<std::string> command{program(), GetParam().name};
    if (GetParam().name == "dlopen") command.push_back(test::compiled("marks_library.cpp", "g++ -O1 -shared -fPIC"));
    const test::Recorded captured = test::recorded(command);
    EXPECT_EQ(bytesOf(captured.trace, "marks").written, 4 * GetParam().writes);
    EXPECT_EQ(captured.status, GetParam().status);
}

INSTANTIATE_TEST_SUITE_P(Of, Faults,
                         testing::Values(Fault{"", 1000, 0}, Fault{"segv", 1000, 128 + SIGSEGV},
                                         Fault{"abort", 1000, 128 + SIGABRT}, Fault{"_exit", 1000, 3},
                                         Fault{"kill", 1000, 128 + SIGKILL}, Fault{"throw", 1000, 128 + SIGABRT},
                                         Fault{"exec", 1000, 0}, Fault{"fork", 3000, 0}, Fault{"signals", 301000, 0},
                                         Fault{"short-threads", 31000, 0}, Fault{"live-threads", 13800, 0},
                                         Fault{"dlopen", 2000, 0}),
                         [](const auto& fault) {
                             std::string name = fault.param.name.empty() ? "none" : fault.param.name;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

TEST(Faults, AForkIsSaid) {
    const test::Recorded captured = test::recorded({program(), "fork"});
    ASSERT_FALSE(captured.trace.losses().empty());
    EXPECT_NE(captured.trace.losses()[0].find("forked"), std::string::npos);
}

TEST(Faults, ManyThreadsTakeTurnsAndItIsSaid) {
    const test::Recorded captured = test::recorded({program(), "short-threads"});
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
