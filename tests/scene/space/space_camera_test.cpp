#include "render/scene/space/space_camera.h"

#include <gtest/gtest.h>

#include <glm/geometric.hpp>
#include <numbers>
#include <random>

namespace whorl::scene {
namespace {

constexpr glm::vec2 kSize(800, 600);
constexpr Extent kCube{{-1, -1, -1}, {1, 1, 1}};
constexpr float kPi = std::numbers::pi_v<float>;

SpaceCamera anyCamera(std::mt19937& random) {
    const auto within = [&](float low, float high) {
        return low + (high - low) * static_cast<float>(random() % 10007) / 10007;
    };
    return {.target = {within(-1, 1), within(-1, 1), within(-1, 1)},
            .azimuth = within(-3, 3),
            .elevation = within(-1.5F, 1.5F),
            .span = within(0.5F, 6),
            .perspective = within(0, 1)};
}

void expectNear(glm::vec2 a, glm::vec2 b, float tolerance) {
    EXPECT_NEAR(a.x, b.x, tolerance);
    EXPECT_NEAR(a.y, b.y, tolerance);
}

TEST(SpaceCamera, LooksAlongAxesAsFiguresSay) {
    SpaceCamera c{.span = 6, .perspective = 0};
    // 600 pixels are as high as 6 units: 100 pixels for each.
    c.face(Plane::xy);
    expectNear(pixelOf(c.toClip(kSize, kCube), {1, 1, 0.5F}, kSize), {500, 200}, 0.01F);
    // Blockviews: time (z) to the right, blocks (y) upward.
    c.face(Plane::yz);
    expectNear(pixelOf(c.toClip(kSize, kCube), {0.5F, 1, 1}, kSize), {500, 200}, 0.01F);
    EXPECT_TRUE(c.isFacing(Plane::yz));
    c.azimuth = -c.azimuth;
    EXPECT_TRUE(c.isFacing(Plane::yz)) << "from behind";
    c.azimuth += 0.05F;
    EXPECT_FALSE(c.isFacing(Plane::yz));
    c.face(Plane::xz);
    expectNear(pixelOf(c.toClip(kSize, kCube), {1, 0.5F, 1}, kSize), {500, 400}, 0.01F);
    EXPECT_TRUE(c.isFacing(Plane::xz));
    EXPECT_FALSE(c.isFacing(Plane::xy));
}

TEST(SpaceCamera, PerspectiveLeavesTheSizeAtTheTarget) {
    for (const float perspective : {0.0F, 0.001F, 0.3F, 1.0F}) {
        const SpaceCamera c{.target = {0.2F, 0.1F, 0}, .span = 6, .perspective = perspective};
        const glm::mat4 m = c.toClip(kSize, kCube);
        expectNear(pixelOf(m, {0.2F, 0.1F, 0}, kSize), {400, 300}, 0.01F);
        expectNear(pixelOf(m, {1.2F, 1.1F, 0}, kSize), {500, 200}, 0.01F);
        // What is nearer is larger, as much as the slider sets.
        const float nearer = pixelOf(m, {1.2F, 0.1F, 1}, kSize).x;
        const float angle = perspective * SpaceCamera::kWidestAngle;
        EXPECT_NEAR(nearer, 400 + 100 / (1 - std::tan(angle / 2) / 3), 0.02F);
    }
}

TEST(SpaceCamera, TheEyeIsWhereAllLinesOfSightMeet) {
    const SpaceCamera c{
        .target = {0.2F, 0.3F, 0.1F}, .azimuth = 0.7F, .elevation = 0.4F, .span = 3, .perspective = 0.8F};
    const glm::vec3 eye = glm::vec3(c.eye()) / c.eye().w;
    for (const glm::vec2 pixel : {glm::vec2(10, 20), glm::vec2(700, 33), glm::vec2(400, 300)}) {
        const Ray ray = rayAt(c.toClip(kSize, kCube), pixel, kSize);
        const glm::vec3 way = glm::normalize(ray.to - ray.from);
        EXPECT_LT(glm::length(glm::cross(eye - ray.from, way)), 0.01F);
    }
    EXPECT_EQ(SpaceCamera{.perspective = 0}.eye(), glm::vec4(0, 0, 1, 0));
}

TEST(SpaceCamera, PixelsAndLinesOfSightAgree) {
    std::mt19937 random(1);
    for (int i = 0; i < 200; ++i) {
        const SpaceCamera c = anyCamera(random);
        const glm::mat4 m = c.toClip(kSize, kCube);
        const glm::vec2 pixel(random() % 800, random() % 600);
        const Ray ray = rayAt(m, pixel, kSize);
        expectNear(pixelOf(m, ray.from + (ray.to - ray.from) * 0.3F, kSize), pixel, 0.5F);
        // The part of the cube in front of the viewer is between near and far.
        for (int k = 0; k < 8; ++k) {
            const glm::vec3 corner((k & 1) * 2 - 1, (k & 2) - 1, (k & 4) / 2 - 1);
            const glm::vec4 clip = m * glm::vec4(corner, 1);
            if (clip.w < 0.05F) continue;
            EXPECT_LE(std::abs(clip.z), clip.w * 1.001F);
        }
    }
}

TEST(SpaceCamera, FollowsTheHand) {
    std::mt19937 random(2);
    for (int i = 0; i < 100; ++i) {
        SpaceCamera c = anyCamera(random);
        const glm::vec3 held = c.target + c.right() * 0.2F * c.span - c.up() * 0.1F * c.span;
        const glm::vec2 before = pixelOf(c.toClip(kSize, kCube), held, kSize);
        c.pan({30, -12}, kSize);
        expectNear(pixelOf(c.toClip(kSize, kCube), held, kSize), before + glm::vec2(30, -12), 0.2F);
        const glm::vec2 under = pixelOf(c.toClip(kSize, kCube), held, kSize);
        c.zoom(1.7F, under, kSize);
        expectNear(pixelOf(c.toClip(kSize, kCube), held, kSize), under, 0.3F);
    }
    SpaceCamera c{};
    c.turn({300, 0}, kSize);
    EXPECT_NEAR(c.azimuth, -kPi / 2, 1e-4F);
    c.turn({0, 5000}, kSize);
    EXPECT_FLOAT_EQ(c.elevation, kPi / 2);
}

TEST(SpaceCamera, FitsTheExtentAsLargeAsItGoes) {
    std::mt19937 random(3);
    for (int i = 0; i < 100; ++i) {
        SpaceCamera c = anyCamera(random);
        const Extent extent{{-1, -0.2F, -2}, {0.5F, 0.7F, 1}};
        c.fit(extent, kSize, glm::vec2(50, 20));
        const glm::mat4 m = c.toClip(kSize, extent);
        glm::vec2 low(1e9F);
        glm::vec2 high(-1e9F);
        for (int k = 0; k < 8; ++k) {
            const glm::vec3 corner((k & 1) != 0 ? 0.5F : -1, (k & 2) != 0 ? 0.7F : -0.2F, (k & 4) != 0 ? 1 : -2);
            low = glm::min(low, pixelOf(m, corner, kSize));
            high = glm::max(high, pixelOf(m, corner, kSize));
        }
        EXPECT_GE(low.x, 49);
        EXPECT_GE(low.y, 19);
        EXPECT_LE(high.x, 751);
        EXPECT_LE(high.y, 581);
        EXPECT_TRUE(high.x - low.x > 650 || high.y - low.y > 520) << high.x - low.x << " x " << high.y - low.y;
    }
}

TEST(SpaceCamera, GlidesTheShorterWay) {
    const SpaceCamera a{.azimuth = 3, .span = 1};
    const SpaceCamera b{.azimuth = -3, .span = 4};
    EXPECT_EQ(between(a, b, 0), a);
    EXPECT_EQ(glide(a, b, 1), b);
    const SpaceCamera half = between(a, b, 0.5F);
    EXPECT_NEAR(std::abs(half.azimuth), kPi, 1e-4F);
    EXPECT_NEAR(half.span, 2, 1e-4F);
    EXPECT_LT(glide(a, b, 0.1F).span, between(a, b, 0.1F).span);
}

/// Points of the box that are visible are in the visible part, which is no larger than necessary.
TEST(VisiblePart, HoldsAllThatIsSeen) {
    std::mt19937 random(4);
    for (int i = 0; i < 60; ++i) {
        SpaceCamera c = anyCamera(random);
        c.span *= 0.4F;
        const glm::mat4 m = c.toClip(kSize, kCube);
        const auto part = visiblePart(m, kCube);
        for (int k = 0; k < 4000; ++k) {
            const glm::vec3 p = glm::vec3(random() % 2001, random() % 2001, random() % 2001) / 1000.0F - 1.0F;
            const glm::vec4 clip = m * glm::vec4(p, 1);
            if (glm::any(glm::greaterThan(glm::abs(glm::vec3(clip)), glm::vec3(clip.w)))) continue;
            ASSERT_TRUE(part.has_value());
            EXPECT_TRUE(glm::all(glm::greaterThanEqual(p, part->low - 1e-3F)));
            EXPECT_TRUE(glm::all(glm::lessThanEqual(p, part->high + 1e-3F)));
        }
    }
    const SpaceCamera c{.span = 1, .perspective = 0};
    const auto part = visiblePart(c.toClip({100, 100}, kCube), kCube);
    ASSERT_TRUE(part.has_value());
    EXPECT_NEAR(part->low.x, -0.5F, 1e-4F);
    EXPECT_NEAR(part->high.y, 0.5F, 1e-4F);
    EXPECT_NEAR(part->low.z, -1, 1e-4F);
    const SpaceCamera aside{.target = {5, 0, 0}, .span = 1, .perspective = 0};
    EXPECT_FALSE(visiblePart(aside.toClip({100, 100}, kCube), kCube).has_value());
}

}  // namespace
}  // namespace whorl::scene
