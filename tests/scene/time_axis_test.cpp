// The time axis: laws on random spans and pictures.
#include "render/scene/time_axis.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "support/rounds.h"

namespace whorl::scene {
namespace {

class RandomAxis {
  public:
    explicit RandomAxis(std::uint64_t seed) : dice_(seed) {
        end = std::floor(std::exp2(uniform(0, 36)));
        TimeSpan wanted{uniform(-0.2, 1.1) * end, uniform(-0.2, 1.1) * end};
        if (wanted.from > wanted.to) std::swap(wanted.from, wanted.to);
        span = wanted;
        left = static_cast<float>(dice_() % 100);
        width = 50 + static_cast<float>(dice_() % 2000);
    }
    TimeAxis axis() const { return TimeAxis(span, end, left, width); }
    double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(dice_); }

    double end = 1;
    TimeSpan span;
    float left = 0;
    float width = 1;

  private:
    std::mt19937_64 dice_;
};

void expectKept(const TimeSpan& span, double end) {
    EXPECT_GE(span.from, 0);
    EXPECT_LE(span.to, end * (1 + 1e-12));
    EXPECT_GE(span.length(), std::min(TimeAxis::kMin, end) * (1 - 1e-9));
}

TEST(TimeAxis, StaysInTheTrace) {
    for (std::uint64_t seed = 0; seed < testRounds(2000); ++seed) {
        RandomAxis r(seed);
        const TimeAxis axis = r.axis();
        expectKept(axis.span(), r.end);
        expectKept(axis.zoomed(static_cast<float>(r.uniform(-50, 2200)), std::exp2(r.uniform(-20, 20))), r.end);
        expectKept(axis.moved(static_cast<float>(r.uniform(-9000, 9000))), r.end);
        ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
    }
}

/// A legal span is kept as it is.
TEST(TimeAxis, ShowsTheSpanWanted) {
    for (std::uint64_t seed = 0; seed < testRounds(1000); ++seed) {
        RandomAxis r(seed);
        if (r.end < 16) continue;
        const double length = r.uniform(TimeAxis::kMin, r.end);
        const double from = r.uniform(0, r.end - length);
        const TimeSpan kept = keptWithin({from, from + length}, r.end);
        EXPECT_NEAR(kept.from, from, 1e-9 * r.end);
        EXPECT_NEAR(kept.length(), length, 1e-9 * r.end);
        // One that is too long, or lies outside, is moved, not shortened.
        const TimeSpan beyond = keptWithin({r.end, r.end + length}, r.end);
        EXPECT_NEAR(beyond.length(), length, 1e-9 * r.end);
        EXPECT_NEAR(beyond.to, r.end, 1e-9 * r.end);
    }
}

TEST(TimeAxis, FindsTheTimeOfAPlaceAndBack) {
    for (std::uint64_t seed = 0; seed < testRounds(1000); ++seed) {
        RandomAxis r(seed);
        const TimeAxis axis = r.axis();
        EXPECT_NEAR(axis.x(axis.span().from), r.left, 1e-3);
        EXPECT_NEAR(axis.x(axis.span().to), r.left + r.width, 1e-2);
        for (int i = 0; i < 20; ++i) {
            const auto x = static_cast<float>(r.uniform(r.left, r.left + r.width));
            EXPECT_NEAR(axis.x(axis.at(x)), x, 2e-2) << "seed " << seed;
            const double t = r.uniform(axis.span().from, axis.span().to);
            EXPECT_NEAR(axis.at(axis.x(t)), t, 2e-2 * axis.perPixel() + 1e-9) << "seed " << seed;
        }
        EXPECT_EQ(axis.at(r.left - 10), axis.span().from);
        EXPECT_NEAR(axis.at(r.left + r.width + 10), axis.span().to, 1e-9 * r.end);
    }
}

TEST(TimeAxis, ZoomsAboutThePointer) {
    int kept = 0;
    for (std::uint64_t seed = 0; seed < testRounds(2000); ++seed) {
        RandomAxis r(seed);
        const TimeAxis axis = r.axis();
        const auto x = static_cast<float>(r.uniform(r.left, r.left + r.width));
        const double factor = std::exp2(r.uniform(-3, 3));
        const TimeSpan zoomed = axis.zoomed(x, factor);
        const double wanted = std::clamp(axis.span().length() / factor, std::min(TimeAxis::kMin, r.end), r.end);
        EXPECT_NEAR(zoomed.length(), wanted, 1e-9 * r.end) << "seed " << seed;
        // At the ends of the trace there is nothing to move.
        if (zoomed.from <= 0 || zoomed.to >= r.end * (1 - 1e-12)) continue;
        ++kept;
        const TimeAxis after(zoomed, r.end, r.left, r.width);
        EXPECT_NEAR(after.at(x), axis.at(x), 1e-6 * zoomed.length() + 1e-6) << "seed " << seed;
    }
    EXPECT_GT(kept, 100);
}

TEST(TimeAxis, MovesByPixels) {
    int kept = 0;
    for (std::uint64_t seed = 0; seed < testRounds(1000); ++seed) {
        RandomAxis r(seed);
        const TimeAxis axis = r.axis();
        const auto by = static_cast<float>(r.uniform(-40, 40));
        const TimeSpan moved = axis.moved(by);
        EXPECT_NEAR(moved.length(), axis.span().length(), 1e-9 * r.end);
        if (moved.from <= 0 || moved.to >= r.end * (1 - 1e-12)) continue;
        ++kept;
        EXPECT_NEAR(TimeAxis(moved, r.end, r.left, r.width).x(axis.span().from), r.left + by, 1e-2);
    }
    EXPECT_GT(kept, 50);
}

std::uint64_t numberOf(const std::string& words) {
    std::string digits;
    std::copy_if(words.begin(), words.end(), std::back_inserter(digits), [](char c) { return c >= '0' && c <= '9'; });
    return std::stoull(digits);
}

/// 1, 2 or 5, and zeros.
bool isRound(std::uint64_t step) {
    while (step % 10 == 0) step /= 10;
    return step == 1 || step == 2 || step == 5;
}

TEST(TimeAxis, HasMarksAtRoundNumbersApart) {
    for (std::uint64_t seed = 0; seed < testRounds(1000); ++seed) {
        RandomAxis r(seed);
        const TimeAxis axis = r.axis();
        const auto apart = static_cast<float>(r.uniform(20, 150));
        const auto marks = axis.marks(apart);
        for (std::size_t i = 0; i < marks.size(); ++i) {
            EXPECT_NEAR(marks[i].x, axis.x(static_cast<double>(numberOf(marks[i].words))), 0.1) << "seed " << seed;
            EXPECT_GE(marks[i].x, r.left - 0.01f);
            EXPECT_LE(marks[i].x, r.left + r.width + 0.1f);
            if (i == 0) continue;
            EXPECT_GE(marks[i].x - marks[i - 1].x, apart - 0.1f) << "seed " << seed;
            EXPECT_LE(marks[i].x - marks[i - 1].x, std::max(2.6 * apart, 1.01 / axis.perPixel())) << "seed " << seed;
            EXPECT_TRUE(isRound(numberOf(marks[i].words) - numberOf(marks[i - 1].words))) << "seed " << seed;
        }
        if (r.width > 6 * apart && axis.perPixel() * apart > 1) {
            EXPECT_GE(marks.size(), 2u) << "seed " << seed;
        }
        ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
    }
}

}  // namespace
}  // namespace whorl::scene
