// The calls that led to accesses, as recorded by both ways, against what the program does, and against callgrind.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "capture/compiled.h"
#include "sim/capture/traced_process.h"
#include "sim/trace/source_lines.h"

namespace whorl::sim {
namespace {

using AccessesBy = std::map<std::string, std::uint64_t>;

/// The accesses that were made while each function ran; a modify is one.
AccessesBy inclusiveAccesses(const Trace& trace) {
    AccessesBy sums;
    trace.forEach(Tick{0}, Tick{trace.size()}, [&](Tick, const Access& a) {
        if (a.modify) return;
        eachRunning(trace, trace.site(a.site), [&](std::uint32_t function) { ++sums[trace.functions()[function]]; });
    });
    return sums;
}

/// How often each function was called from each line: "grow<main:77".
AccessesBy callsFrom(const Trace& trace, const std::string& function) {
    AccessesBy times;
    for (std::uint32_t c = 1; c < trace.calls().size(); ++c) {
        const Call& call = trace.calls()[c];
        // What is called is what accesses memory within the call, or calls others.
        std::set<std::string> called;
        for (const Site& site : trace.sites()) {
            if (site.call == c) called.insert(trace.functionOf(site));
        }
        if (!called.contains(function)) continue;
        const Site& from = trace.site(call.site);
        times[trace.functionOf(from) + ":" + std::to_string(from.line)] += call.count;
    }
    return times;
}

Trace recordedCalls(const std::string& compiler) {
    setenv("LD_BIND_NOW", "1", 1);
    Trace trace = test::recorded({test::compiled("calls.cpp", compiler)}).trace;
    unsetenv("LD_BIND_NOW");
    return trace;
}

class Calls : public testing::TestWithParam<std::string> {
  protected:
    Trace trace_;

