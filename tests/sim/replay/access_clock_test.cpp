// The clock of a playhead that goes by cycles: the clocks of the simulated CPUs, at every access and in between.
#include "sim/replay/access_clock.h"

#include <gtest/gtest.h>

#include "sim/replay/snapshot.h"
#include "support/runs.h"

namespace whorl::sim {
namespace {

double clocksAt(const Run& run, std::uint64_t tick) {
    const Simulator machine = run.stateAt(Tick{tick});
    Cycles sum = 0;
    for (std::uint32_t cpu = 0; cpu < run.machine().cpus; ++cpu) sum += machine.clock(cpu);
    return static_cast<double>(sum);
}

TEST(AccessClock, IsThatOfTheCpusAtEveryAccess) {
    for (const char* const words : {"matmul:n=8", "vecadd", "conflict"}) {
        const auto run = test::built(test::ran(words), *loadMachine("laptop"));
        AccessClock clock(run);
        for (std::uint64_t t = 0; t <= run->trace().size(); t += 7) {
            ASSERT_DOUBLE_EQ(clock.cyclesAt(static_cast<double>(t)), clocksAt(*run, t)) << words << " at " << t;
        }
        const auto end = static_cast<double>(run->trace().size());
        EXPECT_DOUBLE_EQ(clock.cyclesAt(end), static_cast<double>(run->measures()->cyclesOfAll()));
        EXPECT_DOUBLE_EQ(clock.later(0, end), end) << "as long as all together";
    }
}

TEST(AccessClock, IsExactWithinTheBucketsOfALongRun) {
    const auto run = test::built(test::ran("matmul:n=40"), *loadMachine("paper"));
    ASSERT_GT(run->overview().accessesPerBucket(), 2u);
    AccessClock clock(run);
    for (std::uint64_t t = 20'001; t < 20'040; ++t) {
        ASSERT_DOUBLE_EQ(clock.cyclesAt(static_cast<double>(t)), clocksAt(*run, t));
    }
}

TEST(AccessClock, GoesBothWays) {
    const auto run = test::built(test::ran("matmul:n=8"), *loadMachine("paper"));
    AccessClock clock(run);
    double before = 0;
    for (double t = 0; t < static_cast<double>(run->trace().size()); t += 0.37) {
        const double cycles = clock.cyclesAt(t);
        EXPECT_GE(cycles, before);
        EXPECT_NEAR(clock.accessesAt(cycles), t, 1e-6);
        before = cycles;
    }
    EXPECT_EQ(clock.accessesAt(-1), 0);
    EXPECT_EQ(clock.accessesAt(1e12), static_cast<double>(run->trace().size()));
}

TEST(AccessClock, AMissTakesAsManyTimesAsLongAsItCosts) {
    MachineConfig m;
    m.levels = {{.name = "L1", .size = 64, .ways = 2, .block = 32, .latency = 4}};
    m.memoryLatency = 96;
    // A miss of 100 cycles, three hits of 4.
    const auto run = test::built("R 0x1000 8\nR 0x1008 8\nR 0x1000 8\nR 0x1008 8\n", m);
    AccessClock clock(run);
    EXPECT_DOUBLE_EQ(clock.later(0, 0.5), 0.14) << "half of the mean of 28 cycles is 14 of 100";
    EXPECT_DOUBLE_EQ(clock.later(0, 100.0 / 28), 1);
    EXPECT_DOUBLE_EQ(clock.later(1, 4.0 / 28), 2);
    SnapshotReader reader(run);
    EXPECT_DOUBLE_EQ(accessCycles(reader.at(0.25, {.steps = 1})), 25);
    EXPECT_DOUBLE_EQ(accessCycles(reader.at(2.5, {.steps = 1})), 106);
    EXPECT_DOUBLE_EQ(accessCycles(reader.at(0, {.steps = 1})), 0);
}

TEST(AccessClock, WithoutCostsAllAccessesTakeTheSameTime) {
    MachineConfig m;
    m.levels = {{.name = "L1", .size = 64, .ways = 2, .block = 32}};
    const auto run = test::built("R 0x1000 8\nR 0x1008 8\n", m);
    EXPECT_DOUBLE_EQ(AccessClock(run).later(0.5, 1), 1.5);
}

}  // namespace
}  // namespace whorl::sim
