#include "render/scene/space/block_view.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <glm/geometric.hpp>
#include <random>

#include "render/scene/palette.h"
#include "render/scene/space/block_pick.h"
#include "render/scene/space/block_scene.h"
#include "scene/space/made_level.h"
#include "support/scene_texts.h"

namespace whorl::scene {
namespace {

using Draw = BlockLook::Draw;

/// Three blocks in two caches over 1000 cycles; the second costs the most, the third the least.
Made small() {
    Made m(2);
    m.block(10, 50).stay(0, 0, 100).stay(0, 500, 1000, sim::Leaving::resident).stay(1, 100, 400);
    m.block(11, 90).stay(1, 200, 700, sim::Leaving::replaced);
    m.block(14, 20).stay(0, 300, 350, sim::Leaving::replaced);
    return m;
}

TEST(BlockView, PutsTheMostExpensiveOrTheHighestOnTop) {
    const Made m = small();
    const BlockView byCost(m.level, 0, 1000, BlockOrder::cost);
    ASSERT_EQ(byCost.rows(), 3U);
    EXPECT_EQ(byCost.blockOf(0), 2U);
    EXPECT_EQ(byCost.blockOf(1), 0U);
    EXPECT_EQ(byCost.blockOf(2), 1U);
    EXPECT_EQ(byCost.rowOf(2), 0U);
    EXPECT_EQ(byCost.staysOf(1, 0), (std::pair<std::uint32_t, std::uint32_t>(0, 2)));
    EXPECT_EQ(byCost.staysOf(1, 1), (std::pair<std::uint32_t, std::uint32_t>(2, 3)));
    EXPECT_EQ(byCost.staysOf(2, 0), (std::pair<std::uint32_t, std::uint32_t>(3, 3)));
    const BlockView byAddress(m.level, 0, 1000, BlockOrder::address);
    for (std::uint32_t row = 0; row < 3; ++row) EXPECT_EQ(byAddress.blockOf(row), row);
}

TEST(BlockView, HasAsManyBlocksAsTheirStaysAllow) {
    Made m(1);
    for (std::uint64_t b = 0; b < 200; ++b) m.block(b, b).stay(0, 0, 10).stay(0, 20, 30);
    EXPECT_EQ(BlockView(m.level, 0, 100, BlockOrder::cost, 240).rows(), 120U);
    EXPECT_EQ(BlockView(m.level, 0, 100, BlockOrder::cost, 1).rows(), BlockView::kFewestBlocks);
    const BlockView view(m.level, 0, 100, BlockOrder::address, 240);
    EXPECT_EQ(view.rows(), 120U);
    // The eighty cheapest are left out, in either order.
    EXPECT_EQ(view.blockOf(0), 80U);
    EXPECT_FALSE(view.rowOf(79).has_value());
}

/// With too many stays for all, a part of the time has rows for the blocks that are in the caches then.
TEST(BlockView, OfAPartOfTheTimeHasTheBlocksThatWereThereThen) {
    Made m(1);
    for (std::uint64_t b = 0; b < 200; ++b) {
        m.block(b, 1000 - b);
        for (sim::Cycles t = 0; t < 4; ++t) m.stay(0, 100 * b + 10 * t, 100 * b + 10 * t + 5);
    }
    const BlockView all(m.level, 0, 20'000, BlockOrder::cost, 400);
    EXPECT_FALSE(all.hasAll());
    EXPECT_EQ(all.rows(), 100U);
    EXPECT_FALSE(all.rowOf(150).has_value());
    const BlockView part(m.level, 0, 20'000, BlockOrder::cost, Interval{15'001, 15'900}, 400);
    EXPECT_EQ(part.rows(), 9U);
    EXPECT_EQ(part.rowOf(150), 8U) << "the most expensive of them on top";
    EXPECT_EQ(part.rowOf(158), 0U);
    EXPECT_FALSE(part.rowOf(149).has_value());
    EXPECT_FALSE(part.rowOf(159).has_value());
    EXPECT_EQ(part.staysOf(8, 0), (std::pair<std::uint32_t, std::uint32_t>(600, 604))) << "all its stays";
    // Only the stays of that time count.
    EXPECT_EQ(BlockView(m.level, 0, 20'000, BlockOrder::address, Interval{0, 15'000}, 240).rows(), 60U);
    EXPECT_EQ(BlockView(m.level, 0, 20'000, BlockOrder::cost, Interval{50, 90}, 400).rows(), 0U);
    EXPECT_TRUE(BlockView(m.level, 0, 20'000, BlockOrder::cost).hasAll());
}

TEST(BlockScene, BoxesLieWhereTheirStaysSay) {
    const Made m = small();
    const BlockView view(m.level, 0, 1000, BlockOrder::cost);
    const BlockLook look = lookAt(view, Draw::boxes);
    const SpaceScene scene = blockScene(view, look);
    ASSERT_EQ(scene.boxes.size(), 5U);
    // Time: 1000 cycles are 2 long, from -1. Rows: a third of the height each. CPU 0 is farther along x than CPU 1.
    const float third = extentOf(view, look).high.y * 2 / 3;
    const auto isAt = [&](float x, float y, float z0, float z1) {
        return std::any_of(scene.boxes.begin(), scene.boxes.end(), [&](const SpaceBox& b) {
            const glm::vec3 middle = (b.low + b.high) * 0.5F;
            return std::abs(middle.x - x) < 1e-5F && std::abs(middle.y - y) < 1e-5F && std::abs(b.low.z - z0) < 1e-5F &&
                   std::abs(b.high.z - z1) < 1e-5F;
        });
    };
    EXPECT_TRUE(isAt(0.1F, 0, -1, -0.8F));
    EXPECT_TRUE(isAt(0.1F, 0, 0, 1));
    EXPECT_TRUE(isAt(-0.1F, 0, -0.8F, -0.2F));
    EXPECT_TRUE(isAt(-0.1F, third, -0.6F, 0.4F));
    EXPECT_TRUE(isAt(0.1F, -third, -0.4F, -0.3F));
    for (const SpaceBox& b : scene.boxes) {
        EXPECT_EQ(b.colour, cpuColour(Ground::dark, b.low.x > 0 ? 0 : 1));
        // As broad as high, and separate from the next row and plane.
        EXPECT_NEAR(b.high.x - b.low.x, b.high.y - b.low.y, 1e-5F);
        EXPECT_LT(b.high.y - b.low.y, 1.0F / 3);
        EXPECT_LT(b.high.x - b.low.x, 0.2F);
    }
}

TEST(BlockScene, TemperatureIsAPointForEachComingAndGoing) {
    const Made m = small();
    const BlockView view(m.level, 0, 1000, BlockOrder::cost);
    const BlockLook look = lookAt(view, Draw::points);
    const SpaceScene scene = blockScene(view, look);
    EXPECT_TRUE(scene.boxes.empty());
    ASSERT_EQ(scene.points.size(), 10U);
    const auto isAt = [&](glm::vec3 at) {
        return std::any_of(scene.points.begin(), scene.points.end(),
                           [&](const SpacePoint& p) { return glm::distance(p.at, at) < 1e-5F; });
    };
    EXPECT_TRUE(isAt({0.1F, 0, -1}));
    EXPECT_TRUE(isAt({0.1F, 0, -0.8F}));
    EXPECT_TRUE(isAt({-0.1F, extentOf(view, look).high.y * 2 / 3, 0.4F}));
}

TEST(BlockScene, FacesLeanByWhyTheBlockLeft) {
    const Made m = small();
    const BlockView view(m.level, 0, 1000, BlockOrder::cost);
    const SpaceScene scene = blockScene(view, lookAt(view, Draw::faces));
    ASSERT_EQ(scene.faces.size(), 5U);
    int rising = 0;
    for (const SpaceFace& f : scene.faces) {
        EXPECT_NEAR(std::abs(f.u.x), std::abs(f.u.y), 1e-6F);  // 45° to the plane of the CPU
        EXPECT_EQ(f.u.z, 0);
        EXPECT_EQ(f.v.x, 0);
        EXPECT_EQ(f.v.y, 0);
        if (f.u.x * f.u.y > 0) ++rising;
    }
    EXPECT_EQ(rising, 2);  // the two that were invalidated
    // Seen at 45° from above these face the viewer, and the others are edge-on.
    BlockLook look = lookAt(view, Draw::faces);
    look.camera.face(Plane::yz);
    look.camera.elevation = 0.785398F;
    for (const SpaceFace& f : blockScene(view, look).faces) {
        const float facing = std::abs(glm::dot(glm::normalize(glm::cross(f.u, f.v)), look.camera.toEye()));
        EXPECT_NEAR(facing, f.u.x * f.u.y > 0 ? 1 : 0, 1e-4F);
    }
}

TEST(BlockScene, ShowsOnlyWhatIsAskedFor) {
    const Made m = small();
    const BlockView view(m.level, 0, 1000, BlockOrder::cost);
    const auto boxes = [&](auto tune) {
        BlockLook look = lookAt(view, Draw::boxes);
        tune(look);
        return blockScene(view, look).boxes.size();
    };
    EXPECT_EQ(boxes([](BlockLook& l) { l.coherence = false; }), 3U);
    EXPECT_EQ(boxes([](BlockLook& l) { l.replacement = false; }), 3U);
    EXPECT_EQ(boxes([](BlockLook& l) { l.other = false; }), 4U);
    EXPECT_EQ(boxes([](BlockLook& l) { l.caches = 1; }), 3U);
    EXPECT_EQ(boxes([](BlockLook& l) { l.caches = 2; }), 2U);
    EXPECT_EQ(boxes([](BlockLook& l) { l.range = Interval{410, 490}; }), 1U);
}

TEST(BlockScene, ARangeIsStretchedOverTheAxis) {
    const Made m = small();
    const BlockView view(m.level, 0, 1000, BlockOrder::cost);
    BlockLook look = lookAt(view, Draw::boxes);
    look.caches = 2;
    look.range = Interval{300, 500};
    const SpaceScene scene = blockScene(view, look);
    ASSERT_EQ(scene.boxes.size(), 2U);
    // 100 to 400 is cut at 300, so 400 is half way; 200 to 700 fills it all.
    EXPECT_NEAR(scene.boxes[0].low.z, -1, 1e-5F);
    EXPECT_NEAR(scene.boxes[0].high.z, 0, 1e-5F);
    EXPECT_NEAR(scene.boxes[1].low.z, -1, 1e-5F);
    EXPECT_NEAR(scene.boxes[1].high.z, 1, 1e-5F);
}

TEST(BlockScene, DrawsInFullWhatIsInTheLensOrStandsOut) {
    const Made m = small();
    const BlockView view(m.level, 0, 1000, BlockOrder::cost);
    BlockLook look = lookAt(view, Draw::automatic);
    look.lens = Interval{250, 600};
    SpaceScene scene = blockScene(view, look);
    // In it: 500 to 600 and 250 to 400 of the first block, 250 to 600 of the second, all of the third.
    ASSERT_EQ(scene.boxes.size(), 4U);
    for (const SpaceBox& b : scene.boxes) {
        EXPECT_GE(b.low.z, -0.5F - 1e-5F);
        EXPECT_LE(b.high.z, 0.2F + 1e-5F);
    }
    const Rgba yellow = paletteFor(look.ground).lens;
    EXPECT_EQ(std::count_if(scene.overlay.begin(), scene.overlay.end(),
                            [&](const SpaceSegment& s) { return s.colour == yellow; }),
              12);
    // Of a lens that begins before what is shown, the four long edges and the end are seen.
    look.range = Interval{300, 1000};
    scene = blockScene(view, look);
    EXPECT_EQ(std::count_if(scene.overlay.begin(), scene.overlay.end(),
                            [&](const SpaceSegment& s) { return s.colour == yellow; }),
              8);
    look.range.reset();
    look.lens.reset();
    look.highlights = std::make_shared<const std::vector<std::uint32_t>>(std::vector<std::uint32_t>{3});
    look.picked = 4;
    scene = blockScene(view, look);
    ASSERT_EQ(scene.boxes.size(), 2U);
    EXPECT_EQ(scene.overlay.size(), 12U);
}

TEST(BlockScene, ColoursFollowHowTheCacheHoldsTheBlock) {
    Made m(1);
    m.block(1, 1).stay(0, 0, 1000);
    sim::Stay stay = m.level.stays[0];
    stay.holding = sim::Holding::exclusive;
    m.level.stays.set(0, stay);
    m.level.changes.push_back({0, sim::Tick{1}, 250, sim::Holding::modified});
    const BlockView view(m.level, 0, 1000, BlockOrder::cost);
    BlockLook look = lookAt(view, Draw::boxes);
    look.colour = BlockLook::Colour::state;
    const SpaceScene scene = blockScene(view, look);
    const auto& holding = paletteFor(look.ground).holding;
    ASSERT_EQ(scene.boxes.size(), 2U);
    EXPECT_EQ(scene.boxes[0].colour, holding[1]);
    EXPECT_NEAR(scene.boxes[0].high.z, -0.5F, 1e-5F);
    EXPECT_EQ(scene.boxes[1].colour, holding[2]);
    EXPECT_NEAR(scene.boxes[1].low.z, -0.5F, 1e-5F);
    EXPECT_NEAR(scene.boxes[1].high.z, 1, 1e-5F);
}

TEST(BlockScene, ColoursFollowTheObject) {
    Made m = small();
    for (std::size_t i = 0; i < m.level.stays.size(); ++i) {
        sim::Stay stay = m.level.stays[i];
        stay.object = stay.block;
        m.level.stays.set(i, stay);
    }
    const BlockView view(m.level, 0, 1000, BlockOrder::cost);
    BlockLook look = lookAt(view, Draw::boxes);
    look.colour = BlockLook::Colour::objectClass;
    look.objectColours = std::make_shared<const std::vector<Rgba>>(std::vector<Rgba>{hex(1), hex(2), hex(3)});
    const SpaceScene scene = blockScene(view, look);
    EXPECT_EQ(
        std::count_if(scene.boxes.begin(), scene.boxes.end(), [](const SpaceBox& b) { return b.colour == hex(1); }), 3);
}

TEST(BlockScene, WhatIsCloserThanAPixelMelts) {
    Made m(1);
    m.block(1, 1);
    for (sim::Cycles t = 0; t < 100'000; t += 10) m.stay(0, t, t + 5);
    const BlockView view(m.level, 0, 1'000'000, BlockOrder::cost);
    const SpaceScene lines = blockScene(view, lookAt(view, Draw::lines));
    const auto along = std::count_if(lines.segments.begin(), lines.segments.end(),
                                     [](const SpaceSegment& s) { return s.colour == cpuColour(Ground::dark, 0); });
    EXPECT_EQ(along, 1);
    EXPECT_TRUE(lines.points.empty());
    // A tenth of the axis, which is less than the picture's width, has at most one point per pixel.
    const SpaceScene points = blockScene(view, lookAt(view, Draw::points));
    EXPECT_LT(points.points.size(), 200U);
    EXPECT_GT(points.points.size(), 50U);
}

TEST(BlockScene, GivesUpTheSmallForTheLarge) {
    const sim::HistoryLevel level = randomLevel(60, 8, 3, 20'000);
    const BlockView view(level, 0, 20'000, BlockOrder::cost);
    BlockLook look = lookAt(view, Draw::boxes);
    const SpaceScene all = blockScene(view, look);
    ASSERT_GT(all.boxes.size(), 3000U);
    look.budget = 2000;
    const SpaceScene few = blockScene(view, look);
    EXPECT_LT(3 * few.boxes.size() + few.faces.size(), 2100U);
    EXPECT_EQ(few.boxes.size() + few.faces.size() + few.segments.size(),
              all.boxes.size() + all.faces.size() + all.segments.size());
    look.budget = 6000;
    const SpaceScene some = blockScene(view, look);
    ASSERT_GT(some.boxes.size() + some.faces.size(), 1000U);
}

TEST(BlockScene, IsAFunctionOfItsArguments) {
    const sim::HistoryLevel level = randomLevel(40, 4, 4, 50'000);
    const BlockView view(level, 0, 50'000, BlockOrder::address);
    BlockLook look = lookAt(view, Draw::automatic);
    look.budget = 500;
    const SpaceScene first = blockScene(view, look);
    BlockLook other = look;
    other.camera.turn({40, 10}, other.size);
    EXPECT_FALSE(samePicture(blockScene(view, other), first));
    EXPECT_TRUE(samePicture(blockScene(view, look), first));
}

TEST(BlockScene, LabelsAreInsideAndApart) {
    const sim::HistoryLevel level = randomLevel(40, 16, 5, 50'000);
    const BlockView view(level, 0, 50'000, BlockOrder::address);
    std::mt19937 random(6);
    for (int i = 0; i < 20; ++i) {
        BlockLook look = lookAt(view, Draw::lines);
        look.title = "L1";
        look.camera.turn({static_cast<float>(random() % 1400), static_cast<float>(random() % 200)}, look.size);
        look.camera.span *= 0.5F + static_cast<float>(random() % 100) / 50;
        const SpaceScene scene = blockScene(view, look);
        for (std::size_t a = 0; a < scene.labels.size(); ++a) {
            const Label& l = scene.labels[a];
            EXPECT_TRUE(l.at.x > 0 && l.at.y > 0 && l.at.x < look.size.x && l.at.y < look.size.y) << l.text;
            for (std::size_t b = 0; b < a; ++b) {
                const Label& o = scene.labels[b];
                EXPECT_TRUE(std::abs(l.at.y - o.at.y) >= 0.5F * l.size || std::abs(l.at.x - o.at.x) > 8)
                    << l.text << " on " << o.text;
            }
        }
    }
}

TEST(BlockScene, NamesBlocksAndCpus) {
    const Made m = small();
    const BlockView view(m.level, 0, 1000, BlockOrder::cost);
    BlockLook look = lookAt(view, Draw::boxes);
    const SpaceScene plain = blockScene(view, look);
    EXPECT_TRUE(hasLabel(plain, "CPU 0"));
    EXPECT_TRUE(hasLabel(plain, "CPU 1"));
    EXPECT_TRUE(hasLabel(plain, "0x2c0"));  // block 11 of 64 bytes
    look.nameOf = [](std::uint32_t block) { return block == 1 ? "array[3]" : ""; };
    EXPECT_TRUE(hasLabel(blockScene(view, look), "array[3]"));
}

// --- picking
// ---------------------------------------------------------------------------------------------------------------

/// The first box on the line of sight, by brute force.
std::optional<std::uint32_t> stayByBruteForce(const BlockView& view, const BlockLook& look, glm::vec2 pixel) {
    const BlockFrame frame(view, look);
    const Ray ray = rayAt(look.camera.toClip(look.size, frame.around()), pixel, look.size);
    const glm::dvec3 from(ray.from);
    const glm::dvec3 way = glm::dvec3(ray.to) - from;
    std::optional<std::uint32_t> best;
    double bestAt = 2;
    for (std::uint32_t i = 0; i < view.level().stays.size(); ++i) {
        const sim::Stay& s = view.level().stays[i];
        const auto row = view.rowOf(s.block);
        if (!row || !frame.shows(s) || !frame.showsCache(s.cache)) continue;
        const glm::dvec3 low(frame.xOf(s.cache) - frame.half(), frame.yOf(*row, s.cache) - frame.halfHigh(),
                             frame.zOf(frame.partOf(s).from));
        const glm::dvec3 high(frame.xOf(s.cache) + frame.half(), frame.yOf(*row, s.cache) + frame.halfHigh(),
                              frame.zOf(frame.partOf(s).to));
        double enter = 0;
        double leave = 1;
        for (int axis = 0; axis < 3; ++axis) {
            const double a = (low[axis] - from[axis]) / way[axis];
            const double b = (high[axis] - from[axis]) / way[axis];
            enter = std::max(enter, std::min(a, b));
            leave = std::min(leave, std::max(a, b));
        }
        if (enter > leave || enter >= bestAt) continue;
        bestAt = enter;
        best = i;
    }
    return best;
}

TEST(BlockPick, FindsWhatAllBoxesTriedWouldFind) {
    std::mt19937 random(7);
    int hits = 0;
    int differ = 0;
    for (unsigned i = 0; i < 40; ++i) {
        const sim::HistoryLevel level = randomLevel(1 + random() % 60, 1 + random() % 8, 200 + i, 20'000);
        const BlockView view(level, 0, 20'000, i % 2 == 0 ? BlockOrder::cost : BlockOrder::address);
        BlockLook look = lookAt(view, Draw::boxes);
        look.camera.turn({static_cast<float>(random() % 1400), static_cast<float>(random() % 300) - 150}, look.size);
        look.camera.perspective = static_cast<float>(random() % 11) / 10;
        look.camera.span *= i % 3 == 0 ? 0.4F : 1;
        look.caches = i % 4 == 0 ? 0x5 : ~std::uint64_t{0};
        look.replacement = i % 5 != 0;
        if (i % 6 == 0) look.range = Interval{3000, 9000};
        for (int k = 0; k < 60; ++k) {
            const glm::vec2 pixel(static_cast<float>(random() % 1280) + 0.37F,
                                  static_cast<float>(random() % 720) + 0.41F);
            const auto wanted = stayByBruteForce(view, look, pixel);
            if (!wanted) continue;
            ++hits;
            // Where two begin at the same position, rounding may order them differently.
            if (pickStay(view, look, pixel) != wanted) ++differ;
        }
    }
    EXPECT_GT(hits, 600);
    EXPECT_LE(differ, 2);
}

TEST(BlockPick, ReachesAFewPixelsFar) {
    Made m(1);
    m.block(1, 1).stay(0, 500, 501);
    for (std::uint64_t b = 2; b < 200; ++b) m.block(b, 0).stay(0, 900, 910);
    const BlockView view(m.level, 0, 1000, BlockOrder::cost);
    BlockLook look = lookAt(view, Draw::points);
    const SpaceScene scene = blockScene(view, look);
    const BlockFrame frame(view, look);
    const glm::vec2 at = pixelOf(scene.toClip, {frame.xOf(0), frame.yOf(199 - 1), frame.zOf(500)}, look.size);
    EXPECT_EQ(pickStay(view, look, at), 0U);
    EXPECT_EQ(pickStay(view, look, at + glm::vec2(-2.5F, 1)), 0U);
    EXPECT_FALSE(pickStay(view, look, at + glm::vec2(-9, 0)).has_value());
}

TEST(BlockPick, ThePointsOfALongStayAreItsEnds) {
    Made m(1);
    m.block(1, 1).stay(0, 100, 900);
    const BlockView view(m.level, 0, 1000, BlockOrder::cost);
    BlockLook look = lookAt(view, Draw::points);
    const glm::mat4 m4 = blockScene(view, look).toClip;
    EXPECT_EQ(pickStay(view, look, pixelOf(m4, {0, 0, -0.8F}, look.size)), 0U);
    EXPECT_EQ(pickStay(view, look, pixelOf(m4, {0, 0, 0.8F}, look.size)), 0U);
    EXPECT_FALSE(pickStay(view, look, pixelOf(m4, {0, 0, 0}, look.size)).has_value());
    look.draw = Draw::lines;
    EXPECT_EQ(pickStay(view, look, pixelOf(m4, {0, 0, 0}, look.size)), 0U);
}

TEST(BlockPick, FindsTheTimeUnderThePointer) {
    const Made m = small();
    const BlockView view(m.level, 0, 1000, BlockOrder::cost);
    BlockLook look = lookAt(view, Draw::boxes);
    const glm::mat4 toClip = blockScene(view, look).toClip;
    for (const sim::Cycles t : {0U, 250U, 777U, 1000U}) {
        const float z = static_cast<float>(t) / 500 - 1;
        const glm::vec2 pixel = pixelOf(toClip, {look.camera.target.x, 0.2F, z}, look.size);
        EXPECT_NEAR(timeAt(view, look, pixel), static_cast<double>(t), 0.01);
    }
    EXPECT_EQ(timeAt(view, look, {-5000, 300}), 0);
}

TEST(BlockPick, WhatIsFarInTheTimeMovesAsThePointerDoes) {
    const Made m = small();
    const BlockView view(m.level, 0, 1000, BlockOrder::cost);
    BlockLook look = lookAt(view, Draw::boxes);
    look.range = Interval{200.5, 260.25};
    for (const float azimuth : {-1.5707963F, 1.5707963F}) {
        look.camera.azimuth = azimuth;
        look.camera.elevation = 0;
        const glm::vec2 middle = look.size / 2.0F;
        const double passed = timeAt(view, look, middle + glm::vec2(80, 0)) - timeAt(view, look, middle);
        EXPECT_NEAR(cyclesAcross(view, look, 80), passed, 1e-3);
        EXPECT_EQ(passed<0, azimuth> 0) << "from behind, time runs to the left";
        EXPECT_EQ(cyclesAcross(view, look, 0), 0);
    }
}

// --- a part of the time
// ---------------------------------------------------------------------------------------------------------------

/// Everything drawn lies inside the box, whatever part of the time it shows.
TEST(BlockScene, IsCutAtBothEndsOfTheTime) {
    std::mt19937 random(8);
    for (unsigned i = 0; i < 60; ++i) {
        const sim::HistoryLevel level = randomLevel(1 + random() % 40, 1 + random() % 4, 300 + i, 20'000);
        const BlockView view(level, 0, 20'000, BlockOrder::cost);
        BlockLook look = lookAt(view, static_cast<Draw>(i % 5));
        if (i % 3 == 0) look.colour = BlockLook::Colour::state;
        const double from = static_cast<double>(random() % 19'000) + 0.3;
        look.range = Interval{from, from + std::exp2(static_cast<double>(random() % 13))};
        if (i % 4 == 0) look.chosen = Interval{from - 100, from + 3};
        if (i % 2 == 0) look.lens = Interval{from + 1, from + 500};
        const SpaceScene scene = blockScene(view, look);
        const auto isInside = [](float z) { return z >= -1 - 1e-5F && z <= 1 + 1e-5F; };
        for (const SpaceBox& b : scene.boxes) EXPECT_TRUE(isInside(b.low.z) && isInside(b.high.z));
        for (const SpaceFace& f : scene.faces) EXPECT_TRUE(isInside(f.a.z) && isInside(f.a.z + f.u.z + f.v.z));
        for (const SpacePoint& p : scene.points) EXPECT_TRUE(isInside(p.at.z));
        for (const auto* lines : {&scene.segments, &scene.overlay}) {
            for (const SpaceSegment& s : *lines) {
                const bool isTick = s.colour == paletteFor(look.ground).muted;
                EXPECT_TRUE(isTick || (isInside(s.a.z) && isInside(s.b.z)));
            }
        }
        ASSERT_FALSE(testing::Test::HasFailure()) << "case " << i;
    }
}

/// What is drawn of a part of the time is where it is drawn in all of it, only stretched.
TEST(BlockScene, AStayKeepsItsTimesAtAnyZoom) {
    const Made m = small();
    const BlockView view(m.level, 0, 1000, BlockOrder::cost);
    BlockLook look = lookAt(view, Draw::boxes);
    look.range = Interval{287.5, 359.5};
    const SpaceScene scene = blockScene(view, look);
    const auto at = [](double cycle) { return static_cast<float>((cycle - 287.5) / 36 - 1); };
    const auto third = std::find_if(scene.boxes.begin(), scene.boxes.end(), [](const SpaceBox& b) {
        return b.high.y < -0.1F;  // the cheapest block, in the lowest row
    });
    ASSERT_NE(third, scene.boxes.end());
    EXPECT_NEAR(third->low.z, at(300), 1e-5F);
    EXPECT_NEAR(third->high.z, at(350), 1e-5F);
    EXPECT_EQ(third->colour, cpuColour(Ground::dark, 0)) << "as in all of the time";
}

TEST(BlockScene, WhatOnlyTouchesAPartOfTheTimeIsNotInIt) {
    Made m(1);
    m.block(1, 1).stay(0, 100, 300).stay(0, 700, 900);
    const BlockView view(m.level, 0, 1000, BlockOrder::cost);
    BlockLook look = lookAt(view, Draw::boxes);
    const auto marks = [&](double from, double to) {
        look.range = Interval{from, to};
        const SpaceScene s = blockScene(view, look);
        const auto ofStays = [](const auto& thing) { return thing.colour == cpuColour(Ground::dark, 0); };
        return s.boxes.size() + s.points.size() +
               static_cast<std::size_t>(std::count_if(s.segments.begin(), s.segments.end(), ofStays));
    };
    EXPECT_EQ(marks(300, 700), 0U);
    EXPECT_EQ(marks(299, 700), 1U);
    EXPECT_EQ(marks(300, 701), 1U);
}

TEST(BlockScene, APointIsOnlyWhereABlockComesOrLeaves) {
    Made m(1);
    m.block(1, 1).stay(0, 100, 900);
    const BlockView view(m.level, 0, 1000, BlockOrder::cost);
    BlockLook look = lookAt(view, Draw::points);
    look.range = Interval{200, 800};
    EXPECT_TRUE(blockScene(view, look).points.empty());
    const glm::mat4 toClip = blockScene(view, look).toClip;
    EXPECT_FALSE(pickStay(view, look, pixelOf(toClip, {0, 0, -1}, look.size)).has_value()) << "it is cut there";
    look.range = Interval{100, 800};
    EXPECT_EQ(blockScene(view, look).points.size(), 1U);
    EXPECT_EQ(pickStay(view, look, pixelOf(toClip, {0, 0, -1}, look.size)), 0U);
    // The ends of lens and selected range are no comings and leavings either.
    look.range.reset();
    look.chosen = Interval{300, 400};
    EXPECT_EQ(blockScene(view, look).points.size(), 2U);
}

/// With many rows, cells tell where blocks come and leave in all of the time; in a short part hardly any do.
TEST(BlockScene, DrawsLinesWhereItIsZoomedFarIn) {
    const sim::HistoryLevel level = randomLevel(900, 1, 9, 20'000);
    const BlockView view(level, 0, 20'000, BlockOrder::cost);
    BlockLook look = lookAt(view, Draw::automatic);
    const SpaceScene all = blockScene(view, look);
    ASSERT_GT(all.faces.size(), 900U);
    look.range = Interval{8000, 8008};
    const SpaceScene part = blockScene(view, look);
    const auto across = std::count_if(part.segments.begin(), part.segments.end(), [](const SpaceSegment& s) {
        return s.a.z == -1 && s.b.z == 1 && s.colour == cpuColour(Ground::dark, 0);
    });
    EXPECT_GT(across, 100) << "what stays through all of it";
}

TEST(BlockScene, DimsWhatIsOutsideOfTheSelectedRange) {
    const Made m = small();
    const BlockView view(m.level, 0, 1000, BlockOrder::cost);
    BlockLook look = lookAt(view, Draw::boxes);
    look.caches = 2;
    look.chosen = Interval{300, 500};
    const SpaceScene scene = blockScene(view, look);
    // 100 to 400 is cut at 300, 200 to 700 at 300 and 500.
    ASSERT_EQ(scene.boxes.size(), 5U);
    for (const SpaceBox& b : scene.boxes) {
        const float middle = (b.low.z + b.high.z) / 2 * 500 + 500;
        EXPECT_EQ(b.colour == cpuColour(Ground::dark, 1), middle > 300 && middle < 500) << middle;
    }
    const auto edges = [&](const SpaceScene& s) {
        return std::count_if(s.overlay.begin(), s.overlay.end(),
                             [&](const SpaceSegment& e) { return e.colour == paletteFor(look.ground).accent; });
    };
    EXPECT_EQ(edges(scene), 8) << "a frame at either end";
    look.range = Interval{400, 1000};
    EXPECT_EQ(edges(blockScene(view, look)), 4);
}

TEST(BlockScene, SaysWhichPartOfTheTimeItShows) {
    const Made m = small();
    const BlockView view(m.level, 0, 1000, BlockOrder::cost);
    BlockLook look = lookAt(view, Draw::boxes);
    const auto cycles = [&] {
        std::vector<std::string> words;
        for (const Label& l : blockScene(view, look).labels) {
            if (l.text.find("cycles") != std::string::npos) words.push_back(l.text);
        }
        return words;
    };
    EXPECT_EQ(cycles(), std::vector<std::string>{"cycles"});
    const SpaceCamera home = homeCamera(view, look);
    look.range = Interval{250.5, 600};
    EXPECT_EQ(cycles(), std::vector<std::string>{"cycles, shown 250 – 600 of 1 000"});
    EXPECT_EQ(homeCamera(view, look), home) << "the box, and with it all names, stays where it is";
}

}  // namespace
}  // namespace whorl::scene
