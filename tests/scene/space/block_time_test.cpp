// The time axis of BlockViews: laws on random histories.
#include "render/scene/space/block_time.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "sim/analysis/random_times.h"
#include "support/rounds.h"

namespace whorl::scene {
namespace {

/// A history, and none to two others of the same trace on other machines.
class RandomHistories {
  public:
    RandomHistories(std::uint64_t seed, std::uint64_t others) : dice_(seed) {
        const std::uint64_t accesses = 1 + dice_() % 3000;
        for (std::uint64_t i = 0; i <= others; ++i) histories_.push_back(sim::test::randomTimes(dice_, accesses));
    }
    BlockTime time() const {
        std::vector<const sim::CycleScale*> others;
        for (std::size_t i = 1; i < histories_.size(); ++i) others.push_back(&histories_[i]);
        return BlockTime(own(), others);
    }
    BlockTime timeOf(std::size_t which) const {
        std::vector<const sim::CycleScale*> others;
        for (std::size_t i = 0; i < histories_.size(); ++i) {
            if (i != which) others.push_back(&histories_[i]);
        }
        return BlockTime(histories_[which], others);
    }
    const sim::History& own() const { return histories_.front(); }
    const std::vector<sim::History>& all() const { return histories_; }
    double accesses() const { return static_cast<double>(own().to.value); }
    double begin() const { return static_cast<double>(own().begin); }
    double end() const { return static_cast<double>(own().end); }
    double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(dice_); }
    TimeSpan span() {
        const double from = uniform(0, accesses());
        return keptWithin({from, uniform(from, accesses())}, accesses());
    }

