// Traffic between levels and from and to memory: by hand, and by laws on random machines.
#include "sim/analysis/figures.h"

#include <gtest/gtest.h>

#include "sim/reference/random_cases.h"
#include "support/rounds.h"
#include "support/runs.h"

namespace whorl::sim {
namespace {

MachineConfig twoLevelMachine(bool writesThrough, bool allocates) {
    MachineConfig m;
    m.levels = {{.name = "L1", .size = 64, .ways = 2, .block = 32},
                {.name = "L2", .size = 256, .ways = 4, .block = 64}};
    m.levels[0].writeThrough = writesThrough;
    m.levels[0].allocate = allocates;
    return m;
}

TEST(Traffic, IsWholeBlocksOfAWriteBack) {
    // The third block evicts the first, which is dirty; L2's blocks are twice as large.
    const auto run = test::built("W 0x1000 8\nR 0x1040 8\nR 0x1080 8\n", twoLevelMachine(false, true));
    const Counters counters = run->totals();
    EXPECT_EQ(trafficOf(counters, run->machine(), 1),
              (Traffic{.reads = 3, .writes = 1, .readBytes = 96, .writtenBytes = 32}));
    EXPECT_EQ(trafficOf(counters, run->machine(), 2),
              (Traffic{.reads = 3, .writes = 0, .readBytes = 192, .writtenBytes = 0}));
}

TEST(Traffic, IsTheBytesThatAreWrittenThrough) {
    for (const bool allocates : {true, false}) {
        // The second write straddles two blocks of L1: two bytes go into the first, six into the second.
        const auto run = test::built("W 0x1000 4\nW 0x101e 8\nW 0x1000 4\n", twoLevelMachine(true, allocates));
        const Traffic traffic = trafficOf(run->totals(), run->machine(), 1);
        EXPECT_EQ(traffic.writes, 4u);
        EXPECT_EQ(traffic.writtenBytes, 16u);
        EXPECT_EQ(traffic.reads, allocates ? 2u : 0u);
        EXPECT_EQ(run->totals().level(0).writeThroughs, 4u);
        EXPECT_EQ(trafficOf(run->totals(), run->machine(), 2).writtenBytes, 0u) << "L2 writes back";
    }
}

TEST(Traffic, OfABlockThatIsWrittenBackAndThroughIsThatOfTheLevelThatWroteIt) {
    MachineConfig m = twoLevelMachine(false, true);
    m.levels[1].writeThrough = true;
    const auto run = test::built("W 0x1000 8\nR 0x1040 8\nR 0x1080 8\n", m);
    EXPECT_EQ(trafficOf(run->totals(), run->machine(), 2).writtenBytes, 32u) << "half a block of L2";
}

TEST(Traffic, WithoutACacheIsWords) {
    const auto run = test::built("W 0x1000 8\nR 0x1004 8\n", MachineConfig{});
    EXPECT_EQ(trafficOf(run->totals(), run->machine(), 0),
              (Traffic{.reads = 2, .writes = 1, .readBytes = 16, .writtenBytes = 8}));
}

/// What is stored reaches memory byte by byte where every level writes through, and each level got it before.
TEST(Traffic, OfStoresThatGoThroughIsWhatIsStored) {
    for (std::uint64_t seed = 0; seed < testRounds(200); ++seed) {
        reference::Case random = reference::randomCase(seed, 400);
        if (random.machine.levels.empty() || random.machine.memory.isBounded()) continue;
        for (LevelConfig& level : random.machine.levels) {
            level.writeThrough = true;
            if (level.inclusion == Inclusion::exclusive) level.inclusion = Inclusion::none;
            if (level.policy == Policy::opt) level.policy = Policy::lru;
        }
        if (!checked(random.machine, "")) continue;
        std::uint64_t stored = 0;
        for (const Access& a : random.trace) stored += a.isWrite() ? a.size : 0;
        Simulator simulator(random.machine);
        EventList events;
        for (const Access& a : random.trace) simulator.playOne(PackedAccess(a), events);
        for (std::size_t l = 1; l <= random.machine.levels.size(); ++l) {
            EXPECT_EQ(trafficOf(simulator.counters(), random.machine, l).writtenBytes, stored) << seed << ", " << l;
        }
    }
}

}  // namespace
}  // namespace whorl::sim
