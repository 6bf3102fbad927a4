// A scene's time: where the playhead and the sight are is a continuous function of the seconds since it was entered.
#include "app/session/presentation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "render/scene/rings/view.h"

namespace whorl::app {
namespace {

TourScene sceneOf(double at, double to, std::optional<double> seconds = {}, double rampIn = 0, double rampOut = 0) {
    TourScene scene;
    scene.at = at;
    scene.range = PlayedRange{.to = to, .seconds = seconds, .rampIn = rampIn, .rampOut = rampOut};
    return scene;
}

TEST(SceneTime, ComesFromTheSceneBeforeAndStandsStill) {
    TourScene scene;
    scene.at = 100;
    scene.transition = 2;
    const SceneTime time(scene, {.position = 20, .sight = {}}, {.zoom = 4, .focus = {0.5f, 0}}, 1000);
    EXPECT_EQ(time.arrival(), 2);
    EXPECT_EQ(time.at(0).position, 20);
    EXPECT_EQ(time.at(0).sight, Camera::Sight{});
    EXPECT_DOUBLE_EQ(time.at(1).position, 60);
    EXPECT_FLOAT_EQ(time.at(1).sight.zoom, 2);
    EXPECT_EQ(time.at(2).position, 100);
    EXPECT_EQ(time.at(2).sight, (Camera::Sight{4, {0.5f, 0}}));
    EXPECT_EQ(time.at(1000).position, 100);
    EXPECT_EQ(time.at(1000).pace, 0);
}

TEST(SceneTime, TakesNoTimeWhereNothingMoves) {
    TourScene scene;
    scene.at = 20;
    EXPECT_EQ(SceneTime(scene, {.position = 20, .sight = {}}, {}, 1000).arrival(), 0);
    // Another trace begins at the scene's own position.
    EXPECT_EQ(SceneTime(scene, {.position = std::nullopt, .sight = {}}, {}, 1000).arrival(), 0);
    EXPECT_EQ(SceneTime(scene, {.position = 20, .sight = {}, .rings = {0.5f}}, {}, 1000).arrival(), 1);
}

TEST(SceneTime, PlaysItsStretchInTheSecondsGiven) {
    // 100 accesses in 11 s, of which 2 are ramps: 10 a second between them.
    const SceneTime time(sceneOf(50, 150, 11, 1, 1), {.position = 50, .sight = {}}, {}, 1000);
    const auto positionAfter = [&](double seconds) { return time.at(time.begins() + seconds).position; };
    EXPECT_EQ(time.arrival(), 0);
    EXPECT_DOUBLE_EQ(time.played(), time.begins() + 11);
    EXPECT_DOUBLE_EQ(time.pace(), 10);
    EXPECT_NEAR(positionAfter(0.5), 50 + 10 * 0.25 / 2, 1e-9);
    EXPECT_NEAR(positionAfter(1), 55, 1e-9);
    EXPECT_NEAR(positionAfter(6), 105, 1e-9);
    EXPECT_NEAR(positionAfter(10), 145, 1e-9);
    EXPECT_NEAR(positionAfter(11), 150, 1e-9);
    EXPECT_NEAR(positionAfter(99), 150, 1e-9);
}

TEST(SceneTime, HasAPaceOfItsOwn) {
    EXPECT_DOUBLE_EQ(SceneTime(sceneOf(0, 16), {}, {}, 1000).played(), 2 + SceneTime::kPause);
    EXPECT_DOUBLE_EQ(SceneTime(sceneOf(0, 1e6), {}, {}, 1e7).played(), 20 + SceneTime::kPause);
    TourScene paced = sceneOf(0, 100);
    paced.range->pace = 25;
    EXPECT_DOUBLE_EQ(SceneTime(paced, {}, {}, 1000).played(), 4 + SceneTime::kPause);
}

TEST(SceneTime, IsCutToTheTrace) {
    const SceneTime time(sceneOf(50, 150, 10), {.position = 50, .sight = {}}, {}, 100);
    EXPECT_EQ(time.at(100).position, 100);
    const SceneTime beyond(sceneOf(500, 600, 10), {.position = 50, .sight = {}}, {}, 100);
    EXPECT_EQ(beyond.at(100).position, 100);
    EXPECT_EQ(beyond.pace(), 0);
}

TEST(SceneTime, RepeatsUntilItIsLeft) {
    TourScene scene = sceneOf(10, 20, 5);
    scene.wait.what = SceneWait::For::loop;
    const SceneTime time(scene, {.position = 10, .sight = {}}, {}, 100);
    EXPECT_DOUBLE_EQ(time.round(), 5 + SceneTime::kRest);
    for (int i = 0; i < 4; ++i) {
        const double begins = time.begins() + i * time.round();
        EXPECT_NEAR(time.at(begins + 2.5).position, 15, 1e-9) << i;
        EXPECT_NEAR(time.endOfRound(begins + 2.5), begins + 5, 1e-9) << i;
    }
    EXPECT_TRUE(time.moves(1e6));
}

/// The pause is the same everywhere: from where the sight is still to what is highlighted, and from there to the
/// stretch.
TEST(SceneTime, ItsPartsAreAPauseApart) {
    std::mt19937 random(11);
    const auto from0 = [&](double most) { return std::uniform_real_distribution<>(0, most)(random); };
    for (int trial = 0; trial < 300; ++trial) {
        TourScene scene = sceneOf(from0(500), 500 + from0(500), 0.2 + from0(10), from0(6), from0(6));
        scene.transition = from0(3);
        const bool highlights = random() % 2 == 0;
        const Camera::Sight to = Camera::kept({1 + static_cast<float>(from0(20)), {-0.4f, 0.2f}});
        const SceneTime time(scene, {.position = from0(1000), .sight = {}}, to, 1000, highlights);
        constexpr double kStep = 1e-3;
        // When the sight is still, and when the playhead first moves after that, as they are seen.
        double still = 0;
        double moves = 0;
        const Camera::Sight last = time.at(1e6).sight;
        for (double s = 0; moves == 0 && s < time.played(); s += kStep) {
            const SceneMoment now = time.at(s);
            if (now.sight != last) still = s + kStep;
            if (now.sight == last && s > still && now.position > scene.position()) moves = s;
        }
        const double pauses = highlights ? 2 : 1;
        // The first accesses of a ramp are slow.
        const double seen = std::sqrt(2e-13 * std::max(1.0, scene.range->rampIn)) + 2 * kStep;
        EXPECT_NEAR(moves - still, pauses * SceneTime::kPause, seen) << trial;
        EXPECT_NEAR(time.arrival() - still, (pauses - 1) * SceneTime::kPause, 2 * kStep) << trial;
    }
}

/// Neither the playhead nor the sight nor the length of moves jumps, and the playhead never goes back in a stretch.
TEST(SceneTime, IsContinuous) {
    std::mt19937 random(7);
    const auto from0 = [&](double most) { return std::uniform_real_distribution<>(0, most)(random); };
    for (int trial = 0; trial < 300; ++trial) {
        TourScene scene = sceneOf(from0(500), 500 + from0(500), 0.2 + from0(10), from0(6), from0(6));
        scene.transition = from0(3);
        const SceneEntry from{.position = from0(1000),
                              .sight = Camera::kept({1 + static_cast<float>(from0(20)), {0.3f, 0.1f}})};
        const SceneTime time(scene, from, Camera::kept({1 + static_cast<float>(from0(20)), {-0.4f, 0.2f}}), 1000);
        const double most = time.pace() + (time.arrival() > 0 ? 1.5 * 1000 / time.arrival() : 0);
        constexpr double kStep = 1e-3;
        SceneMoment last = time.at(0);
        for (double s = kStep; s < time.played() + 1; s += kStep) {
            const SceneMoment now = time.at(s);
            ASSERT_LE(std::abs(now.position - last.position), most * kStep + 1e-6) << trial << " at " << s;
            const bool plays = s > time.arrival() + kStep;  // or rests before it
            ASSERT_TRUE(!plays || now.position >= last.position) << trial << " at " << s;
            ASSERT_LE(std::abs(std::log(now.sight.zoom / last.sight.zoom)),
                      4 * kStep / std::max(time.arrival(), kStep) * 1.5 + 1e-3);
            ASSERT_LE(std::abs(now.moveTicks - last.moveTicks), (most + 64 / SceneTime::kRest) * kStep + 1e-6)
                << trial << " at " << s;
            last = now;
        }
        ASSERT_EQ(last.position, std::min(1000.0, scene.range->to));
        ASSERT_EQ(last.moveTicks, scene::View::kAtRest);
    }
}

}  // namespace
}  // namespace whorl::app
