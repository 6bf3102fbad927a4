// The camera: what is under the mouse stays there, the rings cannot leave the picture, and every animation ends.
#include "app/session/camera.h"

#include <gtest/gtest.h>

#include <cmath>
#include <glm/geometric.hpp>

namespace whorl::app {
namespace {

glm::vec2 placeAt(const Camera::Sight& sight, glm::vec2 at) {
    return sight.focus + at / sight.zoom;
}

TEST(Camera, SeesAllAtFirst) {
    const Camera camera;
    EXPECT_EQ(camera.now(), Camera::Sight{});
    EXPECT_FALSE(camera.moving());
    EXPECT_FALSE(camera.zoomed());
}

TEST(Camera, WhatIsUnderTheMouseStaysThereAllTheWay) {
    Camera camera;
    const glm::vec2 mouse(0.3f, -0.2f);
    const glm::vec2 place = placeAt(camera.now(), mouse);
    for (int notch = 0; notch < 8; ++notch) {
        camera.zoomAt(1.25f, mouse);
        camera.advance(0.016);
        const glm::vec2 now = placeAt(camera.now(), mouse);
        EXPECT_NEAR(now.x, place.x, 1e-4f) << notch;
        EXPECT_NEAR(now.y, place.y, 1e-4f) << notch;
    }
    for (int frame = 0; frame < 200 && camera.moving(); ++frame) camera.advance(0.016);
    EXPECT_FALSE(camera.moving());
    EXPECT_FLOAT_EQ(camera.now().zoom, std::pow(1.25f, 8.0f));
    EXPECT_NEAR(placeAt(camera.now(), mouse).x, place.x, 1e-4f);
}

TEST(Camera, TheDiscOfTheRingsFillsThePictureWhateverIsDone) {
    Camera camera;
    const auto holds = [](const Camera::Sight& s) {
        return s.zoom >= 1 && s.zoom <= 256 && glm::length(s.focus) <= 1 - 1 / s.zoom + 1e-5f;
    };
    for (int i = 0; i < 500; ++i) {
        const auto a = static_cast<float>(i * 7 % 13) / 6 - 1;
        const auto b = static_cast<float>(i * 5 % 17) / 8 - 1;
        camera.zoomAt(i % 3 == 0 ? 0.6f : 1.7f, {a, b});
        camera.pan({b, a});
        if (i % 5 == 0) camera.drag({3 * a, 3 * b});
        camera.advance(i % 2 == 0 ? 0.03 : 2.0);
        EXPECT_TRUE(holds(camera.now())) << i;
        EXPECT_TRUE(holds(camera.target())) << i;
    }
    camera.put({std::nanf(""), {std::nanf(""), 5}});
    EXPECT_EQ(camera.now(), Camera::Sight{});
    camera.put({1e9f, {9, 0}});
    EXPECT_EQ(camera.now().zoom, 256);
}

TEST(Camera, ADragGoesWithTheMouseAtOnce) {
    Camera camera;
    camera.put({4, {0, 0}});
    camera.drag({0.4f, 0});
    EXPECT_FALSE(camera.moving());
    EXPECT_NEAR(camera.now().focus.x, -0.1f, 1e-6f);
}

TEST(Camera, ResettingComesBackToAll) {
    Camera camera;
    camera.put({50, {0.5f, 0.3f}});
    camera.glideTo({});
    EXPECT_TRUE(camera.moving());
    for (int frame = 0; frame < 300; ++frame) camera.advance(0.016);
    EXPECT_EQ(camera.now(), Camera::Sight{});
    EXPECT_FALSE(camera.zoomed());
}

}  // namespace
}  // namespace whorl::app
