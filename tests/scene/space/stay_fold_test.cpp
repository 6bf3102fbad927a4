#include "render/scene/space/stay_fold.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <tuple>

#include "render/scene/palette.h"
#include "render/scene/space/block_pick.h"
#include "render/scene/space/block_scene.h"
#include "render/scene/space/block_view.h"
#include "render/scene/space/stay_marks.h"
#include "scene/space/made_level.h"

namespace whorl::scene {
namespace {

using Draw = BlockLook::Draw;

FoldGrid gridOf(const BlockView& view, const BlockLook& look) {
    return foldGrid(look, BlockFrame(view, look));
}

std::string labelWith(const SpaceScene& scene, const std::string& part) {
    for (const Label& l : scene.labels) {
        if (l.text.find(part) != std::string::npos) return l.text;
    }
    return {};
}

/// A burst of stays of five cycles each, and a long one after it.
Made burst() {
    Made m(1);
    m.block(1, 1);
    for (sim::Cycles t = 0; t < 1000; t += 10) m.stay(0, t, t + 5);
    m.stay(0, 50'000, 90'000);
    return m;
}

TEST(StayFold, AShortStayIsThreePixelsWideAndALongOneItself) {
    Made m(1);
    m.block(1, 1).stay(0, 20'000, 20'001).stay(0, 50'000, 90'000, sim::Leaving::replaced);
    const BlockView view(m.level, 0, 100'000, BlockOrder::cost);
    const BlockLook look = lookAt(view, Draw::automatic);
    const FoldGrid grid = gridOf(view, look);
    ASSERT_TRUE(grid.isOn());
    EXPECT_FALSE(grid.events);
    const SpaceScene scene = blockScene(view, look);
    ASSERT_EQ(scene.boxes.size(), 2U);
    const float perStep = static_cast<float>(grid.step) * 2 / 100'000;
    for (const SpaceBox& b : scene.boxes) {
        const bool isLong = b.colour == cpuColour(Ground::dark, 0);
        EXPECT_NEAR(b.high.z - b.low.z, isLong ? 0.8F : perStep, 1e-5F);
        EXPECT_LE(b.low.z, isLong ? 1e-5F : -0.6F);
        EXPECT_GE(b.high.z, isLong ? 0.8F - 1e-5F : -0.6F);
    }
    const float pixels = look.camera.pixelsPerUnit(look.size) * perStep;
    EXPECT_GE(pixels, FoldGrid::kPixels * 0.999F);
    EXPECT_LE(pixels, FoldGrid::kPixels * 1.2F) << "two digits of cycles, rounded up";
}

TEST(StayFold, SaysWhatIsFoldedAndHowMuchAtMost) {
    const Made m = burst();
    const BlockView view(m.level, 0, 100'000, BlockOrder::cost);
    BlockLook look = lookAt(view, Draw::automatic);
    const auto step = static_cast<sim::Cycles>(gridOf(view, look).step);
    ASSERT_GT(step, 100U);
    const std::string most = std::to_string((step + 5) / 10);
    EXPECT_EQ(labelWith(blockScene(view, look), "folded"), "cycles; stays shorter than " + std::to_string(step) +
                                                               " cycles are folded: brighter cells have more, " + most +
                                                               " at most");
    look.ground = Ground::light;
    EXPECT_NE(labelWith(blockScene(view, look), "darker cells have more"), "");
    // Zoomed in far enough, each is there for itself, and nothing is said.
    look.range = Interval{0, 200};
    EXPECT_EQ(labelWith(blockScene(view, look), "folded"), "");
    EXPECT_EQ(blockScene(view, look).boxes.size(), 20U);
}

TEST(StayFold, CellsKeepTheirContentsWhenTheViewIsMovedAlong) {
    const Made m = burst();
    const BlockView view(m.level, 0, 100'000, BlockOrder::cost);
    BlockLook look = lookAt(view, Draw::automatic);
    look.range = Interval{0, 60'000};
    const FoldGrid grid = gridOf(view, look);
    for (const double by : {1.0, 77.0, 12'345.0, 40'000.0}) {
        look.range = Interval{by, 60'000 + by};
        EXPECT_EQ(gridOf(view, look), grid) << by;
    }
}

/// Brightness: a cell of more is never darker on a dark ground, nor lighter on a light one.
TEST(StayFold, MoreIsFartherFromTheGround) {
    for (const Ground ground : {Ground::dark, Ground::light}) {
        for (std::uint32_t cpu = 0; cpu < 8; ++cpu) {
            FoldedColours colours(ground);
            const Rgba colour = cpuColour(ground, cpu);
            float before = 0;
            for (const std::uint32_t count : {1, 2, 3, 5, 9, 17, 33}) {
                const float away =
                    std::abs(oklab(colours.of(colour, count, false)).x - oklab(paletteFor(ground).ground).x);
                EXPECT_GT(away, before) << cpu << ' ' << count;
                before = away;
            }
            EXPECT_NE(colours.of(colour, 33, false), colours.of(colour, 5, false));
            EXPECT_EQ(colours.of(colour, 40, true), colours.of(colour, 5, false)) << "what is dimmed does not glow";
        }
    }
}

/// Adds up what lies under the cells of a picture: each folded stay in exactly one, none left out.
TEST(StayFold, NothingIsLostAndNothingCountedTwice) {
    std::mt19937 random(11);
    for (unsigned i = 0; i < 20; ++i) {
        const sim::HistoryLevel level =
            randomLevel(i % 2 == 0 ? 3 + random() % 20 : 700, 1 + random() % 4, 300 + i, 400'000, 64);
        const BlockView view(level, 0, 400'000, BlockOrder::cost);
        BlockLook look = lookAt(view, Draw::automatic);
        if (i % 3 == 0) look.range = Interval{100'000, 390'000};
        const BlockFrame frame(view, look);
        const FoldGrid grid = gridOf(view, look);
        EXPECT_EQ(grid.events, i % 2 == 1);
        std::uint32_t folded = 0;
        std::map<std::tuple<std::uint32_t, std::uint8_t, std::int64_t>, std::uint32_t> cells;
        const auto count = [&](const sim::Stay& s, double at) {
            ++folded;
            ++cells[{*view.rowOf(s.block) / grid.rows, s.cache, grid.cellAt(at)}];
        };
        for (const sim::Stay& s : level.stays) {
            if (!frame.shows(s)) continue;
            const auto from = static_cast<double>(s.from);
            const auto to = static_cast<double>(s.to);
            if (grid.events && frame.comesInside(s)) count(s, from);
            if (grid.events && frame.leavesInside(s) && s.leaving != sim::Leaving::resident) count(s, to);
            if (!grid.events && to - from < grid.step) count(s, (from + to) / 2);
        }
        ASSERT_GT(folded, 0U) << i;
        std::uint32_t most = 0;
        for (const auto& [cell, n] : cells) most = std::max(most, n);
        SpaceScene scene;
        scene.toClip = look.camera.toClip(look.size, frame.around());
        scene.toEye = look.camera.toEye();
        EXPECT_EQ(addStayMarks(scene, view, look, frame).folded, (Folded{grid, most})) << i;
        // A pointer over a stay is told how many are with it.
        for (int k = 0; k < 30; ++k) {
            const auto index = static_cast<std::uint32_t>(random() % level.stays.size());
            const sim::Stay& s = level.stays[index];
            if (!frame.shows(s) || !frame.comesInside(s)) continue;
            const double at = grid.events ? static_cast<double>(s.from) : static_cast<double>(s.from + s.to) / 2;
            const glm::vec3 place(frame.xOf(s.cache), frame.yOf(*view.rowOf(s.block)),
                                  frame.zOf(std::min(at, frame.to())));
            const auto around = cellAround(view, look, index, pixelOf(scene.toClip, place, look.size));
            const bool isFolded = grid.events || grid.folds(s);
            ASSERT_EQ(around.has_value(), isFolded);
            if (!around) continue;
            EXPECT_EQ(around->count, (cells[{*view.rowOf(s.block) / grid.rows, s.cache, grid.cellAt(at)}]));
            EXPECT_GE(at, around->cycles.from);
            EXPECT_LT(at, around->cycles.to);
        }
    }
}

TEST(StayFold, WhatStandsOutIsNeverFolded) {
    const Made m = burst();
    const BlockView view(m.level, 0, 100'000, BlockOrder::cost);
    BlockLook look = lookAt(view, Draw::automatic);
    look.highlights = std::make_shared<const std::vector<std::uint32_t>>(std::vector<std::uint32_t>{3});
    const Rgba own = cpuColour(look.ground, 0);
    const SpaceScene scene = blockScene(view, look);
    // However short, it is long enough to be pointed at, and in front of the cells.
    const double at = 32.5 * 2 / 100'000 - 1;
    const auto covers = [&](const SpaceBox& b) { return double{b.low.z} <= at && double{b.high.z} >= at; };
    const auto lit =
        std::find_if(scene.boxes.begin(), scene.boxes.end(), [&](const SpaceBox& b) { return b.colour == own; });
    ASSERT_NE(lit, scene.boxes.end());
    EXPECT_EQ(std::count_if(scene.boxes.begin(), scene.boxes.end(), [&](const SpaceBox& b) { return b.colour == own; }),
              1);
    EXPECT_TRUE(covers(*lit));
    const auto pixels = [&](glm::vec3 a, glm::vec3 b) {
        return glm::distance(pixelOf(scene.toClip, a, look.size), pixelOf(scene.toClip, b, look.size));
    };
    EXPECT_GE(pixels({lit->low.x, lit->low.y, lit->low.z}, {lit->low.x, lit->low.y, lit->high.z}), 2.9F);
    EXPECT_GE(pixels({lit->low.x, lit->low.y, lit->low.z}, {lit->low.x, lit->high.y, lit->low.z}), 2.9F);
    for (const SpaceBox& b : scene.boxes) EXPECT_TRUE(!covers(b) || b == *lit || b.low.x > lit->low.x);
}

/// Of all marks, folded, of several CPUs, and of the brightest of them, the one that is lit is farthest from the
/// ground, also where its CPU has the colour that is nearest to it.
TEST(StayFold, WhatStandsOutIsNeverFainterThanWhatDoesNot) {
    for (const Ground ground : {Ground::dark, Ground::light}) {
        const auto away = [&](Rgba c) { return std::abs(oklab(c).x - oklab(paletteFor(ground).ground).x); };
        std::uint8_t faintest = 0;
        for (std::uint8_t cpu = 0; cpu < 8; ++cpu) {
            if (away(cpuColour(ground, cpu)) < away(cpuColour(ground, faintest))) faintest = cpu;
        }
        for (const std::uint32_t blocks : {4U, 20U, 700U}) {
            const sim::HistoryLevel level = randomLevel(blocks, 8, 5, 200'000, 64);
            const BlockView view(level, 0, 200'000, BlockOrder::cost);
            BlockLook look = lookAt(view, Draw::automatic, 0);
            look.ground = ground;
            std::uint32_t stay = 0;
            while (level.stays[stay].cache != faintest) ++stay;
            look.highlights = std::make_shared<const std::vector<std::uint32_t>>(std::vector<std::uint32_t>{stay});
            const BlockFrame frame(view, look);
            SpaceScene scene;
            scene.background = paletteFor(ground).ground;
            scene.toClip = look.camera.toClip(look.size, frame.around());
            scene.toEye = look.camera.toEye();
            EXPECT_GT(addStayMarks(scene, view, look, frame).folded.most, 0U);
            const Rgba lit = cpuColour(ground, faintest);
            bool isThere = false;
            const auto check = [&](const auto& marks) {
                for (const auto& m : marks) {
                    isThere = isThere || m.colour == lit;
                    if (!(m.colour == lit)) {
                        EXPECT_LT(away(m.colour), away(lit));
                    }
                }
            };
            check(scene.faces);
            check(scene.boxes);
            check(scene.segments);
            check(scene.points);
            EXPECT_TRUE(isThere);
        }
    }
}

/// What is highlighted is a box; what is not is lines, points, or as it would be without, but dimmed.
TEST(StayFold, WhatStandsOutHasAnotherShape) {
    for (const float depth : {0.0F, 1.0F}) {
        for (const std::uint32_t blocks : {4U, 20U, 700U}) {
            const sim::HistoryLevel level = randomLevel(blocks, 1, 5, 200'000, 64);
            const BlockView view(level, 0, 200'000, BlockOrder::cost);
            BlockLook look = lookAt(view, Draw::automatic, depth);
            look.highlights = std::make_shared<const std::vector<std::uint32_t>>(std::vector<std::uint32_t>{3});
            const Rgba lit = cpuColour(look.ground, 0);
            const auto isLit = [&](const auto& mark) { return mark.colour == lit; };
            const auto solids = [&](BlockLook::Others others) {
                look.others = others;
                SpaceScene scene;
                const BlockFrame frame(view, look);
                scene.background = paletteFor(look.ground).ground;
                scene.toClip = look.camera.toClip(look.size, frame.around());
                scene.toEye = look.camera.toEye();
                addStayMarks(scene, view, look, frame);
                EXPECT_EQ(std::ranges::count_if(scene.boxes, isLit) + std::ranges::count_if(scene.faces, isLit), 1);
                EXPECT_EQ(std::ranges::count_if(scene.segments, isLit), 0);
                const bool arePoints = others == BlockLook::Others::points;
                EXPECT_TRUE(!arePoints || scene.segments.empty()) << blocks;
                EXPECT_FALSE(arePoints && scene.points.empty()) << blocks;
                return scene.boxes.size() + scene.faces.size();
            };
            EXPECT_EQ(solids(BlockLook::Others::lines), 1U) << blocks;
            EXPECT_EQ(solids(BlockLook::Others::points), 1U) << blocks;
        }
    }
}

/// What the pointer is told about a cell counts what the cell shows: not what is drawn by itself, for any reason.
TEST(StayFold, WhatIsDrawnByItselfIsInNoCell) {
    const Made m = burst();
    const BlockView view(m.level, 0, 100'000, BlockOrder::cost);
    BlockLook look = lookAt(view, Draw::automatic);
    const glm::vec2 anywhere(640, 360);
    const std::uint32_t all = cellAround(view, look, 3, anywhere)->count;
    ASSERT_GT(all, 10U);
    look.highlights = std::make_shared<const std::vector<std::uint32_t>>(std::vector<std::uint32_t>{4});
    EXPECT_EQ(cellAround(view, look, 3, anywhere)->count, all - 1);
    look.picked = 5;
    EXPECT_EQ(cellAround(view, look, 3, anywhere)->count, all - 2);
    look.lens = Interval{60, 80};
    EXPECT_EQ(cellAround(view, look, 3, anywhere)->count, all - 4);
    for (const std::uint32_t stay : {4U, 5U, 6U, 7U}) {
        EXPECT_FALSE(cellAround(view, look, stay, anywhere).has_value()) << stay;
    }
}

/// Where rows are closer than pixels, a cell has several; what a picked line belongs to lies in front of them.
TEST(StayFold, WhatStandsOutIsInFrontOfCellsAndAsHigh) {
    const sim::HistoryLevel level = randomLevel(900, 1, 9, 200'000, 64);
    const BlockView view(level, 0, 200'000, BlockOrder::cost);
    BlockLook look = lookAt(view, Draw::automatic);
    look.camera.azimuth = -90;
    look.camera.elevation = 0;
    look.others = BlockLook::Others::alike;
    const auto deepest = [&](bool standsOut, const SpaceScene& scene) {
        float high = 0;
        float x = scene.toEye.x < 0 ? 1e9F : -1e9F;
        for (const SpaceFace& f : scene.faces) {
            if ((f.colour == cpuColour(look.ground, 0)) != standsOut) continue;
            high = f.u.y;
            x = scene.toEye.x < 0 ? std::min(x, f.a.x) : std::max(x, f.a.x);
        }
        return std::pair(x, high);
    };
    look.highlights = std::make_shared<const std::vector<std::uint32_t>>(std::vector<std::uint32_t>{5, 6, 7});
    const SpaceScene scene = blockScene(view, look);
    const auto [front, high] = deepest(true, scene);
    const auto [back, cellHigh] = deepest(false, scene);
    EXPECT_TRUE(scene.toEye.x < 0 ? front < back : front > back);
    EXPECT_GE(high * look.camera.pixelsPerUnit(look.size), 0.99F * FoldGrid::kPixels);
    EXPECT_GE(cellHigh * look.camera.pixelsPerUnit(look.size), 0.99F * FoldGrid::kPixels);
}

TEST(StayFold, AStateThatIsShortIsFoldedWithinALongStay) {
    Made m(1);
    m.block(1, 1).stay(0, 0, 100'000);
    for (std::uint32_t i = 0; i < 20; ++i) {
        m.level.changes.push_back(
            {0, sim::Tick{i}, 40'000 + 5 * i, i % 2 == 0 ? sim::Holding::modified : sim::Holding::shared});
    }
    const BlockView view(m.level, 0, 100'000, BlockOrder::cost);
    BlockLook look = lookAt(view, Draw::automatic);
    look.colour = BlockLook::Colour::state;
    const SpaceScene scene = blockScene(view, look);
    EXPECT_EQ(scene.boxes.size(), 2U) << "before and after";
    // Between them there is no room for three pixels: the cell is a line as high as the stay.
    const auto across = std::count_if(scene.segments.begin(), scene.segments.end(), [](const SpaceSegment& s) {
        return s.a.y < s.b.y && s.a.z == s.b.z && std::abs(s.a.z + 0.2F) < 1e-5F;
    });
    EXPECT_EQ(across, 1);
    EXPECT_NE(labelWith(scene, "states shorter than"), "");
    EXPECT_NE(labelWith(scene, "19 at most"), "");
}

}  // namespace
}  // namespace whorl::scene
