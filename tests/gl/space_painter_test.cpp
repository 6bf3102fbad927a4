#include "render/gl/space_painter.h"

#include <random>

#include "gl/stage.h"
#include "render/scene/space/block_scene.h"
#include "render/scene/space/folded_scene.h"

namespace whorl::gl {
namespace {

/// Viewed along -z without perspective: 100 x 100 pixels are 2 x 2 of the world, so (0, 0, z) is in the middle.
scene::SpaceScene emptySpace() {
    scene::SpaceScene s;
    s.size = {100, 100};
    s.background = kGround;
    const scene::SpaceCamera camera{.span = 2, .perspective = 0};
    s.toClip = camera.toClip(s.size, {{-1, -1, -1}, {1, 1, 1}});
    s.toEye = camera.toEye();
    s.eye = camera.eye();
    return s;
}

/// Paints views in space of 100 x 100 pixels.
class SpaceStage : public Stage {
  public:
    SpaceStage() : Stage(100, 100) { renewSpace(); }
    void renewSpace() {
        auto painter = SpacePainter::create();
        if (!painter) throw std::runtime_error(painter.error().sentence());
        painter_ = std::move(*painter);
    }
    const Pixels& paint(const scene::SpaceScene& scene, Rect where = {0, 0, 100, 100}) {
        frame().bind();
        painter_->paint(scene, where, frame().height());
        return read();
    }

