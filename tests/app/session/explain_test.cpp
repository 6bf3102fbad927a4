// Why an access missed: the parts of its address, and the kind of each miss at its own level.
#include "app/session/explain.h"

#include <gtest/gtest.h>

#include <array>

#include "app/tasks/opening.h"
#include "sim/replay/snapshot_reader.h"

namespace whorl::app {
namespace {

TEST(Explain, DigitsInGroupsOfFour) {
    EXPECT_EQ(binary(0, 0), "");
    EXPECT_EQ(binary(5, 3), "101");
    EXPECT_EQ(binary(0x1a, 6), "01 1010");
    EXPECT_EQ(binary(0xff, 8), "1111 1111");
}

/// Every access of a program: the parts put together are its address, and the kinds are those of the run's own lists.
TEST(Explain, PartsAndKindsAreThoseOfTheRun) {
    sim::Progress progress;
    auto opened = open({.input = "matmul:n=16", .machine = "paper", .reading = {}}, nullptr, progress);
    ASSERT_TRUE(opened);
    opened->run->build(progress);
    const sim::MachineConfig& machine = opened->run->machine();
    sim::SnapshotReader reader(opened->run);
    std::vector<std::array<std::uint64_t, sim::kMissKinds>> counted(machine.levels.size());
    for (std::uint64_t t = 1; t <= 2000; ++t) {
        const sim::Snapshot& snapshot = reader.at(static_cast<double>(t), {.steps = 1});
        const sim::Step& step = *snapshot.current();
        const auto levels = explained(step, machine);
        ASSERT_EQ(levels.size(), machine.levels.size());
        bool missed = true;
        for (std::size_t l = 0; l < levels.size(); ++l) {
            const LevelExplained& level = levels[l];
            const std::uint64_t block = level.tag * machine.levels[l].sets() + level.set;
            ASSERT_EQ(block * machine.levels[l].block + level.offset, step.access.address.value);
            ASSERT_EQ(std::uint64_t{1} << level.offsetBits, machine.levels[l].block);
            ASSERT_EQ(level.asked, missed) << "a level is asked when all before it missed";
            missed = level.asked && !level.hit;
            ASSERT_EQ(level.kind.has_value(), missed);
            if (level.kind) ++counted[l][static_cast<std::size_t>(*level.kind)];
        }
    }
    // The same by the books of the run.
    const auto measures = opened->run->between(sim::Tick{0}, sim::Tick{2000}, progress);
    ASSERT_TRUE(measures);
    for (std::size_t l = 0; l < counted.size(); ++l) {
        std::uint64_t all = 0;
        for (const std::uint64_t count : counted[l]) all += count;
        EXPECT_EQ(all, measures->counters.cache(l, 0).misses()) << l;
        EXPECT_GT(counted[l][static_cast<std::size_t>(sim::MissKind::compulsory)], 0u) << l;
    }
    EXPECT_GT(counted[1][static_cast<std::size_t>(sim::MissKind::conflict)], 0u);
}

TEST(Explain, WordsTellEachKindApart) {
    EXPECT_EQ(missInWords(sim::MissKind::conflict),
              "a conflict miss: a fully associative cache of this size would have kept it");
    for (std::size_t a = 0; a < sim::kMissKinds; ++a) {
        for (std::size_t b = 0; b < a; ++b) {
            EXPECT_NE(missInWords(static_cast<sim::MissKind>(a)), missInWords(static_cast<sim::MissKind>(b)));
        }
    }
}

}  // namespace
}  // namespace whorl::app
