// Write-backs can be told from clean evictions and from misses, by shape, while they travel and where they arrive.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <glm/geometric.hpp>
#include <optional>
#include <vector>

#include "render/scene/easing.h"
#include "render/scene/palette.h"
#include "scene/rings/stage.h"

namespace whorl::scene {
namespace {

using sim::EventKind;

/// The squares of write-backs that can be seen.
std::vector<Glyph> squaresIn(const Scene& scene) {
    std::vector<Glyph> squares;
    for (const Glyph& glyph : scene.moving) {
        const bool isOutline = glyph.fill.a == 0 && glyph.rimWidth > 0 && glyph.rim.a > 30;
        if (isOutline && glyph.shape == Shape::square) squares.push_back(glyph);
    }
    return squares;
}

bool hasEvent(const sim::Step& step, const std::function<bool(const sim::Event&)>& is) {
    return std::any_of(step.events.begin(), step.events.end(), is);
}

bool isWriteback(const sim::Event& e) {
    return e.kind == EventKind::writeback;
}
bool isToMemory(const sim::Event& e) {
    return e.kind == EventKind::memory && e.write;
}

/// The end of the first access from `from` on that is of a kind, where nothing was written back shortly before.
std::optional<double> timeOf(TestStage& stage, const View& view, double from,
                             const std::function<bool(const sim::Step&)>& isOfKind) {
    double quietSince = 0;
    for (double t = from; t < stage.end(); ++t) {
        const sim::Step& step = *stage.snapshot(t, view).current();
        const bool isQuiet = t - quietSince > 4;
        if (hasEvent(step, isWriteback)) quietSince = t;
        if (isQuiet && isOfKind(step)) return t;
    }
    return std::nullopt;
}

/// The end of an access that writes one block back, of the nearest level; it is kept by the next one, or not.
std::optional<double> timeOfWriteback(TestStage& stage, const View& view, bool toMemory) {
    return timeOf(stage, view, 1, [&](const sim::Step& step) {
        const auto count = std::count_if(step.events.begin(), step.events.end(), isWriteback);
        return count == 1 && hasEvent(step, isToMemory) == toMemory;
    });
}

TEST(Writebacks, CarryASquareThatArrives) {
    TestStage stage("matmul:n=16", "paper");
    View view;
    const auto t = timeOfWriteback(stage, view, false);
    ASSERT_TRUE(t);
    const double began = *t - 1;
    const auto squaresAt = [&](double moves) { return squaresIn(stage.at(began + moves * view.moveTicks, view)); };
    EXPECT_TRUE(squaresAt(-0.01).empty());
    // On its way, the outline is around the block.
    const Scene& leaving = stage.at(began + 0.7 * view.moveTicks, view);
    const std::vector<Glyph> carried = squaresIn(leaving);
    ASSERT_EQ(carried.size(), 1U);
    const auto inside = std::count_if(leaving.moving.begin(), leaving.moving.end(), [&](const Glyph& g) {
        return g.fill.a > 0 && g.at == carried[0].at && g.radius < carried[0].radius;
    });
    EXPECT_EQ(inside, 1);
    EXPECT_EQ(carried[0].rim.r, paletteFor(view.ground).dirty.r);
    // Where it arrives, it closes in and fades.
    const std::vector<Glyph> arrived = squaresAt(kLeavingMoves + 0.05);
    const std::vector<Glyph> later = squaresAt(kLeavingMoves + 0.7);
    ASSERT_EQ(arrived.size(), 1U);
    ASSERT_EQ(later.size(), 1U);
    EXPECT_LT(later[0].radius, arrived[0].radius);
    EXPECT_LT(later[0].rim.a, arrived[0].rim.a);
    EXPECT_LT(glm::distance(arrived[0].at, squaresAt(kLeavingMoves - 0.02)[0].at), 3);
    EXPECT_TRUE(squaresAt(kFlashMoves + 0.01).empty());
    EXPECT_TRUE(stage.at(began + 1, view).legend.writeback);
}

TEST(WriteThroughs, LeaveAsAStrokeAtEachWrite) {
    sim::MachineConfig machine = *sim::loadMachine("paper");
    machine.levels[0].writeThrough = true;
    TestStage stage(sim::test::ran("conflict"), machine);
    View view;
    const auto goesThrough = [](const sim::Event& e) { return e.kind == EventKind::writeThrough; };
    const auto strokes = [&](double t) {
        const Scene& scene = stage.at(t, view);
        return std::count_if(scene.trails.begin(), scene.trails.end(), [&](const Stroke& s) {
            const Rgba dirty = paletteFor(view.ground).dirty;
            return s.colourB.r == dirty.r && s.colourB.g == dirty.g && s.colourB.b == dirty.b;
        });
    };
    bool anyHit = false;
    for (double t = 1; t < 60; ++t) {
        const sim::Step step = *stage.snapshot(t, view).current();
        if (!hasEvent(step, goesThrough)) continue;
        anyHit |= sim::servedBy(step, machine) == 0;
        EXPECT_GT(strokes(t), 0) << t;
        EXPECT_FALSE(squaresIn(stage.at(t - 1 + 0.4 * view.moveTicks, view)).empty()) << t;
        EXPECT_TRUE(stage.at(t, view).legend.through);
    }
    EXPECT_TRUE(anyHit) << "not only with misses";
}

TEST(Writebacks, ToMemoryArriveAtTheirSlot) {
    TestStage stage("matmul:n=16", "paper");
    View view;
    const auto t = timeOf(stage, view, 1, [&](const sim::Step& step) {
        return std::count_if(step.events.begin(), step.events.end(), isToMemory) == 1;
    });
    ASSERT_TRUE(t);
    const Scene& scene = stage.at(*t, view);
    const float inner = stage.layout().memory.inner;
    const std::vector<Glyph> squares = squaresIn(scene);
    EXPECT_TRUE(std::any_of(squares.begin(), squares.end(),
                            [&](const Glyph& square) { return glm::distance(square.at, scene.centre) > inner; }));
}

TEST(Writebacks, AreNotShownWhereCleanBlocksLeave) {
    TestStage stage("matmul:n=16", "paper");
    View view;
    const auto t = timeOf(stage, view, 200, [](const sim::Step& step) {
        return !hasEvent(step, isWriteback) &&
               hasEvent(step, [](const sim::Event& e) { return e.kind == EventKind::eviction && !e.dirty; });
    });
    ASSERT_TRUE(t);
    for (const double share : {0.2, 0.5, 0.9, 1.0}) EXPECT_TRUE(squaresIn(stage.at(*t - 1 + share, view)).empty());
}

TEST(Writebacks, AreNotRed) {
    for (const Ground ground : {Ground::dark, Ground::light}) {
        const Palette& palette = paletteFor(ground);
        EXPECT_NE(palette.dirty, palette.flash);
        EXPECT_GE(contrast(palette.dirty, palette.ground), 7);
        EXPECT_GE(contrast(palette.dirty, palette.ring), 7);
    }
}

TEST(Writebacks, AreSeenInEachWayOfLooking) {
    TestStage stage("matmul:n=16", "paper");
    const auto t = timeOfWriteback(stage, View{}, false);
    ASSERT_TRUE(t);
    View reduced;
    reduced.reducedMotion = true;
    EXPECT_EQ(squaresIn(stage.at(*t, reduced)).size(), 1U);
    View lapse;
    lapse.lapse = 8;
    EXPECT_FALSE(squaresIn(stage.at(*t, lapse)).empty());
    View elements;
    elements.grain = Grain::elements;
    EXPECT_GT(squaresIn(stage.at(*t, elements)).size(), 1U) << "each element of the block";
}

TEST(Writebacks, OfABlockThatStaysArriveToo) {
    // CPU 1 reads what CPU 0 has written: the block stays in both caches, and what was written goes out.
    TestStage stage(sim::test::parsed("W 4096 4 cpu=0\nR 8192 4 cpu=0\nR 4096 4 cpu=1\nR 8192 4 cpu=1\n"),
                    *sim::loadMachine("coherence"));
    View view;
    ASSERT_TRUE(hasEvent(*stage.snapshot(3, view).current(), isWriteback));
    EXPECT_FALSE(squaresIn(stage.at(3, view)).empty());
}

}  // namespace
}  // namespace whorl::scene
