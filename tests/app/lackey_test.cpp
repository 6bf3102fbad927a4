// Real programs, recorded on the spot by valgrind, through the whole of Whorl and through the reference simulator.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "app/opening.h"
#include "sim/reference_simulator.h"

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
    Lackey() : folder_(fs::temp_directory_path() / ("whorl-lackey-" + std::to_string(getpid()))) {
        fs::create_directories(folder_);
    }
    ~Lackey() override { fs::remove_all(folder_); }
    fs::path folder_;
};

/// Reads lackey's output the plain way.
void playInReference(const fs::path& file, reference::Simulator& slow) {
    std::ifstream in(file);
    std::string line;
    while (std::getline(in, line)) {
        char op = 0;
        unsigned long long address = 0;
        unsigned size = 0;
        if (std::sscanf(line.c_str(), " %c %llx,%u", &op, &address, &size) != 3) continue;
        if (op == 'L' || op == 'M') slow.access(address, size, false);
        if (op == 'S' || op == 'M') slow.access(address, size, true);
        slow.log.clear();
    }
}

TEST_P(Lackey, CountsEqualTheReferenceToTheLast) {
    const Recording& r = GetParam();
    const fs::path trace = folder_ / "trace";
    const std::string command = "cd '" + folder_.string() + "' && seq 300 | sed 's/$/ lines of text/' > text && " +
                                "valgrind --tool=lackey --trace-mem=yes --log-file=" + trace.string() + " " +
                                r.command + " > out 2>&1";
    ASSERT_EQ(std::system(command.c_str()), 0) << command;

    sim::Progress progress;
    auto opened = open({.input = trace.string(), .machine = r.machine, .reading = {}}, nullptr, progress);
    ASSERT_TRUE(opened) << opened.error().sentence();
    ASSERT_TRUE(opened->run->build(progress));
    const sim::Counters counts = opened->run->totals();

    std::vector<reference::Level> levels;
    for (const sim::LevelConfig& l : opened->run->machine().levels) {
        levels.push_back({.sets = l.sets(), .ways = l.ways, .block = l.block, .contents = {}});
    }
    reference::Simulator slow(levels);
    playInReference(trace, slow);
    EXPECT_GT(counts.accesses(), 50000u);
    EXPECT_EQ(counts.reads, slow.reads);
    EXPECT_EQ(counts.writes, slow.writes);
    EXPECT_EQ(counts.memory.reads, slow.memoryReads);
    EXPECT_EQ(counts.memory.writes, slow.memoryWrites);
    for (std::size_t l = 0; l < levels.size(); ++l) {
        EXPECT_EQ(counts.level(l).hits(), slow.levels[l].readHits + slow.levels[l].writeHits);
        EXPECT_EQ(counts.level(l).readMisses, slow.levels[l].readMisses);
        EXPECT_EQ(counts.level(l).writeMisses, slow.levels[l].writeMisses);
        EXPECT_EQ(counts.level(l).evictions, slow.levels[l].evictions);
        EXPECT_EQ(counts.level(l).writebacks, slow.levels[l].writebacks);
    }
    // Every block that was touched has a home in the memory ring.
    opened->run->trace().forEach(
        sim::Tick{0}, sim::Tick{opened->run->trace().size()},
        [&](sim::Tick, const sim::Access& a) { ASSERT_NE(opened->homes->of(a.address), scene::Homes::kNone); });
}

INSTANTIATE_TEST_SUITE_P(Programs, Lackey,
                         testing::Values(Recording{"gzip", "gzip -c text", "32K/8/64, 256K/8/64"},
                                         Recording{"sort", "sort -r text", "1K/2/16, 12K/6/64, 64K/4/64"},
                                         Recording{"python", "python3 -I -S -c 'print(6*7)'", "default"}),
                         [](const auto& p) { return std::string(p.param.name); });

}  // namespace
}  // namespace whorl::app
