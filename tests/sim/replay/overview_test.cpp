// The overview of a run: any range from sums at its steps, however often every other step was dropped.
#include "sim/replay/totals/overview.h"

#include <gtest/gtest.h>

namespace whorl::sim {
namespace {

/// After `tick` accesses: each makes a request to level 0, every third misses there and goes to level 1; region t % 3;
/// 4 cycles each.
Overview::Sums sumsAt(std::uint64_t tick) {
    Overview::Sums sums;
    const std::uint64_t missed = (tick + 2) / 3;
    sums.levels.resize(2);
    sums.levels[0] = {.requests = tick, .hits = tick - missed};
    sums.levels[0].misses[static_cast<std::size_t>(MissKind::capacity)] = missed;
    sums.levels[1] = {.requests = missed, .hits = missed};
    for (std::uint64_t r = 0; r < 3; ++r) sums.regions.push_back((tick + 2 - r) / 3);
    sums.memory = {.reads = tick / 2, .writes = tick / 5};
    sums.cycles = 4 * tick;
    return sums;
}

Overview filledOverview(std::uint64_t ticks, std::size_t maxBuckets, std::uint64_t expected = 0) {
    Overview overview(2, 3, maxBuckets, expected);
    while (overview.nextEnd() <= ticks) overview.add(sumsAt(overview.nextEnd()));
    overview.finish(ticks, sumsAt(ticks));
    return overview;
}

TEST(Overview, EmptyHasNothing) {
    const Overview overview(3, 1);
    EXPECT_EQ(overview.levels(), 3u);
    EXPECT_EQ(overview.buckets(), 0u);
    EXPECT_EQ(overview.accessesPerBucket(), 1u);
    EXPECT_EQ(overview.share(0, 0, 100).requests, 0u);
}

TEST(Overview, KnowsItsStepsWhereItKnowsItsEnd) {
    for (std::uint64_t ticks = 0; ticks < 300; ++ticks) {
        const Overview grown = filledOverview(ticks, 8);
        const Overview known = filledOverview(ticks, 8, ticks);
        ASSERT_EQ(known.accessesPerBucket(), grown.accessesPerBucket()) << ticks;
        ASSERT_EQ(known.buckets(), grown.buckets()) << ticks;
        for (std::uint64_t from = 0; from < ticks; from += 7) {
            ASSERT_EQ(known.share(0, from, ticks).hits, grown.share(0, from, ticks).hits) << ticks;
            ASSERT_EQ(known.cycles(from, from + 5), grown.cycles(from, from + 5)) << ticks;
        }
    }
}

TEST(Overview, OneAccessABucketUntilFull) {
    const Overview overview = filledOverview(8, 8);
    EXPECT_EQ(overview.accessesPerBucket(), 1u);
    EXPECT_EQ(overview.share(0, 3, 4).hits, 0u);
    EXPECT_EQ(overview.share(0, 3, 4).misses[static_cast<std::size_t>(MissKind::capacity)], 1u);
    EXPECT_EQ(overview.share(0, 4, 6).hits, 2u);
}

TEST(Overview, AnyRangeIsExactAtItsSteps) {
    for (const std::uint64_t ticks : {1u, 7u, 8u, 15u, 16u, 17u, 1000u, 12345u}) {
        const Overview overview = filledOverview(ticks, 8);
        EXPECT_LT(overview.buckets(), 16u);
        const std::uint64_t step = overview.accessesPerBucket();
        for (std::uint64_t from = 0; from <= ticks; from += step) {
            for (std::uint64_t to = from + step;; to += step) {
                const std::uint64_t end = std::min(to, ticks);
                if (end <= from) break;
                const Overview::Share share = overview.share(0, from, to);
                EXPECT_EQ(share.requests, end - from);
                EXPECT_EQ(overview.memory(from, to).reads, end / 2 - from / 2);
                EXPECT_EQ(overview.memory(from, to).writes, end / 5 - from / 5);
                EXPECT_EQ(share.hits, sumsAt(end).levels[0].hits - sumsAt(from).levels[0].hits);
                EXPECT_EQ(overview.share(1, from, to).requests,
                          sumsAt(end).levels[1].requests - sumsAt(from).levels[1].requests);
                EXPECT_EQ(overview.regionShare(1, from, to), sumsAt(end).regions[1] - sumsAt(from).regions[1]);
                EXPECT_EQ(overview.cycles(from, to), 4 * (end - from));
                if (to >= ticks) break;
            }
        }
    }
}

TEST(Overview, RoundsOutward) {
    const Overview overview = filledOverview(64, 8);
    const std::uint64_t step = overview.accessesPerBucket();
    ASSERT_GT(step, 1u);
    EXPECT_EQ(overview.share(0, step + 1, step + 2).requests, step);
    EXPECT_EQ(overview.share(0, step - 1, step + 1).requests, 2 * step);
}

TEST(Overview, FarBeyondTheEndIsNothing) {
    const Overview overview = filledOverview(10, 8);
    EXPECT_EQ(overview.share(0, 1000, 2000).requests, 0u);
    EXPECT_EQ(overview.share(0, 5, 5).requests, 0u);
    EXPECT_EQ(overview.share(0, 0, ~std::uint64_t{0}).requests, 10u);
}

TEST(Overview, AMissThatProvesTrueCountsSoFromItsBucketOn) {
    Overview overview(1, 0, 8);
    Overview::Sums sums;
    sums.levels.resize(1);
    sums.levels[0].misses[static_cast<std::size_t>(MissKind::falseSharing)] = 1;
    for (int i = 0; i < 5; ++i) overview.add(sums);  // the access with index 0 missed
    overview.turnTrue(0, 0);
    const Overview::Share first = overview.share(0, 0, 1);
    EXPECT_EQ(first.misses[static_cast<std::size_t>(MissKind::falseSharing)], 0u);
    EXPECT_EQ(first.misses[static_cast<std::size_t>(MissKind::trueSharing)], 1u);
    EXPECT_EQ(overview.share(0, 1, 5).misses[static_cast<std::size_t>(MissKind::trueSharing)], 0u);
}

TEST(Overview, ManyRegionsShareTheLastPlace) {
    Overview overview(1, 100, 8);
    Overview::Sums sums;
    sums.levels.resize(1);
    sums.regions.assign(100, 1);
    overview.add(sums);
    EXPECT_EQ(overview.regions(), Overview::kMaxRegions);
    EXPECT_EQ(overview.regionShare(0, 0, 1), 1u);
    EXPECT_EQ(overview.regionShare(63, 0, 1), 37u);
}

}  // namespace
}  // namespace whorl::sim