  private:
    std::mt19937_64 dice_;
    std::vector<sim::History> histories_;
};

void expectKept(const TimeSpan& seen, double end) {
    EXPECT_GE(seen.from, 0);
    EXPECT_LE(seen.to, end * (1 + 1e-12));
    EXPECT_GE(seen.length(), std::min(TimeAxis::kMin, end) * (1 - 1e-9));
}

TEST(BlockTime, ShowsTheCyclesOfWhatIsSeen) {
    for (std::uint64_t seed = 0; seed < testRounds(500); ++seed) {
        RandomHistories r(seed, 0);
        EXPECT_EQ(r.time().shown(std::nullopt), (Interval{r.begin(), std::max(r.end(), r.begin() + 1)}));
        const TimeSpan seen = r.span();
        const Interval shown = r.time().shown(seen);
        EXPECT_EQ(shown.from, r.own().cyclesAt(seen.from));
        EXPECT_NEAR(shown.to, std::max(r.own().cyclesAt(seen.to), shown.from + 1), 1e-6);
        EXPECT_EQ(r.time().cyclesOf(seen).from, shown.from);
        EXPECT_NEAR(r.time().cyclesOf(seen).to, shown.to, 1e-6);
        ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
    }
}

TEST(BlockTime, OfSeveralRunsIsOnOneScale) {
    for (std::uint64_t seed = 0; seed < testRounds(500); ++seed) {
        RandomHistories r(seed, 1 + seed % 2);
        const std::optional<TimeSpan> seen = seed % 3 == 0 ? std::nullopt : std::optional(r.span());
        const double length = r.time().shown(seen).length();
        for (std::size_t i = 0; i < r.all().size(); ++i) {
            const sim::History& h = r.all()[i];
            const Interval shown = r.timeOf(i).shown(seen);
            EXPECT_NEAR(shown.length(), length, 1e-6);
            EXPECT_EQ(shown.from, h.cyclesAt(seen ? seen->from : 0)) << "each begins with the first access";
            EXPECT_GE(shown.to, h.cyclesAt(seen ? seen->to : 1e18) - 1e-6) << "and has room for the last";
        }
        ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
    }
}

/// The law of the wheel: what is under the pointer stays there, unless an end of the time comes in between.
TEST(BlockTime, ZoomingKeepsTheCycleUnderThePointer) {
    int kept = 0;
    for (std::uint64_t seed = 0; seed < testRounds(4000); ++seed) {
        RandomHistories r(seed, seed % 3);
        const BlockTime time = r.time();
        const Interval before = time.shown(r.span());
        const double share = r.uniform(0, 1);
        const double pivot = before.from + share * before.length();
        if (pivot > r.end()) continue;  // after the end of this run, in the time of a slower one
        const double factor = std::exp2(r.uniform(-3, 3));
        const TimeSpan seen = time.zoomed(before, pivot, factor);
        expectKept(seen, r.accesses());
        const Interval after = time.shown(seen);
        const double last = r.accesses() - TimeAxis::kMin - 1e-6;
        const bool isInside = seen.from > 0 && seen.from < last && seen.to < r.accesses() && after.length() > 1 &&
                              after.to < time.shown(std::nullopt).to - 1e-3;
        // Accesses that begin in the same cycle are shown together: at the closest there may have to be more of them.
        const bool isClosest = seen.length() < TimeAxis::kMin * (1 + 1e-6);
        if (isInside && !isClosest) {
            ++kept;
            EXPECT_NEAR(after.from + share * after.length(), pivot, 1e-5 * before.length());
            EXPECT_GE(after.length() * factor, before.length() * (1 - 1e-5));
            const bool isFar = seen.length() > 5 * TimeAxis::kMin;
            if (isFar) {
                EXPECT_NEAR(after.length() * factor, before.length(), 1e-5 * before.length());
            }
        }
        ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
    }
    EXPECT_GT(kept, static_cast<int>(testRounds(4000) / 10));
}

TEST(BlockTime, AtTheClosestTheWheelDoesNotMoveThePicture) {
    for (std::uint64_t seed = 0; seed < testRounds(500); ++seed) {
        RandomHistories r(seed, 0);
        const BlockTime time = r.time();
        TimeSpan seen = r.span();
        const double pivot = r.uniform(r.own().cyclesAt(seen.from), r.own().cyclesAt(seen.to));
        const auto turn = [&] { seen = time.zoomed(time.shown(seen), pivot, 1.4); };
        for (int i = 0; i < 40; ++i) turn();
        const TimeSpan closest = seen;
        turn();
        EXPECT_NEAR(seen.from, closest.from, 1e-3);
        EXPECT_NEAR(seen.to, closest.to, 1e-3);
        expectKept(seen, r.accesses());
        ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
    }
}

TEST(BlockTime, TheWheelComesBackToAllOfTheTime) {
    for (std::uint64_t seed = 0; seed < testRounds(300); ++seed) {
        RandomHistories r(seed, seed % 3);
        const BlockTime time = r.time();
        TimeSpan seen = r.span();
        for (int i = 0; i < 200; ++i) {
            const Interval shown = time.shown(seen);
            seen = time.zoomed(shown, shown.from + 0.3 * shown.length(), 1 / 1.4);
        }
        EXPECT_EQ(seen.from, 0);
        EXPECT_EQ(seen.to, r.accesses());
        ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
    }
}

TEST(BlockTime, WhatIsAroundStaysTheSameOverSmallMovements) {
    for (std::uint64_t seed = 0; seed < testRounds(500); ++seed) {
        RandomHistories r(seed, 0);
        const Interval shown = r.time().shown(r.span());
        const Interval around = BlockTime::around(shown);
        EXPECT_LE(around.from, shown.from);
        EXPECT_GE(around.to, shown.to);
        EXPECT_LE(around.length(), 4 * shown.length() * (1 + 1e-12));
        int changes = 0;
        Interval before = around;
        for (int i = 1; i <= 100; ++i) {
            const double by = shown.length() * i / 100;
            const Interval after = BlockTime::around({shown.from + by, shown.from + by + shown.length()});
            if (!(after == before)) ++changes;
            before = after;
        }
        EXPECT_LE(changes, 3) << "while it moves by its own length";
        ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
    }
}

TEST(BlockTime, ADragMovesAllByAsManyCycles) {
    for (std::uint64_t seed = 0; seed < testRounds(1000); ++seed) {
        RandomHistories r(seed, 0);
        const BlockTime time = r.time();
        const Interval before = time.shown(r.span());
        const double by = r.uniform(-1.5, 1.5) * before.length();
        const TimeSpan seen = time.moved(before, by);
        expectKept(seen, r.accesses());
        const Interval after = time.shown(seen);
        const bool fits = before.from + by > r.begin() && before.to + by < r.end();
        if (fits && seen.length() > 1.01 * TimeAxis::kMin && before.length() > 1) {
            EXPECT_NEAR(after.from, before.from + by, 1e-5 * before.length());
            EXPECT_NEAR(after.to, before.to + by, 1e-5 * before.length());
        }
        ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
    }
}

}  // namespace
}  // namespace whorl::scene
