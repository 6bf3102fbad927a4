// The cycles of a history's accesses, and the reverse: laws on random times.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "sim/analysis/history_help.h"
#include "sim/analysis/random_times.h"
#include "support/rounds.h"

namespace whorl::sim {
namespace {

double within(std::mt19937_64& random, double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
}

TEST(HistoryTime, GoesThroughEachKnownPoint) {
    for (std::uint64_t seed = 0; seed < testRounds(300); ++seed) {
        std::mt19937_64 random(seed);
        const History h = test::randomTimes(random, 1 + random() % 500);
        EXPECT_EQ(h.cyclesAt(0), static_cast<double>(h.begin));
        EXPECT_EQ(h.cyclesAt(static_cast<double>(h.to.value)), static_cast<double>(h.end));
        EXPECT_EQ(h.cyclesAt(-3), static_cast<double>(h.begin));
        EXPECT_EQ(h.cyclesAt(1e18), static_cast<double>(h.end));
        for (std::size_t i = 1; i < h.starts.size(); ++i) {
            EXPECT_NEAR(h.cyclesAt(static_cast<double>(i * h.stride)), static_cast<double>(h.starts[i]), 1e-6);
        }
        ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
    }
}

TEST(HistoryTime, CyclesAndAccessesAreInverse) {
    for (std::uint64_t seed = 0; seed < testRounds(2000); ++seed) {
        std::mt19937_64 random(seed);
        const History h = test::randomTimes(random, 1 + random() % 500);
        const double at = within(random, static_cast<double>(h.begin), static_cast<double>(h.end));
        EXPECT_NEAR(h.cyclesAt(h.accessesAt(at)), at, 1e-6);
        // Time does not run back.
        const double t = within(random, 0, static_cast<double>(h.to.value));
        EXPECT_LE(h.cyclesAt(t), h.cyclesAt(t + 0.5));
        EXPECT_LE(h.accessesAt(at), h.accessesAt(at + 0.5));
        EXPECT_GE(h.accessesAt(h.cyclesAt(t)), t - 1e-6) << "the last of those that begin in a cycle";
        EXPECT_EQ(h.accessesAt(static_cast<double>(h.begin)), 0);
        EXPECT_EQ(h.accessesAt(static_cast<double>(h.end)), static_cast<double>(h.to.value));
        ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
    }
}

TEST(HistoryTime, OfNothingIsNothing) {
    const History h;
    EXPECT_EQ(h.cyclesAt(0), 0);
    EXPECT_EQ(h.accessesAt(5), 0);
}

TEST(HistoryTime, OfARunIsWhenItsAccessesBegan) {
    for (std::uint64_t seed = 0; seed < testRounds(20); ++seed) {
        const auto history = test::RandomRun(2 * seed).history();
        ASSERT_EQ(history->stride, 1U);
        for (std::size_t t = 1; t < history->starts.size(); ++t) {
            const auto start = static_cast<double>(history->starts[t]);
            ASSERT_EQ(history->cyclesAt(static_cast<double>(t)), start);
            ASSERT_NEAR(history->cyclesAt(history->accessesAt(start)), start, 1e-6);
        }
    }
}

}  // namespace
}  // namespace whorl::sim
