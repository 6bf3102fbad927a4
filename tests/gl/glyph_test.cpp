#include "gl/stage.h"
#include "render/gl/api.h"

namespace whorl::gl {
namespace {

constexpr scene::Rgba kTeal = scene::hex(0x18C59D);
constexpr scene::Rgba kWhite = scene::hex(0xFFFFFF);

scene::Glyph glyph(float x, float y, float radius, scene::Rgba fill = kTeal) {
    scene::Glyph g;
    g.at = {x, y};
    g.radius = radius;
    g.fill = fill;
    return g;
}

/// The amount of ink: the sum of differences from a black ground, in whole pixels of white.
double ink(Stage& stage, int width, int height) {
    double sum = 0;
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) sum += stage.at(x, y).g / 255.0;
    }
    return sum;
}

class GlyphOf : public ::testing::TestWithParam<std::tuple<scene::Shape, float>> {};

TEST_P(GlyphOf, TheMiddleHasItsHueAndTheOutsideTheGround) {
    // A triangle is narrow where the others are inside at 0.6 radii from the middle.
    const auto [shape, radius] = GetParam();
    const int side = static_cast<int>(radius * 3) + 8;
    Stage stage(side, side);
    scene::Scene s = emptyScene(side, side);
    const float middle = static_cast<float>(side / 2) + 0.5F;
    s.resting.push_back(glyph(middle, middle, radius));
    s.resting[0].shape = shape;
    stage.paint(s);
    EXPECT_TRUE(near(stage.at(side / 2, side / 2), kTeal, 1));
    EXPECT_EQ(stage.at(0, 0), kGround);
    EXPECT_EQ(stage.at(side / 2, 0), kGround);
    EXPECT_EQ(stage.at(side - 1, side / 2), kGround);
    // Fully inside within the shading; on the border it fades over a pixel.
    const float reach = shape == scene::Shape::triangle ? 0.3F : 0.6F;
    const int inside = side / 2 + static_cast<int>(radius * reach);
    EXPECT_TRUE(near(stage.at(inside, side / 2), kTeal, 24));
}

// 130 and 200 exceed the maximum point size.
INSTANTIATE_TEST_SUITE_P(Sizes, GlyphOf,
                         ::testing::Combine(::testing::Values(scene::Shape::disc, scene::Shape::diamond,
                                                              scene::Shape::square, scene::Shape::triangle),
                                            ::testing::Values(2.0F, 4.0F, 10.0F, 60.0F, 119.0F, 130.0F, 200.0F)));

TEST(Glyph, AreaIsTrueForSmallOnesToo) {
    Stage stage(64, 64);
    for (const float radius : {0.25F, 0.5F, 0.8F, 1.0F, 1.5F, 2.0F, 3.0F, 8.0F}) {
        for (const float offset : {0.0F, 0.25F, 0.5F}) {
            scene::Scene s = emptyScene(64, 64, scene::hex(0x000000));
            s.resting.push_back(glyph(32 + offset, 32 + offset, radius, kWhite));
            stage.paint(s);
            const double area = 3.14159 * radius * radius;
            EXPECT_NEAR(ink(stage, 64, 64), area, 0.09 * area + 0.02) << radius << " at " << offset;
        }
    }
}

TEST(Glyph, TheRimLiesInsideTheRadius) {
    Stage stage(64, 64);
    scene::Scene s = emptyScene(64, 64);
    s.resting.push_back(glyph(32.5F, 32.5F, 20));
    s.resting[0].rim = kWhite;
    s.resting[0].rimWidth = 4;
    stage.paint(s);
    EXPECT_TRUE(near(stage.at(32, 32), kTeal, 1));
    EXPECT_TRUE(near(stage.at(32 + 14, 32), kTeal, 24));
    EXPECT_TRUE(near(stage.at(32 + 18, 32), kWhite, 1));
    EXPECT_TRUE(near(stage.at(32, 32 - 18), kWhite, 1));
    EXPECT_EQ(stage.at(32 + 22, 32), kGround);
}

/// The share of pixels that differ by more than a fifth of the way from the ground to the hue.
double difference(Stage& stage, const scene::Glyph& a, const scene::Glyph& b, int side) {
    scene::Scene s = emptyScene(side, side, scene::hex(0x000000));
    std::vector<int> before;
    s.resting = {a};
    stage.paint(s);
    for (int i = 0; i < side * side; ++i) before.push_back(stage.at(i % side, i / side).g);
    s.resting = {b};
    stage.paint(s);
    int differ = 0;
    for (int i = 0; i < side * side; ++i) {
        differ += std::abs(stage.at(i % side, i / side).g - before[static_cast<std::size_t>(i)]) > 0xC5 / 5 ? 1 : 0;
    }
    return differ / (3.14159 * a.radius * a.radius);
}

