#include "render/gl/painter.h"

#include <random>

#include "gl/stage.h"
#include "render/gl/api.h"
#include "render/gl/meshes.h"
#include "render/gl/tiles.h"

namespace whorl::gl {
namespace {

/// A scene with every kind of element: `count` resting glyphs and as many cells.
scene::Scene richScene(int width, int height, std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    const auto within = [&](float low, float high) {
        return low + (high - low) * static_cast<float>(random() % 10007) / 10007;
    };
    const auto place = [&] {
        return glm::vec2(within(-10, static_cast<float>(width) + 10), within(-10, static_cast<float>(height) + 10));
    };
    const auto colour = [&] { return scene::hex(random() & 0xFFFFFF, static_cast<std::uint8_t>(random() % 256)); };
    scene::Scene s = emptyScene(width, height);
    s.annuli = {{10, 40, colour(), colour()}, {40, 80, colour(), colour()}, {90, 90.7F, colour(), colour()}};
    for (int i = 0; i < 6; ++i) s.ribbons.push_back({{place(), place(), place(), place()}, within(0.3F, 20), colour()});
    for (std::size_t i = 0; i < count; ++i) {
        const glm::vec2 a = place();
        s.cells.push_back({a, a + glm::vec2(within(-8, 8), within(-8, 8)), within(0.3F, 5), colour(), colour()});
        scene::Glyph g{place(), within(0.4F, 5), colour(), colour(), within(-1, 2), 0, {}, 0, scene::Shape::disc, {}};
        g.shape = static_cast<scene::Shape>(i % 7 % 4);
        if (i % 11 == 0) g.texture = static_cast<scene::Texture>(i % 4);
        if (i % 5 == 0) g.core = colour();
        if (i % 5 == 0) g.coreRadius = within(0, 3);
        if (i % 31 == 0) g.glow = within(0, 1);
        if (i % 401 == 0) g.radius = 140;
        s.resting.push_back(g);
    }
    for (int i = 0; i < 9; ++i) {
        s.trails.push_back({place(), place(), within(0.5F, 6), colour(), colour()});
        s.moving.push_back({place(), within(1, 20), colour(), colour(), 1, 1, {}, 0, scene::Shape::disc, {}});
    }
    return s;
}

TEST(Painter, FillsOnlyItsRectangle) {
    Stage stage(100, 60);
    stage.frame().bind();
    clear(scene::hex(0xFF00FF), 100, 60);
    scene::Scene s = emptyScene(40, 20);
    s.moving.push_back({.at = {0, 0}, .radius = 30, .fill = scene::hex(0xFFFFFF), .rim = {}});
    s.annuli.push_back({0, 300, scene::hex(0x00FF00), scene::hex(0x00FF00)});
    stage.paint(s, {10, 5, 40, 20});
    EXPECT_EQ(stage.at(9, 5), scene::hex(0xFF00FF));
    EXPECT_EQ(stage.at(10, 4), scene::hex(0xFF00FF));
    EXPECT_EQ(stage.at(50, 24), scene::hex(0xFF00FF));
    EXPECT_EQ(stage.at(49, 25), scene::hex(0xFF00FF));
    EXPECT_TRUE(near(stage.at(10, 5), scene::hex(0xFFFFFF), 4));
    EXPECT_EQ(stage.at(49, 24), scene::hex(0x00FF00));
}

TEST(Painter, ScalesTheSceneToTheRectangle) {
    Stage stage(200, 200);
    scene::Scene s = emptyScene(100, 100);
    s.annuli.push_back({30, 40, scene::hex(0x00FF00), scene::hex(0x00FF00)});
    s.resting.push_back({.at = {25, 75}, .radius = 10, .fill = scene::hex(0xF69518), .rim = {}});
    s.ribbons.push_back({{{5, 10}, {5, 16}}, 4, scene::hex(0x0000FF)});
    s.cells.push_back({{70, 95}, {90, 95}, 4, scene::hex(0xFF0000), scene::hex(0xFF0000)});
    stage.paint(s);
    EXPECT_TRUE(near(stage.at(50, 150), scene::hex(0xF69518), 6));
    EXPECT_TRUE(near(stage.at(50, 150 + 17), scene::hex(0xF69518), 40));
    EXPECT_EQ(stage.at(50, 150 + 22), kGround);
    EXPECT_EQ(stage.at(100 + 70, 100), scene::hex(0x00FF00));
    EXPECT_EQ(stage.at(100 + 50, 100), kGround);
    EXPECT_EQ(stage.at(13, 25), scene::hex(0x0000FF));
    EXPECT_EQ(stage.at(16, 25), kGround);
    EXPECT_EQ(stage.at(160, 190 - 3), scene::hex(0xFF0000));
}

TEST(Painter, AnnuliShareABorderWithoutASeam) {
    Stage stage(200, 200);
    scene::Scene s = emptyScene(200, 200);
    const scene::Rgba veil = scene::hex(0x4080FF, 120);
    s.annuli = {{20, 50, veil, veil}, {50, 80, veil, veil}};
    stage.paint(s);
    for (int x = 122; x < 179; ++x) EXPECT_TRUE(near(stage.at(x, 100), laidOver(veil, kGround), 1)) << x;
    for (int d = 16; d < 55; ++d) EXPECT_TRUE(near(stage.at(100 + d, 100 - d), laidOver(veil, kGround), 1)) << d;
}

TEST(Painter, AnnulusColoursRunFromTheInnerToTheOuterEdge) {
    Stage stage(200, 200);
    scene::Scene s = emptyScene(200, 200);
    s.annuli = {{20, 80, scene::hex(0xFF0000), scene::hex(0x0000FF)}};
    stage.paint(s);
    EXPECT_TRUE(near(stage.at(121, 100), scene::hex(0xFF0000), 6));
    EXPECT_TRUE(near(stage.at(150, 100), scene::hex(0x800080), 6));
    EXPECT_TRUE(near(stage.at(178, 100), scene::hex(0x0000FF), 6));
}

TEST(Painter, TheSameSceneGivesTheSameBytes) {
    for (const std::size_t count : {std::size_t{50}, std::size_t{3000}}) {
        const scene::Scene a = richScene(320, 200, count, 1);
        const scene::Scene b = richScene(320, 200, count / 2, 2);
        Pixels first;
        {
            Stage stage(320, 200);
            first = stage.paint(a);
            EXPECT_TRUE(stage.paint(a) == first);
            EXPECT_FALSE(stage.paint(b) == first);
            EXPECT_TRUE(stage.paint(a) == first) << "after another scene";
            stage.renew();
            EXPECT_TRUE(stage.paint(a) == first) << "by another painter";
        }
        Stage another(320, 200);
        EXPECT_TRUE(another.paint(a) == first) << "in another context";
    }
}

/// One of the ways in which scenes change from frame to frame.
void change(scene::Scene& s, std::mt19937& random) {
    const auto any = [&](auto& list) { return list.begin() + static_cast<std::ptrdiff_t>(random() % list.size()); };
    switch (random() % 9) {
        case 0:
            any(s.resting)->fill = scene::hex(random() & 0xFFFFFF);
            break;
        case 1:
            any(s.resting)->at.x += 3;
            break;
        case 2:
            s.resting.erase(any(s.resting));
            break;
        case 3:
            s.resting.insert(any(s.resting), *any(s.resting));
            break;
        case 4:
            any(s.cells)->b.y += 9;
            break;
        case 5:
            s.cells.erase(any(s.cells));
            break;
        case 6:
            std::swap(*any(s.resting), *any(s.resting));
            break;
        case 7:
            any(s.moving)->at.x += 5;
            break;
        default:
            s.annuli[random() % 3].innerColour.b ^= 64;
            break;
    }
}

/// Each frame by a painter that has painted all the frames before, and by a new one.
TEST(Painter, WhatIsKeptFromFrameToFrameNeverShows) {
    Stage stage(330, 210);
    auto keeping = Painter::create();
    ASSERT_TRUE(keeping) << keeping.error().sentence();
    scene::Scene s = richScene(330, 210, 1500, 3);
    std::mt19937 random(4);
    for (int frame = 0; frame < 60; ++frame) {
        for (unsigned i = random() % 6; i > 0; --i) change(s, random);
        if (frame == 20) s.resting.resize(s.resting.size() - 40);
        if (frame == 30) s.background = scene::hex(0x202020);
        if (frame == 40) s.centre.x += 4;
        const Rect where = frame % 25 == 24 ? Rect{3, 7, 300, 190} : Rect{0, 0, 330, 210};
        stage.frame().bind();
        clear(kGround, 330, 210);
        (*keeping)->paint(s, where, 210);
        const Pixels kept = stage.read();
        clear(kGround, 330, 210);
        stage.renew();
        ASSERT_TRUE(stage.paint(s, where) == kept) << "in frame " << frame;
    }
}

TEST(Painter, LeavesNothingBound) {
    Stage stage(64, 64);
    stage.paint(richScene(64, 64, 2000, 5));
    GLint bound = -1;
    glGetIntegerv(GL_VERTEX_ARRAY_BINDING, &bound);
    EXPECT_EQ(bound, 0);
    glGetIntegerv(GL_CURRENT_PROGRAM, &bound);
    EXPECT_EQ(bound, 0);
    glGetIntegerv(GL_TEXTURE_BINDING_2D, &bound);
    EXPECT_EQ(bound, 0);
    EXPECT_EQ(glIsEnabled(GL_SCISSOR_TEST), GL_FALSE);
    EXPECT_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR));
}