  private:
    std::unique_ptr<SpacePainter> painter_;
};

TEST(SpacePainter, PaintsEachKindInItsPlace) {
    SpaceStage stage;
    scene::SpaceScene s = emptySpace();
    s.boxes.push_back({{-0.8F, -0.2F, -0.1F}, {-0.4F, 0.2F, 0.1F}, kRed});
    s.faces.push_back({{0.4F, -0.2F, 0}, {0.4F, 0, 0}, {0, 0.4F, 0}, kGreen});
    s.segments.push_back({{-0.5F, 0.705F, 0}, {0.5F, 0.705F, 0}, kBlue});
    s.points.push_back({{0.01F, -0.69F, 0}, kRed});
    s.pointSize = 4;
    stage.paint(s);
    EXPECT_TRUE(near(stage.at(20, 50), kRed, 2));    // x: -0.6
    EXPECT_TRUE(near(stage.at(80, 50), kGreen, 2));  // both face the viewer: fully lit
    EXPECT_TRUE(near(stage.at(50, 14), kBlue, 2));
    EXPECT_TRUE(near(stage.at(50, 84), kRed, 2));
    EXPECT_EQ(stage.at(50, 50), kGround);
    EXPECT_EQ(stage.at(5, 50), kGround);
    EXPECT_EQ(stage.at(20, 35), kGround);
}

TEST(SpacePainter, WhatIsNearHidesWhatIsFar) {
    SpaceStage stage;
    scene::SpaceScene s = emptySpace();
    s.boxes.push_back({{-0.5F, -0.5F, 0.2F}, {0.5F, 0.5F, 0.4F}, kRed});
    s.faces.push_back({{-0.9F, -0.9F, -0.5F}, {1.8F, 0, 0}, {0, 1.8F, 0}, kGreen});
    s.segments.push_back({{-1, 0.01F, 0}, {1, 0.01F, 0}, kBlue});
    stage.paint(s);
    EXPECT_TRUE(near(stage.at(50, 50), kRed, 2));
    EXPECT_TRUE(near(stage.at(50, 10), kGreen, 2));
    EXPECT_TRUE(near(stage.at(10, 49), kBlue, 2));
    EXPECT_TRUE(near(stage.at(50, 49), kRed, 2));
    // An overlay is never hidden; a pane shows what is behind it, and does not tint what is in front.
    s.overlay = s.segments;
    s.panes.push_back({{-1, -1, 0}, {1, 0, 0}, {0, 2, 0}, scene::hex(0xFFFFFF, 128)});
    stage.paint(s);
    EXPECT_TRUE(near(stage.at(50, 49), kBlue, 2));
    EXPECT_TRUE(near(stage.at(10, 20), laidOver(scene::hex(0xFFFFFF, 128), kGreen), 3));
    EXPECT_TRUE(near(stage.at(40, 60), kRed, 2));
}

TEST(SpacePainter, NoBoxHidesAPoint) {
    SpaceStage stage;
    scene::SpaceScene s = emptySpace();
    s.boxes.push_back({{-0.5F, -0.5F, 0.2F}, {0.5F, 0.5F, 0.4F}, kRed});
    s.pointSize = 5;
    // Behind the box, one before the other, whichever comes first.
    s.points.push_back({{0, 0, -0.2F}, kBlue});
    s.points.push_back({{0, 0, -0.6F}, kGreen});
    stage.paint(s);
    EXPECT_TRUE(near(stage.at(50, 50), kBlue, 2));
    EXPECT_TRUE(near(stage.at(40, 40), kRed, 2));
    std::swap(s.points[0], s.points[1]);
    stage.paint(s);
    EXPECT_TRUE(near(stage.at(50, 50), kBlue, 2));
}

TEST(SpacePainter, TheHeadlightDistinguishesTheSides) {
    scene::SpaceScene s = emptySpace();
    const scene::SpaceCamera camera{.azimuth = 0.5F, .elevation = 0.8F, .span = 2, .perspective = 0};
    s.toClip = camera.toClip(s.size, {{-1, -1, -1}, {1, 1, 1}});
    s.toEye = camera.toEye();
    s.eye = camera.eye();
    SpaceMesh mesh;
    mesh.add(s, scene::SpaceBox{{-1, -1, -1}, {1, 1, 1}, kRed});
    // Front, top and right: three of six.
    ASSERT_EQ(mesh.vertices().size(), 12U);
    std::vector<int> light;
    for (std::size_t i = 0; i < 12; i += 4) {
        const glm::vec3 a = mesh.vertices()[i].at;
        const glm::vec3 c = mesh.vertices()[i + 2].at;
        for (int axis = 0; axis < 3; ++axis) {
            if (a[axis] == c[axis]) {
                EXPECT_EQ(a[axis], 1);
            }
        }
        light.push_back(mesh.vertices()[i].colour.r);
    }
    EXPECT_NE(light[0], light[1]);
    EXPECT_NE(light[1], light[2]);
    EXPECT_NE(light[0], light[2]);
    // From inside no face is visible.
    s.eye = {0, 0, 0, 1};
    mesh.clear();
    mesh.add(s, scene::SpaceBox{{-1, -1, -1}, {1, 1, 1}, kRed});
    EXPECT_TRUE(mesh.vertices().empty());
}

/// A folded graph of four nodes, viewed from above: side 2, and the square fills the picture's middle.
TEST(SpacePainter, NodesHaveTheirColours) {
    SpaceStage stage;
    scene::SpaceScene s = emptySpace();
    scene::SpaceCamera camera{.span = 2, .perspective = 0};
    camera.face(scene::Plane::xz);
    s.toClip = camera.toClip(s.size, {{-1, -1, -1}, {1, 1, 1}});
    s.toEye = camera.toEye();
    s.eye = camera.eye();
    s.surface.x = {-0.5F, 0, 0.5F};
    s.surface.z = {-0.5F, 0, 0.5F};
    s.surface.heights = {0.2F, 0.2F, 0.2F, 0.2F};
    s.surface.colours = {kRed, kGreen, kBlue, scene::hex(0xFFFFFF)};
    s.surface.nodes = {0, 1, 2, 3};
    stage.paint(s);
    EXPECT_TRUE(near(stage.at(30, 30), kRed, 2));
    EXPECT_TRUE(near(stage.at(70, 30), kGreen, 2));
    EXPECT_TRUE(near(stage.at(48, 70), kBlue, 2));
    EXPECT_TRUE(near(stage.at(52, 52), scene::hex(0xFFFFFF), 2));
    EXPECT_EQ(stage.at(20, 50), kGround);
    s.surface.edged = true;
    stage.paint(s);
    EXPECT_TRUE(near(stage.at(30, 30), kRed, 2));
    EXPECT_GT(apart(stage.at(50, 30), kGreen), 40);
}

/// The ground never shows through a crack in a surface, from any side.
TEST(SpacePainter, TheSurfaceHasNoCracks) {
    std::mt19937 random(3);
    std::vector<sim::CostNode> nodes(4000);
    for (sim::CostNode& n : nodes) n.cycles = 900 + random() % 100;
    nodes.resize(63 * 63);
    const scene::FoldedGraph graph(nodes, scene::NodeOrder::address);
    Stage frame(200, 150);
    auto painter = SpacePainter::create();
    ASSERT_TRUE(painter.has_value());
    for (int i = 0; i < 12; ++i) {
        scene::FoldedLook look;
        look.size = {200, 150};
        look.textSize = 1;
        look.camera = {.target = {0.1F, 0.45F, 0}, .azimuth = static_cast<float>(i), .elevation = 0.9F, .span = 0.25F};
        look.camera.perspective = static_cast<float>(i) / 12;
        scene::SpaceScene scene = foldedScene(graph, look);
        scene.background = scene::hex(0xFF00FF);
        scene.segments.clear();
        frame.frame().bind();
        (*painter)->paint(scene, {0, 0, 200, 150}, 150);
        frame.read();
        for (int y = 0; y < 150; ++y) {
            for (int x = 0; x < 200; ++x) ASSERT_GT(apart(frame.at(x, y), scene::hex(0xFF00FF)), 8) << i;
        }
    }
}

TEST(SpacePainter, FillsOnlyItsRectangle) {
    SpaceStage stage;
    stage.frame().bind();
    clear(kBlue, 100, 100);
    scene::SpaceScene s = emptySpace();
    s.boxes.push_back({{-5, -5, 0}, {5, 5, 0.1F}, kRed});
    s.points.push_back({{0.99F, 0.99F, 0.5F}, kGreen});
    s.pointSize = 20;
    stage.paint(s, {20, 10, 50, 50});
    EXPECT_EQ(stage.at(19, 30), kBlue);
    EXPECT_EQ(stage.at(70, 30), kBlue);
    EXPECT_EQ(stage.at(30, 9), kBlue);
    EXPECT_EQ(stage.at(30, 60), kBlue);
    EXPECT_TRUE(near(stage.at(20, 10), kRed, 2));
    EXPECT_TRUE(near(stage.at(69, 10), kGreen, 2));
    EXPECT_TRUE(near(stage.at(69, 59), kRed, 2));
}

TEST(SpacePainter, WhatItPaintsDependsOnTheSceneAlone) {
    SpaceStage stage;
    sim::HistoryLevel level;
    level.caches = 3;
    std::mt19937 random(4);
    for (std::uint32_t b = 0; b < 30; ++b) {
        level.blocks.push_back({sim::BlockAddress{b}, b, static_cast<std::uint32_t>(level.stays.size())});
        for (std::uint32_t i = 0; i < 30; ++i) {
            sim::Stay stay;
            stay.block = b;
            stay.cache = stay.cpu = static_cast<std::uint8_t>(i / 10);
            stay.from = i % 10 * 100 + random() % 50;
            stay.to = stay.from + 1 + random() % 50;
            level.stays.push_back(stay);
        }
    }
    const scene::BlockView view(level, 0, 1000, scene::BlockOrder::cost);
    scene::BlockLook look;
    look.size = {100, 100};
    look.textSize = 3;
    look.lens = scene::Interval{200, 400};
    look.playhead = 600;
    look.camera = homeCamera(view, look, scene::blockCamera(1));
    const scene::SpaceScene s = blockScene(view, look);
    const Pixels first = stage.paint(s);
    EXPECT_EQ(stage.paint(s), first);
    stage.paint(emptySpace());
    EXPECT_EQ(stage.paint(s), first);
    stage.paint(s, {0, 0, 40, 40});
    EXPECT_EQ(stage.paint(s), first);
    stage.renewSpace();
    EXPECT_EQ(stage.paint(s), first);
    // State left by another painter does not matter either.
    stage.Stage::paint(emptyScene(100, 100));
    EXPECT_EQ(stage.paint(s), first);
}

TEST(SpacePainter, LeavesTheOthersAsTheyWere) {
    SpaceStage stage;
    scene::Scene flat = emptyScene(100, 100);
    flat.moving.push_back({.at = {50, 50}, .radius = 30, .fill = kRed, .rim = {}});
    const Pixels before = stage.Stage::paint(flat);
    scene::SpaceScene s = emptySpace();
    s.boxes.push_back({{-5, -5, 0}, {5, 5, 0.1F}, kRed});
    stage.paint(s);
    EXPECT_EQ(stage.Stage::paint(flat), before);
}

}  // namespace
}  // namespace whorl::gl