TEST(Glyph, ShapesAndTexturesAreToldApartAtARadiusOfFivePixels) {
    constexpr int kSide = 24;
    Stage stage(kSide, kSide);
    std::vector<scene::Glyph> looks;
    for (int i = 0; i < 16; ++i) {
        looks.push_back(glyph(12.5F, 12.5F, 5));
        looks.back().shape = static_cast<scene::Shape>(i % 4);
        looks.back().texture = static_cast<scene::Texture>(i / 4);
    }
    for (std::size_t i = 0; i < looks.size(); ++i) {
        for (std::size_t k = 0; k < i; ++k) {
            EXPECT_GT(difference(stage, looks[i], looks[k], kSide), 0.12) << i << " and " << k;
        }
    }
}

TEST(Glyph, TheCoreLiesInTheMiddleOfAnyShapeAndTexture) {
    Stage stage(64, 64);
    for (int i = 0; i < 16; ++i) {
        scene::Scene s = emptyScene(64, 64);
        s.resting.push_back(glyph(32.5F, 32.5F, 20));
        s.resting[0].shape = static_cast<scene::Shape>(i % 4);
        s.resting[0].texture = static_cast<scene::Texture>(i / 4);
        s.resting[0].core = kWhite;
        s.resting[0].coreRadius = 7;
        stage.paint(s);
        EXPECT_EQ(stage.at(32, 32), kWhite) << i;
        EXPECT_EQ(stage.at(32 - 6, 32), kWhite) << i;
        EXPECT_EQ(stage.at(32, 32 + 6), kWhite) << i;
        EXPECT_NE(stage.at(32 + 9, 32), kWhite) << i;
    }
}

TEST(Glyph, AGhostLetsTheGroundThrough) {
    Stage stage(64, 64);
    scene::Scene s = emptyScene(64, 64);
    const scene::Rgba fill = {kTeal.r, kTeal.g, kTeal.b, 56};
    const scene::Rgba rim = {kTeal.r, kTeal.g, kTeal.b, 115};
    s.resting.push_back(glyph(32.5F, 32.5F, 20, fill));
    s.resting[0].rim = rim;
    s.resting[0].rimWidth = 4;
    stage.paint(s);
    EXPECT_TRUE(near(stage.at(32, 32), laidOver(fill, kGround), 1));
    EXPECT_TRUE(near(stage.at(32 + 18, 32), laidOver(rim, laidOver(fill, kGround)), 2));
}

TEST(Glyph, OnlyGlowLeavesTheRadius) {
    Stage stage(96, 96);
    scene::Scene s = emptyScene(96, 96);
    s.moving.push_back(glyph(48.5F, 48.5F, 20));
    stage.paint(s);
    EXPECT_EQ(stage.at(48 + 22, 48), kGround);
    s.moving[0].glow = 1;
    stage.paint(s);
    const scene::Rgba close = stage.at(48 + 22, 48);
    const scene::Rgba far = stage.at(48 + 32, 48);
    EXPECT_GT(close.g, far.g);
    EXPECT_GT(far.g, kGround.g);
    EXPECT_EQ(stage.at(48 + 41, 48), kGround);
    // Glow on a light ground tints it, and never makes it lighter.
    s.background = scene::hex(0xFAFAF7);
    stage.paint(s);
    EXPECT_LT(stage.at(48 + 22, 48).r, 0xFA);
    EXPECT_TRUE(near(stage.at(48, 48), kTeal, 1));
}

TEST(Glyph, LightComesFromTheUpperLeft) {
    Stage stage(64, 64);
    scene::Scene s = emptyScene(64, 64);
    s.resting.push_back(glyph(32.5F, 32.5F, 20));
    stage.paint(s);
    EXPECT_GT(stage.at(32 - 7, 32 - 7).r, kTeal.r);
    EXPECT_LT(stage.at(32 + 12, 32 + 12).g, kTeal.g);
}

TEST(Glyph, HalfOutsideItIsHalfVisible) {
    Stage stage(64, 64);
    scene::Scene s = emptyScene(64, 64);
    s.resting.push_back(glyph(-3, 32, 20));
    stage.paint(s);
    EXPECT_TRUE(near(stage.at(2, 32), kTeal, 24));
    EXPECT_EQ(stage.at(40, 32), kGround);
}

TEST(Glyph, LaterOnesLieOnTopWhateverTheirSize) {
    Stage stage(512, 512);
    scene::Scene s = emptyScene(512, 512);
    s.resting = {glyph(256, 256, 30), glyph(256, 256, 200, scene::hex(0xF69518)), glyph(256, 256, 10, kWhite)};
    stage.paint(s);
    EXPECT_TRUE(near(stage.at(256, 256), kWhite, 4));
    EXPECT_TRUE(near(stage.at(256 + 20, 256), scene::hex(0xF69518), 24));
}

TEST(Glyph, ThirtyThousandRaiseNoError) {
    Stage stage(640, 360);
    scene::Scene s = emptyScene(640, 360);
    for (int i = 0; i < 30000; ++i) {
        s.resting.push_back(glyph(static_cast<float>(i % 640), static_cast<float>(i / 640 * 7), 2));
    }
    s.moving.push_back(glyph(300, 180, 300));
    stage.paint(s);
    EXPECT_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR));
}

}  // namespace
}  // namespace whorl::gl