TEST(Painter, NothingToPaintIsNoError) {
    Stage stage(16, 16);
    stage.paint(emptyScene(0, 0), {0, 0, 0, 0});
    scene::Scene s = emptyScene(16, 16);
    s.ribbons.emplace_back();
    s.annuli.emplace_back();
    stage.paint(s);
    EXPECT_EQ(stage.at(3, 3), kGround);
    EXPECT_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR));
}

TEST(Changes, AreFoundWhereListsDiffer) {
    std::vector<scene::Glyph> before(300);
    for (std::size_t i = 0; i < before.size(); ++i) before[i].at.x = static_cast<float>(i);
    std::vector<scene::Glyph> after = before;
    after[10].at.x = 1000;
    after[202].radius = 9;
    std::vector<float> found;
    const auto note = [&](const scene::Glyph& g) { found.push_back(g.at.x); };
    using List = std::span<const scene::Glyph>;
    EXPECT_TRUE(compare(List(before), List(after), 2, note));
    EXPECT_EQ(found, (std::vector<float>{10, 1000, 202, 202}));
    EXPECT_FALSE(compare(List(before), List(after), 1, note)) << "more than one";
    found.clear();
    EXPECT_TRUE(compare(List(before), List(before), 0, note));
    EXPECT_TRUE(found.empty());
    EXPECT_FALSE(compare(List(before), List(before).first(299), 300, note)) << "one is shorter";
}

}  // namespace
}  // namespace whorl::gl
