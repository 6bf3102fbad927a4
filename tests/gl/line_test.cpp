#include <numbers>

#include "gl/stage.h"
#include "render/gl/meshes.h"

namespace whorl::gl {
namespace {

constexpr scene::Rgba kVeil = scene::hex(0xFFFFFF, 60);

/// Samples along the middle of a line, and beside it, all have one colour.
void expectEven(Stage& stage, const std::vector<glm::vec2>& path, float beside) {
    const scene::Rgba wanted = laidOver(kVeil, kGround);
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
        const glm::vec2 way = path[i + 1] - path[i];
        const glm::vec2 left = glm::vec2(-way.y, way.x) / std::hypot(way.x, way.y);
        for (int k = 0; k <= 100; ++k) {
            for (const float side : {-beside, 0.0F, beside}) {
                const glm::vec2 p = path[i] + way * (static_cast<float>(k) / 100) + left * side;
                const auto x = static_cast<int>(p.x);
                const auto y = static_cast<int>(p.y);
                ASSERT_TRUE(near(stage.at(x, y), wanted, 1)) << "at " << x << ", " << y << " of segment " << i;
            }
        }
    }
}

/// No pixel has more than one layer of the translucent colour.
void expectOneLayer(Stage& stage, int width, int height) {
    const scene::Rgba wanted = laidOver(kVeil, kGround);
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            ASSERT_LE(stage.at(x, y).g, wanted.g + 1) << "at " << x << ", " << y;
        }
    }
}

class RibbonTurning : public ::testing::TestWithParam<int> {};

TEST_P(RibbonTurning, IsEvenAtItsJoint) {
    const float turn = static_cast<float>(GetParam()) * std::numbers::pi_v<float> / 180;
    Stage stage(400, 400);
    scene::Scene s = emptyScene(400, 400);
    const glm::vec2 corner{200, 200};
    const std::vector<glm::vec2> path{corner - glm::vec2(150, 20), corner,
                                      corner + 150.0F * glm::vec2(std::cos(turn), std::sin(turn))};
    s.ribbons.push_back({path, 20, kVeil});
    stage.paint(s);
    expectEven(stage, path, 6);
    expectOneLayer(stage, 400, 400);
}

INSTANTIATE_TEST_SUITE_P(Degrees, RibbonTurning, ::testing::Values(0, 8, -8, 30, -30, 45, 60, 90, -90, 120, -120, 140));

TEST(Ribbon, IsEvenAlongASpiral) {
    Stage stage(400, 400);
    scene::Scene s = emptyScene(400, 400);
    std::vector<glm::vec2> path;
    for (int i = 0; i <= 80; ++i) {
        const float u = static_cast<float>(i) / 80;
        path.push_back(s.centre + (40 + 140 * u) * glm::vec2(std::cos(9 * u), std::sin(9 * u)));
    }
    s.ribbons.push_back({path, 16, kVeil});
    stage.paint(s);
    expectEven(stage, path, 5);
    expectOneLayer(stage, 400, 400);
}

TEST(Ribbon, ClosedCurvesHaveNoBeginning) {
    Stage stage(400, 400);
    scene::Scene s = emptyScene(400, 400);
    std::vector<glm::vec2> path;
    for (int i = 0; i <= 60; ++i) {
        const float angle = 2 * std::numbers::pi_v<float> * static_cast<float>(i % 60) / 60;
        path.push_back(s.centre + 120.0F * glm::vec2(std::cos(angle), std::sin(angle)));
    }
    s.ribbons.push_back({path, 16, kVeil});
    stage.paint(s);
    expectEven(stage, path, 5);
    expectOneLayer(stage, 400, 400);
}

TEST(Ribbon, PointsThatCoincideAreOne) {
    RibbonMesh mesh;
    mesh.add({{{10, 10}, {10, 10}, {50, 10}, {50, 10}}, 4, kVeil}, 1);
    RibbonMesh plain;
    plain.add({{{10, 10}, {50, 10}}, 4, kVeil}, 1);
    EXPECT_EQ(mesh.vertices().size(), plain.vertices().size());
    mesh.clear();
    mesh.add({{}, 4, kVeil}, 1);
    EXPECT_TRUE(mesh.vertices().empty());
    mesh.add({{{10, 10}, {10, 10}}, 4, kVeil}, 1);
    EXPECT_EQ(mesh.vertices().size(), 4U) << "a dot";
}

