#include "render/scene/rings/easing.h"

#include <gtest/gtest.h>

#include <cmath>
#include <glm/geometric.hpp>

#include "render/scene/rings/view.h"

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
    const glm::vec2 mid = turning({0, 0}, {10, 0}, {0, 20}, 0.5f);
    EXPECT_NEAR(std::atan2(mid.y, mid.x), 0.785398f + kTurningLead, 0.01f);
}

TEST(View, MovesTakeAboutTheSameTimeAtAnyPace) {
    for (const double pace : {0.5, 1.0, 4.0, 30.0, 120.0, 600.0}) {
        const double seconds = moveTicksAt(pace) / pace;
        EXPECT_GE(seconds, 0.1 - 1e-9) << pace;
        EXPECT_LE(seconds, 0.45 + 1e-9) << pace;
    }
    EXPECT_LE(moveTicksAt(10000), 64);
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
