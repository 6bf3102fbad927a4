// Reuse distances against their definition, and against simulated caches.
#include "sim/analysis/reuse.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "sim/replay/simulator.h"
#include "sim/report/tables.h"
#include "sim/trace/trace_help.h"
#include "support/threads.h"

namespace whorl::sim {
namespace {

Trace walk(std::uint64_t seed, std::uint64_t length) {
    TraceBuilder builder("walk");
    builder.addRegion(test::region("low", 0x10000, 0x2000));
    builder.addRegion(test::region("high", 0x12000, 0x6000));
    std::mt19937_64 random(seed);
    std::uint64_t at = 0x10000;
    for (std::uint64_t i = 0; i < length; ++i) {
        at = random() % 4 == 0 ? 0x10000 + random() % 0x7fc0 : std::min<std::uint64_t>(at + 8, 0x17fc0);
        // Some straddle two blocks, and some three.
        const auto size = static_cast<std::uint32_t>(random() % 50 == 0 ? 130 : 4 + random() % 8);
        const Op op = random() % 3 == 0 ? Op::write : Op::read;
        builder.add(test::access(op, at, size, static_cast<std::uint8_t>(random() % 2)));
    }
    return builder.finish();
}

Reuse reuseOfAll(const Trace& trace, std::uint32_t block) {
    Progress progress;
    auto reuse = reuseOf(trace, block, test::wholeOf(trace), progress);
    EXPECT_TRUE(reuse.has_value());
    return std::move(*reuse);
}

/// Most recent first: the position of a block in the list is its distance.
std::uint64_t distanceByList(std::vector<std::uint32_t>& list, std::uint32_t id) {
    const auto at = std::find(list.begin(), list.end(), id);
    const bool known = at != list.end();
    const auto distance = static_cast<std::uint64_t>(at - list.begin());
    if (known) list.erase(at);
    list.insert(list.begin(), id);
    return known ? distance : ReuseStack::kNever;
}

TEST(ReuseStack, GivesEachDistanceAsAListWould) {
    for (const std::uint32_t blocks : {1u, 2u, 7u, 64u, 65u, 700u, 3000u}) {
        std::mt19937 random(blocks);
        ReuseStack stack;
        std::vector<std::uint32_t> list;
        // More uses than initial slots, so that they are compacted several times.
        for (int i = 0; i < 30000; ++i) {
            const std::uint32_t id = random() % 3 == 0 ? random() % blocks : random() % (blocks / 8 + 1);
            ASSERT_EQ(stack.use(id), distanceByList(list, id)) << blocks << " blocks, use " << i;
        }
    }
}

TEST(Reuse, IsTheSameInTwoThreads) {
    const Trace trace = walk(5, 3 * Trace::kChunk);
    Progress progress;
    const Reuse one = reuseOfAll(trace, 64);
    const auto two = reuseOf(trace, 64, test::wholeOf(trace), progress, test::inThreads);
    ASSERT_TRUE(two.has_value());
    EXPECT_EQ(tableAsCsv(missRatioCurve(*two, trace)), tableAsCsv(missRatioCurve(one, trace)));
}

TEST(Reuse, GivesTheMissesOfEveryFullyAssociativeCache) {
    const Trace trace = walk(3, 20000);
    for (const std::uint32_t block : {16u, 64u}) {
        const Reuse reuse = reuseOfAll(trace, block);
        const std::uint64_t all = 0x8000 / block;
        for (std::uint32_t blocks = 1; blocks < all + 40; blocks += 1 + blocks / 3) {
            MachineConfig machine;
            machine.levels = {{"L1", std::uint64_t{blocks} * block, blocks, block}};
            machine.cpus = 2;
            Simulator simulator(machine);
            trace.forEach(Tick{0}, Tick{trace.size()}, [&](Tick, const Access& a) { simulator.step(a); });
            const CacheCounters counters = simulator.counters().level(0);
            EXPECT_EQ(reuse.all.uses(), counters.accesses());
            EXPECT_EQ(reuse.all.misses(blocks), counters.misses()) << blocks << " blocks of " << block;
        }
        EXPECT_EQ(reuse.all.misses(reuse.all.end()), reuse.all.firstUses());
        EXPECT_GT(reuse.all.misses(reuse.all.end() - 1), reuse.all.firstUses());
    }
}

TEST(Reuse, RegionsAddUpToAll) {
    const Trace trace = walk(4, 5000);
    const Reuse reuse = reuseOfAll(trace, 32);
    ASSERT_EQ(reuse.regions.size(), 3u);
    EXPECT_GT(reuse.regions[0].uses(), 0u);
    EXPECT_EQ(reuse.regions[2].uses(), 0u);
    for (std::uint64_t blocks = 0; blocks < 1200; blocks += 7) {
        std::uint64_t sum = 0;
        for (const ReuseHistogram& region : reuse.regions) sum += region.misses(blocks);
        EXPECT_EQ(sum, reuse.all.misses(blocks));
    }
}

TEST(Reuse, AccessesBeforeARangeOnlyFill) {
    const Trace trace = walk(5, 4000);
    Progress progress;
    const Reuse whole = reuseOfAll(trace, 64);
    const auto early = reuseOf(trace, 64, {Tick{0}, Tick{1500}}, progress);
    const auto late = reuseOf(trace, 64, {Tick{1500}, Tick{4000}}, progress);
    for (std::uint64_t d = 0; d < whole.all.end(); ++d) EXPECT_EQ(early->all.at(d) + late->all.at(d), whole.all.at(d));
    EXPECT_EQ(early->all.firstUses() + late->all.firstUses(), whole.all.firstUses());
}

TEST(Reuse, UnrecordedAccessesOnlyFill) {
    TraceBuilder builder("some");
    builder.keepUnrecorded();
    builder.add(test::access(Op::read, 0x1000, 4));
    builder.recording(false);
    builder.add(test::access(Op::read, 0x2000, 4));
    builder.recording(true);
    builder.add(test::access(Op::read, 0x2000, 4));
    builder.add(test::access(Op::read, 0x1000, 4));
    const Reuse reuse = reuseOfAll(builder.finish(), 64);
    EXPECT_EQ(reuse.all.uses(), 3u);
    EXPECT_EQ(reuse.all.firstUses(), 1u);
    EXPECT_EQ(reuse.all.at(0), 1u);
    EXPECT_EQ(reuse.all.at(1), 1u);
}

TEST(Reuse, CurveHasARowForEachPowerOfTwoUpToTheLast) {
    TraceBuilder builder("loop");
    builder.addRegion(test::region("A", 0x1000, 0x140));
    for (int round = 0; round < 3; ++round) {
        for (std::uint64_t i = 0; i < 5; ++i) builder.add(test::access(Op::read, 0x1000 + 64 * i, 8));
    }
    const Trace trace = builder.finish();
    EXPECT_EQ(tableAsCsv(missRatioCurve(reuseOfAll(trace, 64), trace)),
              "region,blocks,bytes,uses,misses,miss_ratio\n"
              "(all),1,64,15,15,1\n(all),2,128,15,15,1\n(all),4,256,15,15,1\n(all),8,512,15,5,0.3333333333333333\n"
              "A,1,64,15,15,1\nA,2,128,15,15,1\nA,4,256,15,15,1\nA,8,512,15,5,0.3333333333333333\n");
}

TEST(Reuse, TableForPeopleHasTheRegionsThatAreUsedMost) {
    TraceBuilder builder("regions");
    for (std::uint64_t r = 0; r < 8; ++r) {
        builder.addRegion(test::region(std::string(1, static_cast<char>('A' + r)), 0x1000 * (r + 1), 64));
        for (std::uint64_t i = 0; i <= r; ++i) builder.add(test::access(Op::read, 0x1000 * (r + 1), 8));
    }
    const Trace trace = builder.finish();
    const Table table = missRatioTable(reuseOfAll(trace, 64), trace);
    EXPECT_TRUE(tableAsCsv(table).starts_with("size,blocks,all,H,G,F,E,D,C\n64,1,0.2222222222222222,0.125,"));
    EXPECT_EQ(table.rows.size(), 1u);
}

TEST(Reuse, IsCancelled) {
    const Trace trace = walk(6, 100);
    Progress progress;
    progress.cancel();
    EXPECT_FALSE(reuseOf(trace, 64, {Tick{0}, Tick{100}}, progress).has_value());
}

}  // namespace
}  // namespace whorl::sim
