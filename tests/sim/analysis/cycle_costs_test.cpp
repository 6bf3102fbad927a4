// Every cycle of every CPU is spent on one thing: the sums are the run's own figures to the last cycle, whole, in parts
// and in buckets of any length.
#include "sim/analysis/cycle_costs.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

#include "sim/analysis/cycle_walk.h"
#include "sim/analysis/history_help.h"
#include "sim/programs/programs_support.h"
#include "sim/replay/measuring.h"
#include "support/rounds.h"

namespace whorl::sim {
namespace {

using Sums = std::vector<std::vector<Cycles>>;

Cycles sumOf(const std::vector<Cycles>& cycles) {
    return std::accumulate(cycles.begin(), cycles.end(), Cycles{0});
}

Sums spent(const Run& run, Range range) {
    Progress progress;
    return cyclesSpent(run, range, progress).value();
}

std::shared_ptr<const RunCosts> costsOfAll(const Run& run) {
    Progress progress;
    return costsOverTime(run, progress);
}

std::shared_ptr<const Run> runOf(const std::string& program) {
    auto trace = test::shared(ran(program));
    return test::built(trace, trace->machine().empty() ? loadMachine("paper").value()
                                                       : parseMachineJson(trace->machine(), "machine").value());
}

/// Everything that a walk tells, cycle by cycle.
class EachCycle final : public CycleSink {
  public:
    explicit EachCycle(std::uint32_t cpus) : what(cpus) {}
    void spend(const Spent& s) override {
        EXPECT_EQ(s.from, what[s.cpu].size()) << "no gap, and no overlap";
        EXPECT_LT(s.from, s.to);
        what[s.cpu].resize(s.to, s.what);
        if (s.access != nullptr) ofAccesses += s.what == CycleClasses::work() ? 0 : s.to - s.from;
    }
    std::vector<std::vector<std::size_t>> what;  ///< by CPU and cycle
    Cycles ofAccesses = 0;
};

EachCycle eachCycleOf(const Run& run) {
    EachCycle sink(run.machine().cpus);
    Run::Resumed from = run.resumeAt(Tick{0});
    CycleWalk walk(run, from, sink);
    Progress progress;
    EXPECT_TRUE(replay(run.trace(), from.machine, test::wholeOf(run.trace()), walk, progress));
    walk.finish(walk.clock().elapsed());
    return sink;
}

/// The figures of a run, computed in another way, agree.
void expectRunsFigures(const Run& run) {
    Progress progress;
    const Measures measures = *measure(run, test::wholeOf(run.trace()), progress);
    const CycleClasses classes(run.machine());
    const Sums sums = spent(run, test::wholeOf(run.trace()));
    Cycles stalls = 0;
    for (std::size_t cpu = 0; cpu < sums.size(); ++cpu) {
        EXPECT_EQ(sumOf(sums[cpu]), *measures.elapsed) << "CPU " << cpu;
        Cycles ofAccesses = sums[cpu][classes.coherence()] + sums[cpu][classes.overhead()];
        for (std::size_t l = 0; l <= classes.levels(); ++l) ofAccesses += sums[cpu][CycleClasses::served(l)];
        stalls += ofAccesses;
        EXPECT_LE(ofAccesses, measures.cycles[cpu]) << "those made while waiting count as waiting";
        for (std::size_t c = 0; c < classes.size(); ++c) {
            if (!classes.isPossible(c)) {
                EXPECT_EQ(sums[cpu][c], 0) << classes.words(c);
            }
        }
    }
    if (run.trace().syncs() == nullptr) {
        EXPECT_EQ(stalls, measures.cyclesOfAll());
    }
}

TEST(CycleCosts, OfBuiltInProgramsAreTheirFigures) {
    for (const char* const program :
         {"vecadd", "vecadd:spin=tas", "vecadd:spin=ttas", "windtunnel:particles=60,steps=1", "nbody:bodies=24,steps=1",
          "mergesort:n=64", "conflict"}) {
        SCOPED_TRACE(program);
        expectRunsFigures(*runOf(program));
    }
}

TEST(CycleCosts, OfRandomRunsAreTheirFigures) {
    for (std::uint64_t seed = 0; seed < testRounds(60); ++seed) {
        SCOPED_TRACE(seed);
        expectRunsFigures(*test::RandomRun(seed).run);
    }
}

TEST(CycleCosts, LeaveNoCycleOut) {
    for (std::uint64_t seed = 0; seed < testRounds(30); ++seed) {
        SCOPED_TRACE(seed);
        const auto run = test::RandomRun(seed).run;
        const EachCycle each = eachCycleOf(*run);
        const auto costs = costsOfAll(*run);
        for (std::uint32_t cpu = 0; cpu < run->machine().cpus; ++cpu) {
            EXPECT_EQ(each.what[cpu].size(), costs->scale.end);
        }
        if (run->trace().syncs() == nullptr) {
            EXPECT_EQ(each.ofAccesses, sumOf(costs->accesses));
        }
    }
}

/// Buckets hold what happened in their cycles.
void expectBuckets(const CycleCosts& costs, const EachCycle& each) {
    for (std::uint32_t cpu = 0; cpu < costs.cpus(); ++cpu) {
        for (std::size_t b = 0; b < costs.buckets(); ++b) {
            const CycleRange range = costs.cyclesOf(b, b + 1);
            std::vector<Cycles> sums(costs.classes().size());
            for (Cycles c = range.from; c < range.to; ++c) ++sums[each.what[cpu][c]];
            ASSERT_EQ(costs.sums(cpu, b, b + 1), sums) << "CPU " << cpu << ", cycle " << range.from;
        }
    }
}

TEST(CycleCosts, AreThoseOfEachBucket) {
    for (std::uint64_t seed = 0; seed < testRounds(24); ++seed) {
        SCOPED_TRACE(seed);
        const auto run = test::RandomRun(seed).run;
        const EachCycle each = eachCycleOf(*run);
        const auto costs = costsOfAll(*run);
        expectBuckets(costs->all, each);
        // A part of it, again from the run.
        const Cycles end = costs->scale.end;
        const CycleRange part{end / 3, end / 3 + std::max<Cycles>(1, end / 2)};
        Progress progress;
        const auto close = costsDuring(*run, *costs, part, progress);
        EXPECT_EQ(close->range(), (CycleRange{part.from, std::min(part.to, end)}));
        EXPECT_EQ(close->step(), closeStep(part.size()));
        expectBuckets(*close, each);
    }
}

TEST(CycleCosts, OfPartsAddUp) {
    for (const char* const program : {"vecadd", "windtunnel:particles=30,steps=1", "mergesort:n=64"}) {
        SCOPED_TRACE(program);
        const auto run = runOf(program);
        const Tick middle{run->trace().size() / 3};
        Sums parts = spent(*run, {Tick{0}, middle});
        const Sums rest = spent(*run, {middle, Tick{run->trace().size()}});
        for (std::size_t cpu = 0; cpu < parts.size(); ++cpu) {
            for (std::size_t c = 0; c < parts[cpu].size(); ++c) parts[cpu][c] += rest[cpu][c];
        }
        EXPECT_EQ(parts, spent(*run, test::wholeOf(run->trace())));
    }
}

TEST(CycleCosts, WidenTheirBucketsAndLoseNothing) {
    const CycleClasses classes(loadMachine("paper").value());
    CycleCosts costs(2, classes, {0, ~Cycles{0}}, 5);
    for (Cycles at = 0; at < 1000; ++at) costs.add(at % 7 == 0 ? 1 : 0, at % 3, at, at + 1);
    costs.endAt(1000);
    costs.finish();
    EXPECT_EQ(costs.step(), 256) << "the least power of two of which five reach over 1000 cycles";
    EXPECT_EQ(costs.buckets(), 4);
    EXPECT_EQ(costs.cyclesOf(3, 4), (CycleRange{768, 1000}));
    EXPECT_EQ(sumOf(costs.sumsOfAll(0, 4)), 1000);
    EXPECT_EQ(sumOf(costs.sumsOfAll(3, 4)), 232);
    EXPECT_EQ(sumOf(costs.sums(1, 0, 4)), 143);
}

// One CPU on a machine with two levels: look-ups take 1 and 10 cycles, memory 100.
TEST(CycleCosts, AreOfTheLevelThatServed) {
    const MachineConfig machine = parseMachineJson(R"({"memory_latency": 100, "levels": [
        {"name": "L1", "size": 32, "ways": 1, "block": 16, "latency": 1},
        {"name": "L2", "size": "1K", "ways": 4, "block": 16, "latency": 10}]})",
                                                   "two")
                                      .value();
    TraceBuilder builder("served");
    // A miss of all, a hit, a block in the same set, and the first again, which L2 has kept.
    for (const std::uint64_t address : {0, 8, 32, 0}) builder.add({.address = ByteAddress{address}, .size = 4});
    const auto run = test::built(builder, machine);
    const std::vector<Cycles> sums = spent(*run, test::wholeOf(run->trace()))[0];
    EXPECT_EQ(sums[CycleClasses::served(0)], 1);
    EXPECT_EQ(sums[CycleClasses::served(1)], 11);
    EXPECT_EQ(sums[CycleClasses::served(2)], 222);
    EXPECT_EQ(sumOf(sums), 234);
}

