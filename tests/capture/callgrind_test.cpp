// Another simulator: callgrind counts the instructions and the references of the same program. What Whorl preloads into
// a program to see what it allocates and waits for is no part of either.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "capture/compiled.h"
#include "sim/capture/traced_process.h"
#include "sim/machine/machine_config.h"
#include "sim/replay/measuring.h"
#include "support/traces.h"

namespace whorl::sim {
namespace {

struct Executed {
    std::uint64_t instructions = 0;
    std::uint64_t references = 0;  ///< to data; a modify is one
};

Executed operator-(const Executed& a, const Executed& b) {
    return {a.instructions - b.instructions, a.references - b.references};
}

/// What callgrind says of main, and of the function that other threads begin with.
Executed byCallgrind(const std::vector<std::string>& command) {
    const std::string out = test::workFolder() + "/callgrind.out";
    std::vector<std::string> words = {"valgrind",
                                      "-q",
                                      "--tool=callgrind",
                                      "--cache-sim=yes",
                                      "--LL=8388608,16,64",
                                      "--toggle-collect=main",
                                      "--toggle-collect=work",
                                      "--callgrind-out-file=" + out};
    words.insert(words.end(), command.begin(), command.end());
    auto started = ChildProcess::start(words, {"LD_BIND_NOW=1"}, {});
    EXPECT_TRUE(started.has_value());
    while (!started->ended()) usleep(1000);
    std::ifstream file(out);
    Executed executed;
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with("summary: ")) continue;
        std::uint64_t reads = 0;
        std::uint64_t writes = 0;
        std::istringstream(line.substr(9)) >> executed.instructions >> reads >> writes;
        executed.references = reads + writes;
    }
    EXPECT_GT(executed.instructions, 0u);
    return executed;
}

Executed recordedByWhorl(const std::vector<std::string>& command) {
    setenv("LD_BIND_NOW", "1", 1);
    const auto trace = test::shared(test::recorded(command).trace);
    unsetenv("LD_BIND_NOW");
    MachineConfig machine = *loadMachine("32K/8/64");
    machine.conventions.modifyCountsOnce = true;
    Progress progress;
    const auto measured = measure(trace, machine, test::wholeOf(*trace), false, progress);
    EXPECT_TRUE(measured.has_value());
    if (!measured) return {};
    return {trace->instructions(), measured->counters.reads + measured->counters.writes};
}

/// Expects the same, but for so many compare-and-swaps with the bus locked, which read twice for callgrind.
void expectEqual(const Executed& ours, const Executed& theirs, std::uint64_t swaps) {
    EXPECT_EQ(ours.instructions, theirs.instructions);
    EXPECT_LE(ours.references, theirs.references);
    EXPECT_GE(ours.references + swaps, theirs.references);
}

/// Those of the C library's own locks, in what it does once.
constexpr std::uint64_t kOnce = 12;

std::vector<std::string> running(const std::string& what, int times) {
    return {test::compiled("library.cpp", "g++ -O1"), what, std::to_string(times)};
}

TEST(Callgrind, ExecutesTheSameOfAProgramThatAllocates) {
    expectEqual(recordedByWhorl(running("allocate", 1000)), byCallgrind(running("allocate", 1000)), kOnce);
}

TEST(Callgrind, ExecutesTheSameOfAProgramThatLocks) {
    // One for each semaphore that is posted.
    expectEqual(recordedByWhorl(running("locks", 1000)), byCallgrind(running("locks", 1000)), 1000 + kOnce);
}

TEST(Callgrind, ExecutesTheSameOfASecondThread) {
    // How a thread begins and ends is only recorded.
    const auto ours = recordedByWhorl(running("threads", 2000)) - recordedByWhorl(running("threads", 1000));
    const auto theirs = byCallgrind(running("threads", 2000)) - byCallgrind(running("threads", 1000));
    // Beside another thread each of the 4 allocations and 4 releases locks and unlocks the heap.
    expectEqual(ours, theirs, 1000 * (1 + 4 * 2 + 4 * 2));
}

TEST(Recorded, NothingIsNamedAfterAWrapper) {
    const Trace trace = test::recorded(running("allocate", 100)).trace;
    std::vector<std::string> names;
    for (const std::string& f : trace.functions()) names.push_back(f);
    for (const Region& r : trace.regions()) names.push_back(r.name);
    for (const Object& o : trace.objects()) names.push_back(o.name);
    for (const std::string& name : names) EXPECT_EQ(name.find("_vg"), std::string::npos) << name;
}

}  // namespace
}  // namespace whorl::sim
