// The overview of a part of a run: its sums are those of replays, and the run's own where both have them.
#include "sim/analysis/range_overview.h"

#include <gtest/gtest.h>

#include <random>

#include "sim/analysis/history_help.h"
#include "support/rounds.h"

namespace whorl::sim {
namespace {

using test::RandomRun;

void expectSums(const Overview& overview, const Run& run, Range range, const std::string& where) {
    Progress progress;
    const Measures measures = *run.between(range, progress);
    const MachineConfig& machine = run.machine();
    for (std::size_t l = 0; l < machine.levels.size(); ++l) {
        const Overview::Share share = overview.share(l, range.from.value, range.to.value);
        std::uint64_t misses = 0;
        for (std::size_t k = 0; k < kMissKinds; ++k) {
            EXPECT_EQ(share.misses[k], measures.ledger->misses(machine, l, static_cast<MissKind>(k))) << where;
            misses += share.misses[k];
        }
        EXPECT_EQ(share.requests, share.hits + misses) << where;
    }
    EXPECT_EQ(overview.memory(range.from.value, range.to.value), measures.counters.memory) << where;
    std::uint64_t cycles = 0;
    for (const Cycles c : measures.cycles) cycles += c;
    EXPECT_EQ(overview.cycles(range.from.value, range.to.value), cycles) << where;
}

TEST(RangeOverview, HasTheSumsOfEveryPartOfTheRange) {
    for (std::uint64_t seed = 0; seed < testRounds(60); ++seed) {
        const RandomRun random(seed);
        std::mt19937_64 dice(seed);
        Progress progress;
        const auto overview = overviewOf(*random.run, random.range, progress);
        EXPECT_EQ(overview->begin(), random.range.from);
        EXPECT_EQ(overview->end(), random.range.to);
        EXPECT_EQ(overview->accessesPerBucket(), 1u) << "of so few accesses, each";
        for (int i = 0; i < 5; ++i) {
            const std::uint64_t from = random.range.from.value + dice() % random.range.size();
            const std::uint64_t to = from + 1 + dice() % (random.range.to.value - from);
            const Range part{Tick{from}, Tick{to}};
            EXPECT_EQ(overview->outward(part), part);
            expectSums(*overview, *random.run, part, "seed " + std::to_string(seed));
        }
    }
}

/// Longer than an overview has steps for: the same as the run's own, and outward to whole steps.
TEST(RangeOverview, OfTheWholeIsTheRunsOwn) {
    const auto run = test::built(test::traceOfProgram("mergesort:n=2048"), *loadMachine("paper"));
    ASSERT_GT(run->trace().size(), 2 * Overview::kMaxBuckets);
    const Range all{Tick{0}, Tick{run->trace().size()}};
    Progress progress;
    const auto again = overviewOf(*run, all, progress);
    const Overview own = run->overview();
    EXPECT_EQ(again->accessesPerBucket(), own.accessesPerBucket());
    EXPECT_EQ(again->accessesPerBucket(), overviewStep(all.size()));
    EXPECT_GT(again->accessesPerBucket(), 1u);
    for (std::uint64_t t = 0; t < all.to.value; t += 997) {
        const Range part = again->outward({Tick{t}, Tick{t + 1}});
        EXPECT_EQ(part, own.outward({Tick{t}, Tick{t + 1}}));
        EXPECT_LE(part.from.value, t);
        EXPECT_GT(part.to.value, t);
        EXPECT_LE(part.size(), again->accessesPerBucket());
        expectSums(*again, *run, part, std::to_string(t));
        EXPECT_EQ(again->share(0, t, t + 1).hits, own.share(0, part.from.value, part.to.value).hits);
    }
}

TEST(RangeOverview, IsFinerOfAShorterRange) {
    const auto run = test::built(test::traceOfProgram("mergesort:n=2048"), *loadMachine("paper"));
    Progress progress;
    const Range range{Tick{5001}, Tick{9003}};
    const auto overview = overviewOf(*run, range, progress);
    EXPECT_EQ(overview->accessesPerBucket(), 1u);
    EXPECT_GT(run->overview().accessesPerBucket(), 1u);
    expectSums(*overview, *run, range, "all of it");
    expectSums(*overview, *run, {Tick{6000}, Tick{6001}}, "one access");
}

TEST(RangeOverview, CanBeCancelled) {
    const auto run = test::built(test::traceOfProgram("mergesort:n=2048"), *loadMachine("paper"));
    Progress progress;
    progress.cancel();
    EXPECT_EQ(overviewOf(*run, {Tick{0}, Tick{run->trace().size()}}, progress), nullptr);
}

}  // namespace
}  // namespace whorl::sim