// CPU 1 writes what CPU 0 has: CPU 0's next read misses by coherence, and CPU 1's next write is an upgrade.
TEST(CycleCosts, AreOfCoherence) {
    const MachineConfig machine =
        parseMachineJson(R"({"cpus": 2, "memory_latency": 100, "upgrade_latency": 30, "levels": [
        {"name": "L1", "size": 256, "ways": 2, "block": 16, "latency": 1},
        {"name": "L2", "size": "1K", "ways": 4, "block": 16, "latency": 10, "shared_by": 2}]})",
                         "two")
            .value();
    TraceBuilder builder("shared");
    const auto add = [&](std::uint8_t cpu, Op op) {
        builder.add({.address = ByteAddress{64}, .size = 4, .op = op, .cpu = cpu});
    };
    add(0, Op::read);   // memory: 111
    add(1, Op::write);  // served by L2: 11
    add(0, Op::read);   // misses because of the write: 11
    add(1, Op::write);  // an upgrade: 30 more than the look-up
    const auto run = test::built(builder, machine);
    const CycleClasses classes(machine);
    const Sums sums = spent(*run, test::wholeOf(run->trace()));
    EXPECT_EQ(sums[0][CycleClasses::served(2)], 111);
    EXPECT_EQ(sums[0][classes.coherence()], 11);
    EXPECT_EQ(sums[1][CycleClasses::served(1)], 11);
    EXPECT_EQ(sums[1][classes.coherence()], 30);
    EXPECT_EQ(sums[1][CycleClasses::served(0)], 1);
    EXPECT_EQ(sums[1][classes.idle()], 122 - 42) << "CPU 1 has finished earlier";
}

TEST(CycleCosts, OfWaitingAreOfWhatIsWaitedFor) {
    const auto run = runOf("windtunnel:particles=60,steps=1");
    const CycleClasses classes(run->machine());
    const auto costs = costsOfAll(*run);
    const std::vector<Cycles> sums = costs->all.sumsOfAll(0, costs->all.buckets());
    EXPECT_GT(sums[classes.locks()], 0);
    EXPECT_GT(sums[classes.barriers()], 0);
    EXPECT_EQ(sums[classes.otherWaits()], 0) << "all waits of the program are at locks and barriers";
    // Who spins waits as who sleeps does.
    const auto spinning = runOf("vecadd:spin=ttas");
    const auto sleeping = runOf("vecadd:spin=sleep");
    for (const auto& r : {spinning, sleeping}) {
        const Sums of = spent(*r, test::wholeOf(r->trace()));
        for (std::size_t cpu = 1; cpu < 4; ++cpu) EXPECT_GT(of[cpu][classes.locks()], 2000) << cpu;
    }
}

}  // namespace
}  // namespace whorl::sim
