// A run's states against plain replay, however they are reached; its overview and totals against its counters.
#include "sim/replay/run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "sim/reference/random_cases.h"
#include "sim/replay/measuring.h"
#include "sim/replay/replay_help.h"
#include "sim/report/sentence.h"
#include "support/rounds.h"
#include "support/threads.h"

namespace whorl::sim {
namespace {

std::shared_ptr<const Trace> walk(std::uint64_t length) {
    TraceBuilder builder("walk");
    std::mt19937 random(5);
    std::uint64_t at = 0x10000;
    for (std::uint64_t i = 0; i < length; ++i) {
        at = random() % 5 == 0 ? 0x10000 + random() % 20000 : at + 4;
        builder.add(test::access(random() % 4 == 0 ? Op::write : Op::read, at, 4));
    }
    return test::shared(builder);
}

MachineConfig twoLevels() {
    MachineConfig m;
    m.levels = {{"L1", 1024, 4, 32}, {"L2", 8192, 8, 64}};
    return m;
}

Simulator replay(const Trace& trace, std::uint64_t to) {
    Simulator s(twoLevels());
    trace.forEach(Tick{0}, Tick{to}, [&](Tick, const Access& a) { s.step(a); });
    return s;
}

TEST(Run, StateAtAnyTickEqualsPlainReplay) {
    const auto trace = walk(300000);
    const auto run = test::built(trace, twoLevels());
    std::mt19937 random(11);
    // Plain replay continues from one tick to the next, in order.
    std::vector<std::uint64_t> ticks = {0, 1, 65535, 65536, 65537, 131072, 299999, 300000};
    for (int i = 0; i < 40; ++i) ticks.push_back(random() % 300001);
    std::sort(ticks.begin(), ticks.end());
    Simulator plain(twoLevels());
    TraceCursor cursor(*trace);
    std::uint64_t at = 0;
    for (const std::uint64_t t : ticks) {
        for (; at < t; ++at) plain.step(cursor.at(Tick{at}));
        EXPECT_EQ(run->stateAt(Tick{t}), plain) << t;
    }
}

TEST(Run, TotalsAreTheLastStates) {
    const auto trace = walk(70000);
    const auto run = test::built(trace, twoLevels());
    EXPECT_TRUE(run->complete());
    EXPECT_EQ(run->totals(), replay(*trace, 70000).counters());
}

TEST(Run, OverviewSumsToTheCounters) {
    const auto run = test::built(walk(100000), twoLevels());
    const Overview overview = run->overview();
    const Counters totals = run->totals();
    for (std::size_t l = 0; l < 2; ++l) {
        const Overview::Share all = overview.share(l, 0, 100000);
        EXPECT_EQ(all.requests, totals.level(l).accesses());
        EXPECT_EQ(all.hits, totals.level(l).hits());
    }
}

/// A run that is built in parts, whatever their lengths, is the one that is built at once.
TEST(Run, IsTheSameBuiltInParts) {
    std::mt19937 random(3);
    for (const std::uint64_t length :
         {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{65536}, std::uint64_t{300001}}) {
        const auto trace = walk(length);
        const auto whole = test::built(trace, twoLevels());
        sim::Run parts(trace, twoLevels());
        Progress progress;
        std::uint64_t before = 0;
        while (!parts.complete() || before == 0) {
            ASSERT_TRUE(parts.buildPart(1 + random() % 200000, progress));
            ASSERT_TRUE(parts.built().value > before || length == 0);
            before = parts.built().value;
            // What is built can be looked at meanwhile.
            EXPECT_EQ(parts.stateAt(parts.built()), replay(*trace, parts.built().value));
            EXPECT_EQ(parts.totals(), replay(*trace, parts.built().value).counters());
            if (length == 0) break;
        }
        ASSERT_TRUE(parts.complete());
        EXPECT_EQ(parts.totals(), whole->totals());
        EXPECT_EQ(parts.measures()->counters, whole->measures()->counters);
        EXPECT_EQ(parts.indexedChunks(), whole->indexedChunks());
        const Overview a = parts.overview();
        const Overview b = whole->overview();
        for (std::uint64_t t = 0; t < length; t += 7777) {
            EXPECT_EQ(a.share(0, t, length).hits, b.share(0, t, length).hits);
            EXPECT_EQ(a.share(1, 0, t).requests, b.share(1, 0, t).requests);
            EXPECT_EQ(a.cycles(t, length), b.cycles(t, length));
        }
        for (int i = 0; i < 5 && length > 0; ++i) {
            const Tick at{random() % length};
            EXPECT_EQ(parts.stateAt(at), whole->stateAt(at));
            EXPECT_EQ(parts.useBefore(at).at, whole->useBefore(at).at);
        }
    }
}

/// A run of any machine is the same whether one thread builds it or two, and so are counts and the ledger alone.
TEST(Run, IsTheSameBuiltInThreads) {
    std::mt19937_64 dice(8);
    for (std::uint64_t seed = 0; seed < testRounds(3); ++seed) {
        const reference::Case random = reference::randomCase(seed, 300);
        const auto trace = test::shared(test::traceOf(random.trace, 440));
        ASSERT_GT(trace->size(), 2 * Trace::kChunk);
        const auto& levels = random.machine.levels;
        const bool looksAhead = std::any_of(levels.begin(), levels.end(),
                                            [](const LevelConfig& level) { return level.policy == Policy::opt; });
        Progress progress;
        const auto alone = test::built(trace, random.machine);
        const auto together = *builtRun(trace, random.machine, progress, test::inThreads);
        EXPECT_EQ(progress.done(), trace->size());
        ASSERT_TRUE(together->complete());
        EXPECT_EQ(together->totals(), alone->totals()) << "case " << seed;
        EXPECT_EQ(*together->measures()->ledger, *alone->measures()->ledger) << "case " << seed;
        EXPECT_EQ(together->measures()->cycles, alone->measures()->cycles);
        for (std::size_t l = 0; l < levels.size(); ++l) {
            const MissKindList& one = (*alone->kinds())[l];
            const MissKindList& two = (*together->kinds())[l];
            ASSERT_EQ(two.size(), one.size());
            for (std::uint64_t i = 0; i < one.size(); i += 17) ASSERT_EQ(two[i], one[i]);
        }
        EXPECT_EQ(together->indexedChunks(), alone->indexedChunks());
        EXPECT_EQ(together->bytes(), alone->bytes());
        const Range range{Tick{dice() % 7000}, Tick{trace->size() - dice() % 7000}};
        for (const bool ledger : {false, true}) {
            const auto measured = measure(trace, random.machine, range, ledger, progress);
            const auto inThreads = measure(trace, random.machine, range, ledger, progress, test::inThreads);
            EXPECT_EQ(measured->counters, inThreads->counters) << "case " << seed;
            EXPECT_EQ(measured->elapsed, inThreads->elapsed) << "case " << seed;
            if (!ledger) continue;
            EXPECT_EQ(*measured->ledger, *inThreads->ledger) << "case " << seed;
        }
        for (int i = 0; i < 5; ++i) {
            const Tick at{dice() % (trace->size() + 1)};
            EXPECT_EQ(together->checkpointBefore(at), alone->checkpointBefore(at));
            const Simulator state = together->stateAt(at);
            EXPECT_EQ(state.sums(), alone->stateAt(at).sums()) << "case " << seed;
            // With OPT, states know the future of their own run.
            if (looksAhead) continue;
            EXPECT_EQ(state, alone->stateAt(at)) << "case " << seed;
            EXPECT_EQ(together->useBefore(at).at, alone->useBefore(at).at);
        }
    }
}

TEST(Run, CancelledBuildKeepsWhatIsBuilt) {
    auto run = std::make_shared<sim::Run>(walk(70000), twoLevels());
    Progress progress;
    progress.cancel();
    EXPECT_FALSE(run->build(progress));
    EXPECT_EQ(run->built(), Tick{0});
    EXPECT_EQ(run->stateAt(Tick{0}), Simulator(twoLevels()));
}

TEST(SnapshotReader, DoesNotDependOnTheWayThere) {
    const auto run = test::built(walk(120000), twoLevels());
    SnapshotReader player(run);
    for (double t = 70000; t < 70050; t += 0.25) player.at(t, {.steps = 30});
    SnapshotReader seeker(run);
    SnapshotReader back(run);
    back.at(119000, {.steps = 30});
    back.at(70051, {.steps = 30});
    const Snapshot played = player.at(70050.5, {.steps = 30});
    test::expectSame(played, seeker.at(70050.5, {.steps = 30}));
    test::expectSame(played, back.at(70050.5, {.steps = 30}));
}

TEST(SnapshotReader, AnAccessHappensBetweenItsIndexAndTheNext) {
    const auto run = test::built(walk(100), twoLevels());
    SnapshotReader reader(run);
    EXPECT_EQ(reader.at(0, {.steps = 10}).current(), nullptr);
    EXPECT_EQ(reader.at(0.01, {.steps = 10}).current()->tick, Tick{0});
    EXPECT_EQ(reader.at(7, {.steps = 10}).current()->tick, Tick{6});
    EXPECT_EQ(reader.at(7.5, {.steps = 10}).current()->tick, Tick{7});
    EXPECT_EQ(reader.at(7.5, {.steps = 3}).recent.size(), 3u);
    EXPECT_EQ(reader.at(1e9, {.steps = 10}).begun(), Tick{100});
}

TEST(SnapshotReader, ReorderingsHaveTheSetBeforeAndAfter) {
    const auto trace = walk(500);
    const auto run = test::built(trace, twoLevels());
    SnapshotReader reader(run);
    for (std::uint64_t t = 1; t <= 500; t += 7) {
        const Snapshot m = reader.at(static_cast<double>(t), {.steps = 1});
        const Simulator before = replay(*trace, t - 1);
        for (const Reordering& r : m.recent.back().reorderings) {
            for (std::uint32_t w = 0; w < r.before.size(); ++w) {
                const Line was = before.hierarchy().cache(r.level).line(r.set, WayIndex{w});
                const Line is = m.now.hierarchy().cache(r.level).line(r.set, WayIndex{w});
                EXPECT_EQ(r.before[w].block, was.block);
                EXPECT_EQ(r.before[w].rank, was.rank);
                EXPECT_EQ(r.after[w].block, is.block);
                EXPECT_EQ(r.after[w].dirty, is.dirty);
            }
        }
    }
}

/// Two arrays of doubles on a direct-mapped L1 of two 32-byte blocks before a larger L2.
class Sentences : public testing::Test {
  protected:
    Sentences() {
        TraceBuilder b("hand");
        b.addRegion({.name = "A", .base = ByteAddress{0x1000}, .size = 512, .elementSize = 8, .rows = 8, .columns = 8});
        b.addRegion({.name = "n", .base = ByteAddress{0x2000}, .size = 64, .elementSize = 4, .rows = 16, .columns = 0});
        const auto add = [&](std::uint64_t address, Op op, std::uint32_t line, std::uint32_t size = 8) {
            b.add(test::access(op, address, size, 0, b.site("mm.c", line)));
        };
        add(0x1000, Op::read, 5);     // cold
        add(0x1008, Op::write, 6);    // hit, dirty from here on
        add(0x2000, Op::read, 0, 4);  // evicts A's block from set 0
        add(0x1000, Op::read, 5);     // L2 still has it
        add(0x101c, Op::read, 7);     // across two blocks
        trace_ = test::shared(b);
        machine_.levels = {{"L1", 64, 1, 32}, {"L2", 512, 4, 32}};
        run_ = test::built(trace_, machine_);
    }
    std::string sentence(std::uint64_t n) {
        SnapshotReader reader(run_);
        return sentenceFor(*reader.at(static_cast<double>(n + 1), {.steps = 1}).current(), *trace_, machine_);
    }

    std::shared_ptr<const Trace> trace_;
    MachineConfig machine_;
    std::shared_ptr<sim::Run> run_;
};

TEST_F(Sentences, SayWhatEachAccessDid) {
    EXPECT_EQ(sentence(0), "read A[0][0], line 5: miss in L1 and L2");
    EXPECT_EQ(sentence(1), "write A[0][1], line 6: hit in L1");
    EXPECT_EQ(sentence(2), "read n[0]: miss in L1 and L2; evicts A[0][0], dirty");
    EXPECT_EQ(sentence(3), "read A[0][0], line 5: miss in L1, hit in L2; evicts n[0], clean");
    EXPECT_EQ(sentence(4), "read A[0][3], line 7: block 1 of 2: hit in L1; block 2 of 2: miss in L1 and L2");
}

TEST_F(Sentences, ServedByIsTheLevelThatHit) {
    SnapshotReader reader(run_);
    const std::vector<std::size_t> expected = {2, 0, 2, 1, 2};
    for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_EQ(servedBy(*reader.at(static_cast<double>(i + 1), {.steps = 1}).current(), machine_), expected[i]);
    }
}

}  // namespace
}  // namespace whorl::sim