TEST(Ribbon, SharpTurnsOfShortSegmentsStayFinite) {
    RibbonMesh mesh;
    mesh.add({{{0, 0}, {3, 0}, {0, 0.1F}, {0, 3}, {0.1F, 0}, {50, 0}}, 20, kVeil}, 1);
    for (const RibbonVertex& v : mesh.vertices()) {
        EXPECT_TRUE(std::isfinite(v.at.x) && std::isfinite(v.at.y));
        EXPECT_LT(std::hypot(v.at.x, v.at.y), 100);
    }
}

TEST(Stroke, TheColourRunsFromEndToEnd) {
    Stage stage(200, 40);
    for (const bool cell : {true, false}) {
        scene::Scene s = emptyScene(200, 40, scene::hex(0x000000));
        (cell ? s.cells : s.trails).push_back({{30.5F, 20.5F}, {170.5F, 20.5F}, 10, kRed, kBlue});
        stage.paint(s);
        EXPECT_TRUE(near(stage.at(30, 20), kRed, 2));
        EXPECT_TRUE(near(stage.at(170, 20), kBlue, 2));
        EXPECT_TRUE(near(stage.at(100, 20), scene::hex(0x800080), 3));
        EXPECT_TRUE(near(stage.at(27, 20), kRed, 2)) << "round ends go on";
        EXPECT_EQ(stage.at(23, 20), scene::hex(0x000000));
        EXPECT_EQ(stage.at(26, 16), scene::hex(0x000000)) << "and are round";
        EXPECT_EQ(stage.at(100, 27), scene::hex(0x000000));
    }
}

TEST(Stroke, FromAPlaceToItselfIsADot) {
    Stage stage(40, 40);
    for (const bool cell : {true, false}) {
        const scene::Rgba black = scene::hex(0x000000);  // on which trails add their own colour
        scene::Scene s = emptyScene(40, 40, black);
        (cell ? s.cells : s.trails).push_back({{20.5F, 20.5F}, {20.5F, 20.5F}, 10, kRed, kRed});
        stage.paint(s);
        EXPECT_TRUE(near(stage.at(20, 20), kRed, 1));
        EXPECT_TRUE(near(stage.at(23, 20), kRed, 1));
        EXPECT_EQ(stage.at(27, 20), black);
        EXPECT_EQ(stage.at(25, 25), black);
    }
}

TEST(Stroke, ThinOnesAreFaintNotGone) {
    Stage stage(40, 40);
    scene::Scene s = emptyScene(40, 40, scene::hex(0x000000));
    s.cells.push_back({{5, 20.5F}, {35, 20.5F}, 0.4F, kRed, kRed});
    stage.paint(s);
    EXPECT_NEAR(stage.at(20, 20).r, 0.4 * 255, 3);
}

TEST(Stroke, ThinOnesSideBySideMakeAnEvenSurface) {
    Stage stage(120, 120);
    for (const float pitch : {0.7F, 1.0F, 1.4F, 1.9F}) {
        scene::Scene s = emptyScene(120, 120, scene::hex(0x000000));
        const glm::vec2 way{std::cos(0.3F), std::sin(0.3F)};
        for (float x = -80; x < 80; x += pitch) {
            const glm::vec2 middle = s.centre + x * glm::vec2(-way.y, way.x);
            s.cells.push_back({middle - 50.0F * way, middle + 50.0F * way, pitch, kRed, kRed});
        }
        stage.paint(s);
        for (int y = 30; y < 90; ++y) {
            for (int x = 30; x < 90; ++x) ASSERT_GE(stage.at(x, y).r, 225) << "pitch " << pitch;
        }
    }
}

TEST(Trail, StrokesThatGoOnFromEachOtherAreOneLine) {
    Stage stage(400, 200);
    scene::Scene s = emptyScene(400, 200);
    std::vector<glm::vec2> path;
    for (int i = 0; i <= 12; ++i) {
        const float u = static_cast<float>(i) / 12;
        path.push_back({40 + 320 * u, 100 + 60 * std::sin(5 * u)});
    }
    for (std::size_t i = 0; i + 1 < path.size(); ++i) s.trails.push_back({path[i], path[i + 1], 12, kVeil, kVeil});
    stage.paint(s);
    expectEven(stage, path, 3);
    expectOneLayer(stage, 400, 200);
}

}  // namespace
}  // namespace whorl::gl