    void SetUp() override {
        if (!test::isInstalled(GetParam())) GTEST_SKIP() << "no " << GetParam();
        trace_ = recordedCalls(GetParam());
    }
    std::uint64_t sumOf(const AccessesBy& calls) {
        std::uint64_t sum = 0;
        for (const auto& [from, times] : calls) sum += times;
        return sum;
    }
};

TEST_P(Calls, AllIsWithinMain) {
    const AccessesBy sums = inclusiveAccesses(trace_);
    std::uint64_t all = 0;
    trace_.forEach(Tick{0}, Tick{trace_.size()}, [&](Tick, const Access& a) { all += a.modify ? 0 : 1; });
    EXPECT_EQ(sums.at("main"), all);
    for (const auto& [function, accesses] : sums) EXPECT_NE(function, "__wrap_main");
}

TEST_P(Calls, AreCountedByWhereTheyAreMade) {
    EXPECT_EQ(callsFrom(trace_, "fill"), (AccessesBy{{"grow:23", 10}, {"other:28", 1}}));
    // Recursion: the first call is main's, all others are its own.
    EXPECT_EQ(sumOf(callsFrom(trace_, "depth")), 6u);
    EXPECT_EQ(sumOf(callsFrom(trace_, "odd")) + sumOf(callsFrom(trace_, "even")), 7u);
    const AccessesBy leaves = callsFrom(trace_, "leaf");
    EXPECT_EQ(leaves.at("depth:32"), 6u);
    EXPECT_EQ(leaves.at("even:38") + leaves.at("odd:42"), 7u);
    EXPECT_EQ(leaves.at("jumper:47"), 1u);
    EXPECT_EQ(leaves.at("jumps:56"), 1u) << "after a longjmp";
    EXPECT_EQ(leaves.at("thrower:60"), 1u);
    EXPECT_EQ(leaves.at("catcher:67"), 1u) << "after an exception";
    EXPECT_EQ(leaves.at("catcher:69"), 1u);
    EXPECT_EQ(leaves.at("main:107"), 1u);
    EXPECT_FALSE(leaves.contains("deep_jumper:52")) << "it is jumped over";
    EXPECT_GT(leaves.at("compare:73"), 15u);
}

TEST_P(Calls, AnInlinedFunctionIsCalled) {
    EXPECT_EQ(callsFrom(trace_, "leaf").at("within:88"), 1u);
    const AccessesBy sums = inclusiveAccesses(trace_);
    EXPECT_GE(sums.at("around"), sums.at("within"));
    const bool isCalled = std::any_of(trace_.calls().begin() + 1, trace_.calls().end(), [&](const Call& call) {
        const Site& from = trace_.site(call.site);
        return trace_.functionOf(from) == "around" && from.line == 92;
    });
    EXPECT_TRUE(isCalled);
}

TEST_P(Calls, RecursionCountsOnce) {
    // A chain is as long as there are functions in it, however deep the recursion.
    for (const Site& site : trace_.sites()) {
        std::multiset<std::uint32_t> callers;
        for (std::uint32_t c = site.call; c != kNoCall; c = trace_.calls()[c].parent) {
            callers.insert(trace_.site(trace_.calls()[c].site).function);
        }
        for (const std::uint32_t function : callers) EXPECT_EQ(callers.count(function), 1u);
    }
    // even calls odd, which calls even, and so on: while the last runs, both run.
    const AccessesBy sums = inclusiveAccesses(trace_);
    EXPECT_GT(sums.at("even"), sums.at("odd"));
    EXPECT_GT(sums.at("odd"), sums.at("even") / 2);
}

INSTANTIATE_TEST_SUITE_P(Ways, Calls,
                         testing::Values("g++ -O0", "g++ -O1", "clang++ -O1", "whorl cc g++ -O0", "whorl cc g++ -O1",
                                         "whorl cc clang++ -O1"));

TEST(RecordedCalls, NameTheCallersOfTheLibrary) {
    const Trace trace = recordedCalls("g++ -O1");
    std::set<std::string> names;
    for (const Site& site : trace.sites()) {
        if (trace.functionOf(site) == "memset") names.insert(siteName(trace, site));
    }
    for (const std::string& name : names) EXPECT_TRUE(name.starts_with("in memset, called from ")) << name;
    EXPECT_TRUE(std::any_of(names.begin(), names.end(), [](const auto& n) { return n.ends_with("calls.cpp:19"); }));
}

TEST(RecordedCalls, AreLeftOutOnRequest) {
    for (const std::string& way : test::kWays) {
        CaptureOptions options;
        options.command = {test::compiled("calls.cpp", way + "g++ -O1")};
        options.calls = false;
        const Trace trace = test::recorded(options).trace;
        EXPECT_TRUE(trace.calls().empty());
        std::set<std::uint64_t> instructions;
        for (const Site& site : trace.sites()) EXPECT_TRUE(instructions.insert(site.pc.value).second);
    }
}

TEST(RecordedCalls, AreThoseOfAStretch) {
    // Recording begins in the middle: the calls that run then are known.
    for (const std::string& way : test::kWays) {
        CaptureOptions options;
        options.command = {test::compiled("calls.cpp", way + "g++ -O1")};
        options.startAt = "fill";
        options.stopAt = "other";
        const Trace trace = test::recorded(options).trace;
        const AccessesBy sums = inclusiveAccesses(trace);
        EXPECT_GE(sums.at("fill"), 10u);
        EXPECT_GE(sums.at("grow"), sums.at("fill"));
        EXPECT_GE(sums.at("main"), sums.at("grow"));
    }
}

/// Callgrind's inclusive references by function.
AccessesBy inclusiveByCallgrind(const std::string& program) {
    const std::string out = test::workFolder() + "/inclusive.out";
    auto started = ChildProcess::start({"valgrind", "-q", "--tool=callgrind", "--cache-sim=yes", "--LL=8388608,16,64",
                                        "--toggle-collect=main", "--callgrind-out-file=" + out, program},
                                       {"LD_BIND_NOW=1"}, {});
    EXPECT_TRUE(started.has_value());
    while (!started->ended()) usleep(1000);
    const std::string text = test::workFolder() + "/inclusive.txt";
    const std::string command =
        "callgrind_annotate --inclusive=yes --auto=no --threshold=100 --show=Dr,Dw " + out + " > " + text;
    EXPECT_EQ(std::system(command.c_str()), 0);
    std::ifstream file(text);
    AccessesBy sums;
    for (std::string line; std::getline(file, line);) {
        // "    33 ( 0.25%)  5,022 (40.12%)  /a/calls.cpp:grow(int) [/a/program]"
        const std::size_t at = line.find("calls.cpp:");
        if (at == std::string::npos) continue;
        std::erase(line, ',');
        std::uint64_t sum = 0;
        std::istringstream words(line);
        std::string word;
        for (int numbers = 0; numbers < 2 && words >> word;) {
            if (word.find('%') != std::string::npos || word == "(") continue;
            sum += std::stoull(word);
            ++numbers;
        }
        const std::string name = line.substr(line.find("calls.cpp:") + 10);
        // It lists a function twice if a file has two names, from here and from the root.
        sums.emplace(name.substr(0, name.find_first_of("( ")), sum);
    }
    return sums;
}

TEST(RecordedCalls, CallgrindHasTheSameInclusiveCosts) {
    const std::string program = test::compiled("calls.cpp", "g++ -O1");
    setenv("LD_BIND_NOW", "1", 1);
    const AccessesBy ours = inclusiveAccesses(test::recorded({program}).trace);
    unsetenv("LD_BIND_NOW");
    const AccessesBy theirs = inclusiveByCallgrind(program);
    for (const char* function : {"grow", "fill", "other", "jumps", "by_pointer", "compare", "sorts", "leaf"}) {
        ASSERT_TRUE(theirs.contains(function)) << function;
        EXPECT_EQ(ours.at(function), theirs.at(function)) << function;
    }
    // A compare-and-swap with the bus locked reads twice for callgrind.
    EXPECT_LE(ours.at("main"), theirs.at("main"));
    EXPECT_GE(ours.at("main") + 2, theirs.at("main"));
}

}  // namespace
}  // namespace whorl::sim
