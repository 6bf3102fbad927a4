#include "sim/measure/overview.h"

#include <gtest/gtest.h>

namespace whorl::sim {
namespace {

Event eventOf(EventKind kind, std::uint8_t level = 0) {
    Event event;
    event.kind = kind;
    event.level = level;
    return event;
}
Event hitAt(std::uint8_t level) {
    return eventOf(EventKind::hit, level);
}
Event missAt(std::uint8_t level) {
    return eventOf(EventKind::miss, level);
}

/// Two levels, one hit at L1 for each even tick, a miss there and a hit at L2 for each odd one.
Overview filled(std::uint64_t ticks, std::size_t maxBuckets) {
    Overview overview(2, maxBuckets);
    for (std::uint64_t t = 0; t < ticks; ++t) {
        if (t % 2 == 0) {
            overview.count(t, hitAt(0));
        } else {
            overview.count(t, missAt(0));
            overview.count(t, hitAt(1));
        }
    }
    return overview;
}

TEST(Overview, EmptyHasNothing) {
    const Overview overview(3);
    EXPECT_EQ(overview.levels(), 3u);
    EXPECT_EQ(overview.buckets(), 0u);
    EXPECT_EQ(overview.accessesPerBucket(), 1u);
    EXPECT_EQ(overview.share(0, 0, 100).requests, 0u);
}

TEST(Overview, CountsHitsAndMissesOnly) {
    Overview overview(1);
    for (const EventKind kind : {EventKind::fill, EventKind::eviction, EventKind::writeback}) {
        overview.count(0, eventOf(kind));
    }
    EXPECT_EQ(overview.buckets(), 0u);
    overview.count(0, hitAt(0));
    overview.count(0, missAt(0));
    EXPECT_EQ(overview.share(0, 0, 1).requests, 2u);
    EXPECT_EQ(overview.share(0, 0, 1).hits, 1u);
}

TEST(Overview, OneAccessABucketUntilFull) {
    const Overview overview = filled(8, 8);
    EXPECT_EQ(overview.accessesPerBucket(), 1u);
    EXPECT_EQ(overview.buckets(), 8u);
    EXPECT_EQ(overview.share(0, 2, 3).hits, 1u);
    EXPECT_EQ(overview.share(0, 3, 4).hits, 0u);
    EXPECT_EQ(overview.share(1, 3, 4).hits, 1u);
}

TEST(Overview, MergingKeepsSums) {
    for (const std::size_t maxBuckets : {1u, 2u, 3u, 7u, 64u}) {
        for (const std::uint64_t ticks : {1u, 2u, 9u, 64u, 65u, 1001u}) {
            const Overview overview = filled(ticks, maxBuckets);
            EXPECT_LE(overview.buckets(), maxBuckets);
            const auto l1 = overview.share(0, 0, ticks);
            const auto l2 = overview.share(1, 0, ticks);
            EXPECT_EQ(l1.requests, ticks);
            EXPECT_EQ(l1.hits, (ticks + 1) / 2);
            EXPECT_EQ(l2.requests, ticks / 2);
            EXPECT_EQ(l2.hits, ticks / 2);
        }
    }
}

TEST(Overview, PartsAddUpToTheWhole) {
    const Overview overview = filled(1000, 16);
    const std::uint64_t step = overview.accessesPerBucket();
    EXPECT_EQ(step, 64u);
    std::uint64_t requests = 0;
    for (std::uint64_t t = 0; t < 1000; t += step) requests += overview.share(0, t, t + step).requests;
    EXPECT_EQ(requests, 1000u);
}

TEST(Overview, RoundsOutwardToWholeBuckets) {
    const Overview overview = filled(1000, 16);
    EXPECT_EQ(overview.share(0, 70, 71).requests, 64u);
    EXPECT_EQ(overview.share(0, 63, 65).requests, 128u);
    EXPECT_EQ(overview.share(0, 64, 128).requests, 64u);
    EXPECT_EQ(overview.share(0, 999, ~std::uint64_t{0}).requests, 1000u - 15 * 64);
    EXPECT_EQ(overview.share(0, 5, 5).requests, 0u);
    EXPECT_EQ(overview.share(0, 2000, 3000).requests, 0u);
}

TEST(Overview, LeapsOverAccessesWithoutEvents) {
    Overview overview(1, 8);
    overview.count(0, hitAt(0));
    overview.count(1'000'000'000'000, missAt(0));
    EXPECT_LE(overview.buckets(), 8u);
    EXPECT_EQ(overview.share(0, 0, ~std::uint64_t{0}).requests, 2u);
    EXPECT_EQ(overview.share(0, 0, 1).requests, 1u);
}

}  // namespace
}  // namespace whorl::sim
