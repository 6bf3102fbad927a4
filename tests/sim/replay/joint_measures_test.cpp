// Many machines in one pass against one after the other.
#include "sim/replay/joint_measures.h"

#include <gtest/gtest.h>

#include <random>

#include "sim/cache/loop_help.h"
#include "sim/cache/lru_stacks.h"
#include "sim/reference/random_cases.h"
#include "sim/replay/measuring.h"
#include "sim/trace/trace_help.h"
#include "support/rounds.h"

namespace whorl::sim {
namespace {

using test::among;
using test::Random;

/// A valid machine of one CPU whose levels do not look back, with this block in the nearest level.
MachineConfig machineWith(Random& random, std::uint32_t block) {
    constexpr std::uint32_t kWays[] = {1, 2, 3, 4, 5, 8, 12, 16, 40, LruStacks::kMostWays};
    for (;;) {
        MachineConfig machine;
        std::uint32_t blockHere = block;
        for (std::uint32_t l = 0, levels = among(random, 1, 4); l < levels; ++l) {
            const std::uint32_t sets = random() % 3 == 0 ? among(random, 1, 20) : 1u << among(random, 0, 5);
            const std::uint32_t ways = kWays[random() % std::size(kWays)];
            if (l > 0) blockHere <<= among(random, 0, 2);
            machine.levels.push_back({.name = "L" + std::to_string(l),
                                      .size = std::uint64_t{sets} * ways * blockHere,
                                      .ways = ways,
                                      .block = blockHere,
                                      .latency = among(random, 1, 9)});
        }
        machine.memoryLatency = among(random, 50, 200);
        machine.writebackLatency = among(random, 0, 3);
        if (checked(machine, "random")) return machine;
    }
}

std::shared_ptr<const Trace> traceOf(const std::vector<PackedAccess>& accesses) {
    TraceBuilder builder("joint");
    for (const PackedAccess& a : accesses) builder.add(a.unpack());
    return std::make_shared<const Trace>(builder.finish());
}

void expectAsAlone(const std::shared_ptr<const Trace>& trace, const std::vector<MachineConfig>& machines, Range range) {
    Progress progress;
    const auto joint = measureJointly(*trace, machines, range, progress);
    ASSERT_TRUE(joint);
    EXPECT_EQ(progress.done(), range.to.value);
    ASSERT_EQ(joint->size(), machines.size());
    for (std::size_t m = 0; m < machines.size(); ++m) {
        const auto alone = measure(trace, machines[m], range, false, progress);
        ASSERT_TRUE(alone);
        const Measures& is = (*joint)[m];
        EXPECT_EQ(is.machine, alone->machine);
        EXPECT_EQ(is.counters, alone->counters);
        EXPECT_EQ(is.cycles, alone->cycles);
        EXPECT_EQ(is.elapsed, alone->elapsed);
        if (::testing::Test::HasFailure()) return;
    }
}

TEST(JointMeasures, AreThoseOfEachMachineAlone) {
    for (std::uint32_t seed = 1; seed <= testRounds(600); ++seed) {
        SCOPED_TRACE(seed);
        Random random(seed);
        const std::uint32_t block = 1u << among(random, 1, 6);
        std::vector<MachineConfig> machines;
        for (std::uint32_t n = among(random, 1, 9); n > 0; --n) machines.push_back(machineWith(random, block));
        const auto trace = traceOf(test::someAccesses(random, among(random, 1, 3000), true));
        for (const MachineConfig& machine : machines) ASSERT_TRUE(canMeasureJointly(*trace, machine));
        const std::uint32_t from = random() % 2 == 0 ? 0 : among(random, 0, static_cast<std::uint32_t>(trace->size()));
        const std::uint32_t to = random() % 2 == 0 ? static_cast<std::uint32_t>(trace->size())
                                                   : among(random, from, static_cast<std::uint32_t>(trace->size()));
        expectAsAlone(trace, machines, {Tick{from}, Tick{to}});
        if (::testing::Test::HasFailure()) return;
    }
}

/// Whatever machine is let through is measured as alone.
TEST(JointMeasures, AreRefusedWhereTheyWouldDiffer) {
    std::uint64_t joint = 0;
    std::uint64_t refused = 0;
    for (std::uint64_t seed = 1; seed <= testRounds(3000); ++seed) {
        const auto test = reference::randomCase(seed, 300);
        TraceBuilder builder("joint");
        for (const Access& a : test.trace) builder.add(a);
        const auto trace = std::make_shared<const Trace>(builder.finish());
        const auto grown = grownFor(test.machine, *trace);
        if (!grown || !canMeasureJointly(*trace, *grown)) {
            ++refused;
            continue;
        }
        ++joint;
        SCOPED_TRACE(seed);
        expectAsAlone(trace, {*grown}, {Tick{0}, Tick{trace->size()}});
        if (::testing::Test::HasFailure()) return;
    }
    EXPECT_GE(joint, testRounds(3000) / 1500);
    EXPECT_GT(refused, testRounds(3000) / 2);
}

TEST(JointMeasures, AreCancelled) {
    const auto trace = traceOf(std::vector<PackedAccess>(100, PackedAccess(Op::read, ByteAddress{64}, 8, SiteId{})));
    Random random(1);
    Progress progress;
    progress.cancel();
    EXPECT_FALSE(measureJointly(*trace, {machineWith(random, 32)}, {Tick{0}, Tick{100}}, progress));
}

}  // namespace
}  // namespace whorl::sim
