// Real programs, recorded during the test by valgrind, through all of Whorl and through the reference simulator.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "app/tasks/opening.h"
#include "sim/reference/machine.h"
#include "sim/reference/tally.h"
#include "support/folder.h"

namespace whorl::app {
namespace {

namespace fs = std::filesystem;

struct Recording {
    const char* name;
    const char* command;
    const char* machine;
};

void PrintTo(const Recording& r, std::ostream* out) {
    *out << r.command << " on " << r.machine;
}

class Lackey : public testing::TestWithParam<Recording> {
  protected:
    const sim::test::Folder folder_;
};

/// Reads lackey's output with a simple parser and plays it.
reference::Tally playInReference(const fs::path& file, const sim::MachineConfig& config) {
    reference::Machine machine(config);
    reference::Tally tally(config);
    std::ifstream in(file);
    std::string line;
    while (std::getline(in, line)) {
        char op = 0;
        unsigned long long address = 0;
        unsigned size = 0;
        if (std::sscanf(line.c_str(), " %c %llx,%u", &op, &address, &size) != 3) continue;
        sim::Access a{.address = sim::ByteAddress{address}, .size = size};
        if (op == 'L' || op == 'M') tally.take(a, machine.access(a));
        a.op = sim::Op::write;
        a.modify = op == 'M';
        if (op == 'S' || op == 'M') tally.take(a, machine.access(a));
    }
    return tally;
}

TEST_P(Lackey, CountsEqualTheReferenceToTheLast) {
    const Recording& r = GetParam();
    const fs::path trace = folder_.path() / "trace";
    const std::string command =
        "cd '" + folder_.path().string() + "' && seq 300 | sed 's/$/ lines of text/' > text && " +
        "valgrind --tool=lackey --trace-mem=yes --log-file=" + trace.string() + " " + r.command + " > out 2>&1";
    ASSERT_EQ(std::system(command.c_str()), 0) << command;

    sim::Progress progress;
    auto opened = open({.input = trace.string(), .machine = r.machine, .reading = {}}, nullptr, progress);
    ASSERT_TRUE(opened) << opened.error().sentence();
    ASSERT_TRUE(opened->run->build(progress));
    const sim::Counters counts = opened->run->totals();

    const reference::Tally tally = playInReference(trace, opened->run->machine());
    EXPECT_GT(counts.accesses(), 50000u);
    EXPECT_EQ(counts.reads, tally.reads());
    EXPECT_EQ(counts.writes, tally.writes());
    EXPECT_EQ(counts.memory.reads, tally.memoryReads());
    EXPECT_EQ(counts.memory.writes, tally.memoryWrites());
    for (std::size_t l = 0; l < counts.levels(); ++l) {
        const reference::CacheCounts level = tally.cache(l, 0);
        EXPECT_EQ(counts.level(l).reads, level.reads);
        EXPECT_EQ(counts.level(l).writes, level.writes);
        EXPECT_EQ(counts.level(l).readMisses, level.readMisses);
        EXPECT_EQ(counts.level(l).writeMisses, level.writeMisses);
        EXPECT_EQ(counts.level(l).evictions, level.evictions);
        EXPECT_EQ(counts.level(l).writebacks, level.writebacks);
    }
    // Every block that was touched has a home in the memory ring.
    opened->run->trace().forEach(sim::Tick{0}, sim::Tick{opened->run->trace().size()},
                                 [&](sim::Tick, const sim::Access& a) {
                                     ASSERT_NE(opened->memorySlots->of(a.address), scene::MemorySlots::kNone);
                                 });
}

INSTANTIATE_TEST_SUITE_P(Programs, Lackey,
                         testing::Values(Recording{"gzip", "gzip -c text", "32K/8/64, 256K/8/64"},
                                         Recording{"sort", "sort -r text", "1K/2/16, 12K/6/64, 64K/4/64"},
                                         Recording{"awk", "awk 'BEGIN { print 6*7 }'", "default"}),
                         [](const auto& p) { return std::string(p.param.name); });

}  // namespace
}  // namespace whorl::app
