// Another simulator: cachegrind counts the references and the misses of the same program.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <memory>
#include <regex>
#include <string>
#include <vector>

#include "capture/compiled.h"
#include "sim/capture/traced_process.h"
#include "sim/machine/machine_config.h"
#include "sim/replay/measuring.h"
#include "support/traces.h"

namespace whorl::sim {
namespace {

struct Counts {
    std::uint64_t reads = 0;
    std::uint64_t writes = 0;
    std::uint64_t misses = 0;
};

std::uint64_t number(std::string text) {
    std::erase(text, ',');
    return std::strtoull(text.c_str(), nullptr, 10);
}

/// A folder of Valgrind's tools, with cachegrind under a name as long as that of Whorl's tool, and with a path as long
/// as that of the folder with that: what a program does before main depends on the length of its environment.
std::string folderAsLong() {
    namespace fs = std::filesystem;
    const fs::path tools = *captureFolderWith("whorl-amd64-linux");
    std::string folder = "/tmp/whorl";
    folder.resize(std::max(folder.size(), tools.string().size()), 'x');
    fs::create_directories(folder);
    const auto link = [&](const fs::path& target, const std::string& name) {
        fs::remove(folder + '/' + name);
        fs::create_symlink(target, folder + '/' + name);
    };
    link(fs::canonical(tools / "vgpreload_core-amd64-linux.so"), "vgpreload_core-amd64-linux.so");
    link(tools / "vgpreload_whorl-amd64-linux.so", "vgpreload_cgrnd-amd64-linux.so");
    link(fs::canonical(tools / "vgpreload_core-amd64-linux.so").parent_path() / "cachegrind-amd64-linux",
         "cgrnd-amd64-linux");
    return folder;
}

/// What cachegrind says of a program, with a cache of 32 KiB and 8 ways.
Counts byCachegrind(const std::vector<std::string>& command) {
    const std::string log = test::workFolder() + "/cachegrind.log";
    const std::string folder = folderAsLong();
    std::vector<std::string> words = {
        "valgrind.bin",     "--tool=cgrnd", "--cache-sim=yes", "--D1=32768,8,64", "--cachegrind-out-file=/dev/null",
        "--log-file=" + log};
    words.insert(words.end(), command.begin(), command.end());
    auto started = ChildProcess::start(words, {"VALGRIND_LIB=" + folder}, {});
    EXPECT_TRUE(started.has_value());
    while (!started->ended()) usleep(1000);
    std::filesystem::remove_all(folder);
    const std::string text = test::bytesOf(log);
    std::smatch refs;
    std::smatch misses;
    EXPECT_TRUE(std::regex_search(text, refs, std::regex(R"(D +refs: +[\d,]+ +\( *([\d,]+) rd +\+ +([\d,]+) wr)")))
        << text;
    EXPECT_TRUE(std::regex_search(text, misses, std::regex(R"(D1 +misses: +([\d,]+))"))) << text;
    return {number(refs[1]), number(refs[2]), number(misses[1])};
}

/// The same of a recorded program, counted as cachegrind does: an access to two blocks is one, and so is a modify.
Counts byWhorl(const CaptureOptions& options) {
    const auto trace = test::shared(test::recorded(options).trace);
    MachineConfig machine = *loadMachine("32K/8/64");
    machine.conventions.modifyCountsOnce = true;
    machine.conventions.straddleCountsOnce = true;
    Progress progress;
    const auto measured = measure(trace, machine, test::wholeOf(*trace), false, progress);
    EXPECT_TRUE(measured.has_value());
    if (!measured) return {};
    const Counters& counters = measured->counters;
    return {counters.reads, counters.writes, counters.level(0).misses()};
}

void expectEqual(const std::string& kernel) {
    const std::string program = test::compiled("kernels.cpp", "g++ -O2 -static");
    const Counts theirs = byCachegrind({program, kernel, "40"});
    CaptureOptions options;
    options.command = {program, kernel, "40"};
    options.everything = true;
    options.names = false;
    const Counts ours = byWhorl(options);
    // For cachegrind a compare-and-swap reads twice; the C library makes a few, for locks.
    constexpr std::uint64_t kLocks = 12;
    EXPECT_LE(ours.reads, theirs.reads);
    EXPECT_GE(ours.reads + kLocks, theirs.reads);
    EXPECT_EQ(ours.writes, theirs.writes);
    EXPECT_EQ(ours.misses, theirs.misses);
}

TEST(Cachegrind, CountsTheSameOfAMatrixProduct) {
    expectEqual("matmul");
}

TEST(Cachegrind, CountsTheSameOfASort) {
    expectEqual("sort");
}

}  // namespace
}  // namespace whorl::sim
