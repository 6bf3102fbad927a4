// Why an access missed: the parts of its address, and the kind of each miss at its own level.
#include "sim/analysis/explain.h"

#include <gtest/gtest.h>

#include <array>

#include "sim/machine/machine_config.h"
#include "sim/programs/program.h"
#include "sim/replay/run.h"
#include "sim/replay/snapshot_reader.h"

namespace whorl::sim {
namespace {

TEST(Explain, DigitsInGroupsOfFour) {
    EXPECT_EQ(binaryDigits(0, 0), "");
    EXPECT_EQ(binaryDigits(5, 3), "101");
    EXPECT_EQ(binaryDigits(0x1a, 6), "01 1010");
    EXPECT_EQ(binaryDigits(0xff, 8), "1111 1111");
}

/// Every access of a program: its parts combine to its address, and the kinds are those of the run's own lists.
TEST(Explain, PartsAndKindsAreThoseOfTheRun) {
    Progress progress;
    const auto trace = std::make_shared<const Trace>(*runProgram(*parseProgramSpec("matmul:n=16"), progress));
    const auto run = std::make_shared<sim::Run>(trace, *loadMachine("paper"));
    run->build(progress);
    const MachineConfig& machine = run->machine();
    SnapshotReader reader(run);
    std::vector<std::array<std::uint64_t, kMissKinds>> counted(machine.levels.size());
    for (std::uint64_t t = 1; t <= 2000; ++t) {
        const Snapshot& snapshot = reader.at(static_cast<double>(t), {.steps = 1});
        const Step& step = *snapshot.current();
        const auto levels = explainAccess(step, machine);
        ASSERT_EQ(levels.size(), machine.levels.size());
        bool missed = true;
        for (std::size_t l = 0; l < levels.size(); ++l) {
            const LevelExplanation& level = levels[l];
            const std::uint64_t block = level.tag * machine.levels[l].sets() + level.set;
            ASSERT_EQ(block * machine.levels[l].block + level.offset, step.access.address.value);
            ASSERT_EQ(std::uint64_t{1} << level.offsetBits, machine.levels[l].block);
            ASSERT_EQ(level.asked, missed) << "a level is asked when all before it missed";
            missed = level.asked && !level.hit;
            ASSERT_EQ(level.kind.has_value(), missed);
            if (level.kind) ++counted[l][static_cast<std::size_t>(*level.kind)];
        }
    }
    // The same by the counters of the run.
    const auto measures = run->between({Tick{0}, Tick{2000}}, progress);
    ASSERT_TRUE(measures);
    for (std::size_t l = 0; l < counted.size(); ++l) {
        std::uint64_t all = 0;
        for (const std::uint64_t count : counted[l]) all += count;
        EXPECT_EQ(all, measures->counters.cache(l, 0).misses()) << l;
        EXPECT_GT(counted[l][static_cast<std::size_t>(MissKind::compulsory)], 0u) << l;
    }
    EXPECT_GT(counted[1][static_cast<std::size_t>(MissKind::conflict)], 0u);
}

TEST(Explain, WordsDistinguishEachKind) {
    EXPECT_EQ(missInWords(MissKind::conflict),
              "a conflict miss: a fully associative cache of this size would have hit");
    for (std::size_t a = 0; a < kMissKinds; ++a) {
        for (std::size_t b = 0; b < a; ++b) {
            EXPECT_NE(missInWords(static_cast<MissKind>(a)), missInWords(static_cast<MissKind>(b)));
        }
    }
}

}  // namespace
}  // namespace whorl::sim
