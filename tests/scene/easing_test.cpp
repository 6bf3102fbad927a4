#include "render/scene/easing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <random>

#include "render/scene/rings/view.h"
#include "render/scene/scene.h"

namespace whorl::scene {
namespace {

TEST(Motion, EasesInAndOut) {
    EXPECT_EQ(eased(-1), 0);
    EXPECT_EQ(eased(0), 0);
    EXPECT_EQ(eased(0.5), 0.5f);
    EXPECT_EQ(eased(1), 1);
    EXPECT_EQ(eased(7), 1);
    EXPECT_LT(eased(0.1) - eased(0), eased(0.55) - eased(0.45));
    float last = 0;
    for (double x = 0; x <= 1; x += 0.01) {
        EXPECT_GE(eased(x), last);
        last = eased(x);
    }
}

TEST(Motion, FlashIsFullWhileMovingAndDiesAway) {
    EXPECT_EQ(flash(0), 0);
    EXPECT_EQ(flash(0.5), 1);
    EXPECT_EQ(flash(1), 1);
    EXPECT_GT(flash(1.5), flash(2.5));
    EXPECT_EQ(flash(kFlashMoves), 0);
    EXPECT_LT(pulse(0.05), 0.2f);
    EXPECT_EQ(pulse(1), 1);
}

TEST(Motion, TurningWayGoesRoundTheCentreTheShorterWay) {
    const glm::vec2 centre(100, 100);
    const glm::vec2 from = centre + glm::vec2(50, 0);
    for (const float angle : {0.2f, 2.5f, -0.2f, -2.5f, 3.1f}) {
        const glm::vec2 to = centre + 90.0f * glm::vec2(std::cos(angle), std::sin(angle));
        EXPECT_LT(glm::distance(turning(centre, from, to, 0), from), 0.001f);
        EXPECT_LT(glm::distance(turning(centre, from, to, 1), to), 0.001f);
        float last = 50;
        for (float share = 0.05f; share < 1; share += 0.05f) {
            const glm::vec2 p = turning(centre, from, to, share) - centre;
            EXPECT_GT(glm::length(p), last - 0.001f) << "it only ever gets farther out";
            last = glm::length(p);
            if (share < 0.9f && std::abs(angle) < 2.9f) {
                EXPECT_EQ(p.y > 0, angle > 0) << "the shorter way";
            }
        }
    }
}

TEST(Motion, TurningLeadsTheStraightChangeOfAngle) {
    const float quarter = kPi / 2;
    const glm::vec2 mid = turning({0, 0}, {10, 0}, {0, 20}, 0.5f);
    EXPECT_NEAR(std::atan2(mid.y, mid.x), 0.75f * quarter, 0.01f) << "most of a short turn comes first";
    const glm::vec2 far = turning({0, 0}, {10, 0}, {-20, 0.5f}, 0.5f);
    EXPECT_NEAR(std::atan2(far.y, far.x), quarter + kTurningLead, 0.05f);
}

TEST(Motion, TurningNeverPassesItsGoalAndNeverTurnsBack) {
    std::mt19937 random(7);
    std::uniform_real_distribution<float> radius(5, 300);
    std::uniform_real_distribution<float> angle(-kPi, kPi);
    const auto at = [](float r, float a) { return r * glm::vec2(std::cos(a), std::sin(a)); };
    for (int pair = 0; pair < 2000; ++pair) {
        const float r0 = radius(random);
        const float r1 = radius(random);
        const float a0 = angle(random);
        // Also nearly no turn, and nearly half of one.
        const float a1 = pair % 4 == 0 ? a0 + 0.01f * angle(random) : angle(random);
        float way = std::remainder(a1 - a0, 2 * kPi);
        if (way < kTurningTie - kPi) continue;  // a tie, tested below
        float goneRound = 0;
        float lastR = r0;
        for (int i = 1; i <= 64; ++i) {
            const glm::vec2 p = turning({0, 0}, at(r0, a0), at(r1, a1), static_cast<float>(i) / 64);
            const float r = glm::length(p);
            EXPECT_GE((r - lastR) * (r1 - r0), -0.01f) << "the radius turns back";
            EXPECT_LE((r - r1) * (r1 - r0), 0.01f * std::abs(r1 - r0)) << "the radius passes its goal";
            const float round = std::remainder(std::atan2(p.y, p.x) - a0, 2 * kPi);
            // Measured from where it was, as a half turn may come out on either side.
            const float step = std::remainder(round - goneRound, 2 * kPi);
            EXPECT_GE(step * way, -1e-4f) << "the angle turns back";
            goneRound += step;
            EXPECT_LE(std::abs(goneRound), std::abs(way) + 1e-4f) << "the angle passes its goal";
            lastR = r;
        }
        EXPECT_NEAR(goneRound, way, 1e-3f) << "the shorter way, to its end";
    }
}

TEST(Motion, AHalfTurnAlwaysGoesTheSameWayRound) {
    for (int i = 0; i < 360; ++i) {
        const float a = static_cast<float>(i) * kPi / 180;
        for (const float off : {-1e-4f, 0.0f, 1e-4f}) {
            const glm::vec2 from(std::cos(a), std::sin(a));
            const glm::vec2 to(2 * std::cos(a + kPi + off), 2 * std::sin(a + kPi + off));
            const glm::vec2 p = turning({0, 0}, from, to, 0.1f);
            EXPECT_GT(from.x * p.y - from.y * p.x, 0) << i << " degrees, " << off;
        }
    }
}

TEST(View, MovesTakeAboutTheSameTimeAtAnyPace) {
    for (const double pace : {0.5, 1.0, 4.0, 30.0, 120.0, 600.0}) {
        const double seconds = moveTicksAt(pace) / pace;
        EXPECT_GE(seconds, std::min(0.25, 64 / pace) - 1e-9) << pace;
        EXPECT_LE(seconds, 0.45 + 1e-9) << pace;
    }
    EXPECT_LE(moveTicksAt(10000), 64);
}

TEST(View, TimeLapseLeavesNothingOut) {
    EXPECT_EQ(lapseAt(100, 60), 1u) << "single steps can be followed";
    EXPECT_EQ(lapseAt(120, 60), 1u);
    EXPECT_EQ(lapseAt(121, 60), 3u) << "as many as fit between two frames, and one that fits only in part";
    EXPECT_EQ(lapseAt(6000, 60), 100u);
    EXPECT_EQ(lapseAt(6000, 60, 40), 100u) << "never less than is played";
    EXPECT_EQ(lapseAt(600, 60, 40), 40u);
    EXPECT_EQ(lapseAt(6000, 60, 1), 1u) << "turned off";
}

TEST(View, LookbackHoldsAllThatIsLit) {
    View view;
    view.trails = 0;
    view.moveTicks = 10;
    EXPECT_GE(lookbackOf(view).steps, 30u);
    view.trails = 200;
    EXPECT_GE(lookbackOf(view).steps, 200u);
}

}  // namespace
}  // namespace whorl::scene
