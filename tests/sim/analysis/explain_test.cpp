// Why an access missed: the parts of its address, and the kind of each miss at its own level.
#include "sim/analysis/explain.h"

#include <gtest/gtest.h>

#include <array>

#include "sim/machine/machine_config.h"
#include "sim/replay/snapshot.h"
#include "support/runs.h"

namespace whorl::sim {
namespace {

TEST(Explain, DigitsInGroupsOfFour) {
    EXPECT_EQ(binaryDigits(0, 0), "");
    EXPECT_EQ(binaryDigits(5, 3), "101");
    EXPECT_EQ(binaryDigits(0x1a, 6), "01 1010");
    EXPECT_EQ(binaryDigits(0xff, 8), "1111 1111");
}

/// The explanations of the pages of all accesses.
std::vector<PageExplanation> pagesOf(const MachineConfig& machine, const std::vector<Access>& accesses) {
    TraceBuilder builder("pages");
    for (const Access& a : accesses) builder.add(a);
    const auto run = test::built(builder, machine);
    SnapshotReader reader(run);
    std::vector<PageExplanation> pages;
    for (std::uint64_t t = 1; t <= accesses.size(); ++t) {
        const Snapshot& snapshot = reader.at(static_cast<double>(t), {.steps = 1});
        pages.push_back(explainPage(*snapshot.current(), snapshot.now.hierarchy()).value());
    }
    return pages;
}

TEST(Explain, TheTranslationOfAPage) {
    MachineConfig machine;
    machine.levels = {{.name = "L1", .size = 64, .ways = 2, .block = 16}};
    machine.tlb = {.entries = 4, .ways = 2, .page = 64, .walk = 20};
    std::vector<Access> accesses;
    for (const std::uint64_t address : {0x8, 0x84, 0xc, 0x100, 0x88}) {
        accesses.push_back({.address = ByteAddress{address}, .size = 4, .op = Op::write});
    }
    const auto unbounded = pagesOf(machine, accesses);
    EXPECT_EQ(unbounded[1].page, 2u);
    EXPECT_EQ(unbounded[1].offset, 4u);
    EXPECT_EQ(unbounded[1].offsetBits, 6u);
    EXPECT_EQ(unbounded[0].words, "TLB miss: a page walk");
    EXPECT_EQ(unbounded[2].words, "TLB hit in set 0, way 0");
    EXPECT_FALSE(unbounded[2].frame.has_value());

    machine.memory = {.size = 128, .page = 64, .fault = 1000};
    const auto bounded = pagesOf(machine, accesses);
    EXPECT_EQ(bounded[0].words, "TLB miss: a page walk; page fault: frame 0 was free");
    EXPECT_EQ(bounded[1].frame, 1u);
    EXPECT_EQ(bounded[2].words, "TLB hit in set 0, way 0");
    EXPECT_EQ(bounded[2].frame, 0u);
    EXPECT_EQ(bounded[3].words, "TLB miss: a page walk; page fault: page 0x2 left frame 1 and was written back");
    EXPECT_TRUE(bounded[3].walked && bounded[3].faulted);
    EXPECT_EQ(bounded[3].frame, 1u);

    machine.tlb = {};
    EXPECT_EQ(pagesOf(machine, accesses)[2].words, "in memory");
    EXPECT_EQ(pagesOf(machine, accesses)[4].words, "page fault: page 0x0 left frame 0 and was written back");
    machine.memory = {};
    EXPECT_FALSE(explainPage(Step{}, Hierarchy(machine)).has_value()) << "nothing is translated";
}

/// Of an access to two pages the second can take the entry of the first, which hit.
TEST(Explain, ATranslationThatTheAccessItselfLost) {
    MachineConfig machine;
    machine.levels = {{.name = "L1", .size = 64, .ways = 2, .block = 16}};
    machine.tlb = {.entries = 1, .ways = 1, .page = 64, .walk = 20};
    std::vector<Access> accesses;
    for (const std::uint64_t address : {0x40, 0x7e, 0x80})
        accesses.push_back({.address = ByteAddress{address}, .size = 4});
    const auto pages = pagesOf(machine, accesses);
    EXPECT_EQ(pages[1].page, 1u);
    EXPECT_EQ(pages[1].words, "TLB hit; then another page of the access took its entry");
    EXPECT_EQ(pages[2].words, "TLB hit in way 0");
}

/// Every access of a program: its parts combine to its address, and the kinds are those of the run's own lists.
TEST(Explain, PartsAndKindsAreThoseOfTheRun) {
    const auto run = test::built(test::ran("matmul:n=16"), *loadMachine("paper"));
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
    Progress progress;
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
