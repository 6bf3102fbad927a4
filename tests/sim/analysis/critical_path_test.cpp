// The critical path: worked by hand, and laws on runs of all kinds.
#include "sim/analysis/critical_path.h"

#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <string>
#include <vector>

#include "sim/analysis/cycle_costs.h"
#include "sim/analysis/history_help.h"
#include "sim/programs/programs_support.h"
#include "support/rounds.h"

namespace whorl::sim {
namespace {

using Segments = std::vector<PathSegment>;

Segments pathOf(const std::vector<Wait>& waits, const std::vector<Cycles>& ends) {
    return criticalPath(waits, ends).segments;
}

TEST(CriticalPath, OfCpusThatDoNotWaitIsTheLastAlone) {
    EXPECT_EQ(pathOf({}, {10, 30, 20}), (Segments{{1, 0, 30, {}}}));
    EXPECT_EQ(pathOf({}, {7, 7}), (Segments{{0, 0, 7, {}}})) << "of equals the first";
    EXPECT_EQ(pathOf({}, {0, 0}), Segments{});
}

// CPU 1 wants at 5 the lock that CPU 0 leaves at 12, and works until 30.
TEST(CriticalPath, GoesOverToWhoHadTheLock) {
    const Wait wait{.cpu = 1, .by = 0, .what = WaitFor::lock, .from = 5, .to = 12};
    EXPECT_EQ(pathOf({wait}, {20, 30}), (Segments{{0, 0, 12, {}}, {1, 12, 30, WaitFor::lock}}));
    // If CPU 0 finishes later, CPU 1's wait is off the path.
    EXPECT_EQ(pathOf({wait}, {40, 30}), (Segments{{0, 0, 40, {}}}));
}

// Three CPUs meet at a barrier, to which CPU 2 comes last, at 50; it had waited for CPU 1 until 20.
TEST(CriticalPath, GoesThroughTheLastAtABarrier) {
    const std::vector<Wait> waits = {
        {.cpu = 2, .by = 1, .what = WaitFor::other, .from = 3, .to = 20},
        {.cpu = 0, .by = 2, .what = WaitFor::barrier, .from = 10, .to = 50},
        {.cpu = 1, .by = 2, .what = WaitFor::barrier, .from = 40, .to = 50},
    };
    EXPECT_EQ(pathOf(waits, {80, 60, 55}),
              (Segments{{1, 0, 20, {}}, {2, 20, 50, WaitFor::other}, {0, 50, 80, WaitFor::barrier}}));
}

// Who let a CPU go on did so before: a later wait of his does not matter, even one that ended in the same cycle.
TEST(CriticalPath, DoesNotGoInCircles) {
    const std::vector<Wait> waits = {
        {.cpu = 1, .by = 0, .what = WaitFor::lock, .from = 1, .to = 10},
        {.cpu = 0, .by = 1, .what = WaitFor::lock, .from = 10, .to = 10},
        {.cpu = 1, .by = 0, .what = WaitFor::lock, .from = 10, .to = 10},
    };
    const Segments path = pathOf(waits, {10, 25});
    EXPECT_EQ(path.front().from, 0);
    EXPECT_EQ(path.back(), (PathSegment{1, 10, 25, WaitFor::lock}));
}

TEST(CriticalPath, KnowsWhoIsOnIt) {
    const CriticalPath path{{{0, 0, 12, {}}, {1, 12, 30, WaitFor::lock}}};
    EXPECT_EQ(path.length(), 30);
    EXPECT_TRUE(path.contains(0, 0));
    EXPECT_TRUE(path.contains(0, 11));
    EXPECT_FALSE(path.contains(0, 12));
    EXPECT_TRUE(path.contains(1, 12));
    EXPECT_FALSE(path.contains(1, 30)) << "it ends before";
    EXPECT_EQ(CriticalPath{}.at(0), nullptr);
}

/// Its segments tile the run, and it consists of the run's cycles.
void expectLaws(const Run& run) {
    Progress progress;
    const auto costs = costsOverTime(run, progress);
    const Segments& segments = costs->path.segments;
    Cycles at = 0;
    for (const PathSegment& s : segments) {
        EXPECT_EQ(s.from, at);
        EXPECT_LT(s.from, s.to);
        at = s.to;
    }
    EXPECT_EQ(at, costs->scale.end);
    EXPECT_EQ(costs->path.length(), costs->scale.end);
    if (!segments.empty()) {
        EXPECT_EQ(segments.back().to, costs->ends[segments.back().cpu]);
    }
    const auto parts = costsOf(run, costs->path, progress);
    Cycles none = std::accumulate(parts->ofNone.begin(), parts->ofNone.end(), Cycles{0});
    for (const auto& table : {parts->lines, parts->objects}) {
        Cycles sum = none;
        for (const PathCosts::Part& part : table) sum += part.sum();
        EXPECT_EQ(sum, costs->path.length());
    }
}

TEST(CriticalPath, TilesEveryRun) {
    for (std::uint64_t seed = 0; seed < testRounds(60); ++seed) {
        SCOPED_TRACE(seed);
        expectLaws(*test::RandomRun(seed).run);
    }
}

TEST(CriticalPath, TilesTheBuiltInPrograms) {
    for (const char* const program : {"vecadd", "vecadd:spin=tas", "vecadd:spin=ttas",
                                      "windtunnel:particles=60,steps=2", "nbody:bodies=24,steps=2", "mergesort:n=64"}) {
        SCOPED_TRACE(program);
        auto trace = test::shared(ran(program));
        const MachineConfig machine = trace->machine().empty() ? loadMachine("paper").value()
                                                               : parseMachineJson(trace->machine(), "machine").value();
        expectLaws(*test::built(trace, machine));
    }
}

// The master fills the arrays, the slaves wait for that and then for each other's turn, and the master prints: that is
// the path, and nobody idles on it.
TEST(CriticalPath, OfVecaddIsFillingAddingAndPrinting) {
    for (const char* const program : {"vecadd", "vecadd:spin=tas", "vecadd:spin=ttas"}) {
        SCOPED_TRACE(program);
        auto trace = test::shared(ran(program));
        const auto run = test::built(trace, parseMachineJson(trace->machine(), "machine").value());
        Progress progress;
        const auto costs = costsOverTime(*run, progress);
        const Segments& segments = costs->path.segments;
        ASSERT_GT(segments.size(), 30);
        EXPECT_EQ(segments.front().cpu, 0);
        EXPECT_EQ(segments.back().cpu, 0);
        EXPECT_EQ(segments.back().waited, WaitFor::other);
        EXPECT_EQ(segments[1].waited, WaitFor::other) << "the master has created the slaves";
        for (std::size_t i = 2; i + 1 < segments.size(); ++i) {
            EXPECT_EQ(segments[i].waited, WaitFor::lock);
            EXPECT_NE(segments[i].cpu, segments[i - 1].cpu);
            EXPECT_NE(segments[i].cpu, 0);
        }
        const auto parts = costsOf(*run, costs->path, progress);
        EXPECT_EQ(parts->ofNone[parts->classes.idle()], 0);
    }
}

}  // namespace
}  // namespace whorl::sim
