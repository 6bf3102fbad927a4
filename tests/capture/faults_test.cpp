// Whatever happens to a program, what it did before is recorded, to the last access.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
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

/// The losses of a recording, or the error, in one text.
std::string saidOf(CaptureOptions options) {
    Progress progress;
    const auto captured = capture(
        options, test::workFolder() + "/none.whorl", [] { return 0; }, progress);
    if (!captured) return "error: " + captured.error().sentence();
    std::string all;
    for (const std::string& loss : captured->losses) all += loss + '\n';
    return all;
}

std::string saidOf(std::vector<std::string> command) {
    CaptureOptions options;
    options.command = std::move(command);
    return saidOf(std::move(options));
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

/// ":12, in main": of the first line of a program's source with a text.
std::string inLine(const std::string& source, const std::string& text) {
    std::ifstream file(sourceFolder() + "/tests/capture/programs/" + source);
    unsigned number = 1;
    std::string line;
    while (std::getline(file, line) && !contains(line, text)) ++number;
    return source + ":" + std::to_string(number) + ", in main";
}

TEST_P(FaultsAreSaid, ASignalAndWhereItCame) {
    const std::string crash = test::compiled("faults.cpp", GetParam() + "g++ -O0");
    EXPECT_TRUE(contains(saidOf({crash, "segv"}), "signal SIGSEGV (Segmentation fault) ended it"));
    // Recorded as it is, the instruction is known; else the last access before it.
    if (GetParam().empty()) {
        EXPECT_TRUE(contains(saidOf({crash, "segv"}), inLine("faults.cpp", "static_cast<volatile int*>(nullptr) = 1")));
        EXPECT_TRUE(contains(saidOf({crash, "abort"}), inLine("faults.cpp", "abort();")));
    } else {
        EXPECT_TRUE(contains(saidOf({crash, "segv"}), "after its last access, at "));
    }
    EXPECT_TRUE(contains(saidOf({crash, "kill"}), "signal SIGKILL (Killed) ended it"));
    EXPECT_EQ(saidOf({crash, "_exit"}), "");
}

TEST(Faults, AnInstructionThatValgrindCannotRunIsSaidAndWhereItIs) {
    CaptureOptions options;
    options.command = {test::compiled("avx512.cpp", "g++ -O1")};
    const std::string said = saidOf(options);
    // What such a program did until then explains nothing.
    EXPECT_TRUE(said.starts_with("error: ")) << said;
    EXPECT_TRUE(contains(said, inLine("avx512.cpp", "vpxorq") + ", at an AVX-512 instruction")) << said;
    EXPECT_TRUE(contains(said, "whorl cc")) << said;
    options.evenIfCut = true;
    EXPECT_EQ("error: " + options.command[0] + ": " + saidOf(options), said + '\n');
}

TEST(Faults, AProgramThatSurvivesSuchAnInstructionAndCallsItsMainIsRecordedToItsEnd) {
    const test::Recorded captured = test::recorded({test::compiled("main_again.c", "gcc -O0")});
    EXPECT_EQ(captured.status, 6);
    EXPECT_EQ(bytesOf(captured.trace, "marks").written, 4000u);
    EXPECT_TRUE(captured.trace.losses().empty());
}

TEST(Faults, MoreStaticMemoryThanValgrindHasRoomForIsSaid) {
    const std::string said = saidOf({test::compiled("zeroed.cpp", "g++ -O0 -mcmodel=large")});
    EXPECT_TRUE(contains(said, "its static variables take 3.0 GB, and Valgrind has room for 1.5 GB")) << said;
}

TEST(Faults, StaticProgramsAreRecordedFromTheirMain) {
    const test::Recorded plain = test::recorded({test::compiled("faults.cpp", "g++ -O1 -static")});
    EXPECT_EQ(bytesOf(plain.trace, "marks").written, 4000u);
    const test::Recorded movable = test::recorded({test::compiled("faults.cpp", "g++ -O1 -static-pie")});
    EXPECT_EQ(bytesOf(movable.trace, "marks").written, 4000u);
    const std::string stripped = saidOf({test::compiled("faults.cpp", "g++ -O1 -static -s")});
    EXPECT_TRUE(contains(stripped, "static and has no symbols")) << stripped;
    EXPECT_TRUE(contains(stripped, "--all")) << stripped;
}

TEST(Faults, AProgramOfGoIsRecordedFromItsMain) {
    const test::Recorded captured = test::recorded({test::compiled("go_main.cpp", "g++ -O1")});
    EXPECT_EQ(bytesOf(captured.trace, "marks").written, 8000u);
}

TEST(Faults, WhatCannotRunIsSaid) {
    EXPECT_TRUE(contains(saidOf({"./nowhere"}), "there is no such program"));
    EXPECT_TRUE(contains(saidOf({sourceFolder() + "/README.md"}), "not a program"));
}

}  // namespace
}  // namespace whorl::sim
