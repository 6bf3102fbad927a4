// BlockViews that are seen face on: a row for each block, a lane for each cache in it.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <set>
#include <string>

#include "render/scene/palette.h"
#include "render/scene/space/block_pick.h"
#include "render/scene/space/block_view.h"
#include "render/scene/space/stay_fold.h"
#include "support/scene_texts.h"
#include "tests/scene/space/made_level.h"

namespace whorl::scene {
namespace {

using Draw = BlockLook::Draw;

BlockLook flat(const BlockView& view, Draw draw = Draw::automatic) {
    return lookAt(view, draw, 0);
}

/// A rectangle of the picture, pixels.
struct Patch {
    glm::vec2 low;
    glm::vec2 high;
    Rgba colour;
};

std::vector<Patch> patchesOf(const SpaceScene& scene) {
    std::vector<Patch> out;
    for (const SpaceFace& f : scene.faces) {
        const glm::vec2 a = pixelOf(scene.toClip, f.a, scene.size);
        const glm::vec2 b = pixelOf(scene.toClip, f.a + f.u + f.v, scene.size);
        out.push_back({glm::min(a, b), glm::max(a, b), f.colour});
    }
    return out;
}

std::vector<std::uint32_t> allStays(const sim::HistoryLevel& level) {
    std::vector<std::uint32_t> all(level.stays.size());
    std::iota(all.begin(), all.end(), 0U);
    return all;
}

TEST(FlatBlockView, ASmallPictureSaysWhichColourIsWhichCpu) {
    const sim::HistoryLevel level = randomLevel(12, 4, 1, 1000);
    const BlockView view(level, 0, 1000, BlockOrder::address);
    BlockLook look = flat(view);
    look.size = {900, 300};
    look.camera = homeCamera(view, look, look.camera);
    EXPECT_TRUE(says(blockScene(view, look), "CPU 0")) << "beside the lanes, or in the key";
    look.textSize = 20;
    look.camera = homeCamera(view, look, look.camera);
    const SpaceScene scene = blockScene(view, look);
    for (const char* key : {"■ CPU 0", "■ 1", "■ 2", "■ 3"}) EXPECT_TRUE(says(scene, key)) << key;
}

TEST(FlatBlockView, OpensFaceOnAndWithoutPerspective) {
    const SpaceCamera camera = blockCamera();
    EXPECT_TRUE(camera.isFacing(Plane::yz));
    EXPECT_EQ(camera.perspective, 0);
    EXPECT_GT(camera.right().z, 0.99F) << "time runs to the right";
    EXPECT_FALSE(blockCamera(1).isFacing(Plane::yz));
}

/// No lane lies on another, whichever planes are shown, and each in its row.
TEST(FlatBlockView, LanesAreApart) {
    std::mt19937 random(3);
    for (unsigned i = 0; i < 60; ++i) {
        const sim::HistoryLevel level = randomLevel(1 + random() % 9, 1 + random() % 6, i, 20'000);
        const BlockView view(level, 0, 20'000, BlockOrder::cost);
        BlockLook look = flat(view);
        if (i % 3 == 0) look.caches = 1 + random() % 63;
        const BlockFrame frame(view, look);
        if (frame.merges()) continue;
        std::vector<std::pair<float, float>> lanes;
        for (std::uint32_t row = 0; row < view.rows(); ++row) {
            for (std::uint32_t cache = 0; cache < view.planes(); ++cache) {
                if (!frame.showsCache(cache)) continue;
                const float y = frame.yOf(row, cache);
                EXPECT_GT(y - frame.halfHigh(), frame.yOf(row) - frame.rowHeight() / 2);
                EXPECT_LT(y + frame.halfHigh(), frame.yOf(row) + frame.rowHeight() / 2);
                lanes.emplace_back(y - frame.halfHigh(), y + frame.halfHigh());
            }
        }
        std::sort(lanes.begin(), lanes.end());
        for (std::size_t k = 1; k < lanes.size(); ++k) EXPECT_GE(lanes[k].first, lanes[k - 1].second) << i;
    }
}

/// Turning away from face on goes through every height between, without a jump.
TEST(FlatBlockView, LanesGrowTogetherAsItIsTurned) {
    const sim::HistoryLevel level = randomLevel(3, 4, 5, 20'000);
    const BlockView view(level, 0, 20'000, BlockOrder::cost);
    BlockLook look;
    float before = 0;
    float most = 0;
    for (int i = 0; i <= 200; ++i) {
        look.camera = homeCamera(view, look, blockCamera(static_cast<float>(i) / 200));
        const BlockFrame frame(view, look);
        const float apart = frame.yOf(0, 0) - frame.yOf(0, 3);
        if (i > 0) {
            EXPECT_LE(apart, before + 1e-6F);
            most = std::max(most, before - apart);
        }
        before = apart;
    }
    EXPECT_EQ(before, 0) << "the planes are told apart by depth";
    EXPECT_LT(most, 0.03F);
}

/// All of the picture between the names, the key and the times is used, also where it is tall or wide.
TEST(FlatBlockView, FillsItsRoom) {
    const sim::HistoryLevel level = randomLevel(6, 2, 8, 20'000);
    const BlockView view(level, 0, 20'000, BlockOrder::cost);
    for (const glm::vec2 size :
         {glm::vec2(1280, 720), glm::vec2(1920, 1080), glm::vec2(500, 1000), glm::vec2(900, 420)}) {
        BlockLook look;
        look.size = size;
        look.namesWidth = 80;
        look.camera = homeCamera(view, look);
        const Extent box = extentOf(view, look);
        const glm::mat4 toClip = look.camera.toClip(size, BlockFrame(view, look).around());
        const glm::vec2 a = pixelOf(toClip, box.low, size);
        const glm::vec2 b = pixelOf(toClip, box.high, size);
        EXPECT_GT(std::abs(b.x - a.x), 0.92F * (size.x - 80 - 6.5F * look.textSize)) << size.x;
        EXPECT_GT(std::abs(b.y - a.y), 0.92F * (size.y - 7 * look.textSize)) << size.x;
    }
}

TEST(FlatBlockView, ShowsOnlyTheRowsAskedFor) {
    const sim::HistoryLevel level = randomLevel(40, 2, 9, 20'000);
    const BlockView view(level, 0, 20'000, BlockOrder::cost);
    BlockLook look = flat(view);
    look.rows = RowSpan{0.1, 0.2};  // the fifth to the eighth from the top
    const BlockFrame frame(view, look);
    EXPECT_EQ(frame.rows(), std::pair(32U, 36U));
    EXPECT_TRUE(says(blockScene(view, look), "4 of 40 blocks, by cost"));
    look.rows.reset();
    EXPECT_TRUE(says(blockScene(view, look), "40 blocks, by cost"));
    // Whatever is asked for, something is shown.
    for (const RowSpan span : {RowSpan{0, 1e-9}, RowSpan{1 - 1e-9, 1}, RowSpan{0.5, 0.5000001}}) {
        look.rows = span;
        EXPECT_EQ(BlockFrame(view, look).rowsShown(), 1U);
    }
}

TEST(FlatBlockView, RowsAreZoomedAboutAPlaceAndMovedWithinAll) {
    std::optional<RowSpan> rows;
    rows = zoomedRows(rows, 0.25, 2, 1000);
    ASSERT_TRUE(rows);
    EXPECT_DOUBLE_EQ(rows->length(), 0.5);
    EXPECT_DOUBLE_EQ((0.25 - rows->from) / rows->length(), 0.25) << "what is under the pointer stays there";
    EXPECT_EQ(movedRows(rows, 9), (RowSpan{0.5, 1}));
    EXPECT_EQ(movedRows(rows, -9), (RowSpan{0, 0.5}));
    EXPECT_EQ(zoomedRows(rows, 0.3, 0.5, 1000), std::nullopt);
    for (int i = 0; i < 60; ++i) rows = zoomedRows(rows, 0.3, 1.4, 1000);
    EXPECT_NEAR(rows->length(), 0.003, 1e-9) << "a few rows remain";
    EXPECT_EQ(zoomedRows({}, 0.5, 4, 2), std::nullopt) << "of so few rows all are shown";
}

/// The row under a pixel is the one whose lanes are drawn there; dragging moves as many rows as are passed.
TEST(FlatBlockView, TellsTheRowUnderThePointer) {
    const sim::HistoryLevel level = randomLevel(50, 3, 10, 20'000);
    const BlockView view(level, 0, 20'000, BlockOrder::cost);
    BlockLook look = flat(view);
    look.rows = RowSpan{0.2, 0.6};
    const BlockFrame frame(view, look);
    const glm::mat4 toClip = look.camera.toClip(look.size, frame.around());
    for (std::uint32_t row = frame.rows().first; row < frame.rows().second; ++row) {
        const glm::vec2 at = pixelOf(toClip, {0, frame.yOf(row), 0}, look.size);
        EXPECT_NEAR(rowShareAt(view, look, at), (49.5 - row) / 50, 1e-3);
    }
    const float pixels = frame.rowHeight() * look.camera.pixelsPerUnit(look.size);
    EXPECT_NEAR(rowsAcross(view, look, 3 * pixels), 3.0 / 50, 1e-6);
}

/// Each stay is where its lane and its times say, and is found there.
TEST(FlatBlockView, AStayIsFoundWhereItsBarIs) {
    for (unsigned i = 0; i < 12; ++i) {
        const sim::HistoryLevel level = randomLevel(4 + i, 1 + i % 4, 50 + i, 20'000);
        const BlockView view(level, 0, 20'000, BlockOrder::address);
        BlockLook look = flat(view);
        if (i % 2 == 1) look.rows = RowSpan{0.25, 0.75};
        const BlockFrame frame(view, look);
        ASSERT_FALSE(frame.merges());
        const glm::mat4 toClip = look.camera.toClip(look.size, frame.around());
        for (const std::uint32_t s : allStays(level)) {
            const sim::Stay& stay = level.stays[s];
            const std::uint32_t row = *view.rowOf(stay.block);
            if (!frame.showsRow(row) || stay.to - stay.from < 300) continue;
            const glm::vec3 middle(frame.xOf(stay.cache), frame.yOf(row, stay.cache),
                                   frame.zOf(static_cast<double>(stay.from + stay.to) / 2));
            EXPECT_EQ(pickStay(view, look, pixelOf(toClip, middle, look.size)), s);
        }
    }
}

/// What goes with a pick can be pointed at, however many rows there are, and lies in its row.
TEST(FlatBlockView, WhatIsLitIsThreePixelsHighAndInPlace) {
    for (const std::uint32_t blocks : {5U, 60U, 150U, 900U}) {
        const sim::HistoryLevel level = randomLevel(blocks, 8, blocks, 400'000, 64);
        const BlockView view(level, 0, 400'000, BlockOrder::cost, 1'000'000);
        ASSERT_EQ(view.rows(), blocks);
        for (const std::uint32_t index : {0U, 7U, static_cast<std::uint32_t>(level.stays.size()) - 1}) {
            BlockLook look = flat(view);
            look.highlights = std::make_shared<const std::vector<std::uint32_t>>(std::vector<std::uint32_t>{index});
            const sim::Stay& stay = level.stays[index];
            const Rgba colour = cpuColour(look.ground, stay.cpu);
            const SpaceScene scene = blockScene(view, look);
            const BlockFrame frame(view, look);
            const glm::vec3 middle(0, frame.yOf(*view.rowOf(stay.block), stay.cache),
                                   frame.zOf(static_cast<double>(stay.from + stay.to) / 2));
            const glm::vec2 at = pixelOf(scene.toClip, middle, look.size);
            const std::vector<Patch> patches = patchesOf(scene);
            EXPECT_EQ(std::count_if(patches.begin(), patches.end(),
                                    [&](const Patch& p) {
                                        const glm::vec2 size = p.high - p.low;
                                        const bool isThere =
                                            p.low.x <= at.x && at.x <= p.high.x && p.low.y <= at.y && at.y <= p.high.y;
                                        return p.colour == colour && isThere && size.x > 2.9F && size.y > 2.9F;
                                    }),
                      1)
                << blocks << ' ' << index;
        }
    }
}

/// Of what several hold at once none hides the others, lit or not.
TEST(FlatBlockView, WhatSeveralHoldIsOfNoOneAlone) {
    Made m(8);
    for (std::uint64_t b = 0; b < 60; ++b) {
        m.block(b, 100 - b);
        for (std::uint8_t cache = 0; cache < 8; ++cache) m.stay(cache, 1000, 9000);
    }
    const BlockView view(m.level, 0, 10'000, BlockOrder::cost);
    BlockLook look = flat(view);
    look.highlights = std::make_shared<const std::vector<std::uint32_t>>(std::vector<std::uint32_t>{0, 1, 2, 3, 4});
    const BlockFrame frame(view, look);
    ASSERT_TRUE(frame.merges());
    const SpaceScene scene = blockScene(view, look);
    const glm::vec2 at = pixelOf(scene.toClip, {0, frame.yOf(*view.rowOf(0)), frame.zOf(5000)}, look.size);
    std::vector<Rgba> lit;
    for (const Patch& p : patchesOf(scene)) {
        if (p.low.x <= at.x && at.x <= p.high.x && p.low.y <= at.y && at.y <= p.high.y) lit.push_back(p.colour);
    }
    EXPECT_EQ(std::count(lit.begin(), lit.end(), paletteFor(look.ground).several), 1);
    for (std::uint32_t cpu = 0; cpu < 8; ++cpu) {
        EXPECT_EQ(std::count(lit.begin(), lit.end(), cpuColour(look.ground, cpu)), 0) << cpu;
    }
}

/// Bursts are seen where there is no room for a lane each: all fills and departures are counted, none twice.
TEST(FlatBlockView, CountsTheEventsOfAllPlanesTogether) {
    const sim::HistoryLevel level = randomLevel(500, 8, 4, 400'000, 64);
    const BlockView view(level, 0, 400'000, BlockOrder::cost, 1'000'000);
    BlockLook look = flat(view);
    const BlockFrame frame(view, look);
    const FoldGrid grid = foldGrid(look, frame);
    ASSERT_TRUE(frame.merges());
    ASSERT_TRUE(grid.events);
    std::map<std::pair<std::uint32_t, std::int64_t>, std::uint32_t> cells;
    for (const sim::Stay& s : level.stays) {
        const std::uint32_t group = *view.rowOf(s.block) / grid.rows;
        if (frame.comesInside(s)) ++cells[{group, grid.cellAt(static_cast<double>(s.from))}];
        if (frame.departsInside(s)) ++cells[{group, grid.cellAt(static_cast<double>(s.to))}];
    }
    const SpaceScene scene = blockScene(view, look);
    const std::vector<Patch> patches = patchesOf(scene);
    // Neighbours of one colour are joined; but each cell has its place, and nothing else is drawn.
    double area = 0;
    for (const Patch& p : patches) area += static_cast<double>((p.high.x - p.low.x) * (p.high.y - p.low.y));
    const double pixels = look.camera.pixelsPerUnit(look.size);
    double wanted = 0;
    for (const auto& [at, count] : cells) {
        const double rows = std::min(grid.rows, view.rows() - at.first * grid.rows);
        const double from = std::max(static_cast<double>(at.second) * grid.step, frame.from());
        const double to = std::min(static_cast<double>(at.second + 1) * grid.step, frame.to());
        wanted += rows * double{frame.rowHeight()} * pixels * (to - from) * frame.zPerCycle() * pixels;
    }
    EXPECT_NEAR(area, wanted, 0.002 * wanted);
    std::uint32_t most = 0;
    for (const auto& [at, count] : cells) most = std::max(most, count);
    EXPECT_TRUE(says(blockScene(view, look), std::to_string(most) + " at most"));
    for (std::uint32_t s = 0; s < level.stays.size(); s += 97) {
        const sim::Stay& stay = level.stays[s];
        const glm::vec3 place(0, frame.yOf(*view.rowOf(stay.block)), frame.zOf(static_cast<double>(stay.from)));
        const auto around =
            cellAround(view, look, s, pixelOf(look.camera.toClip(look.size, frame.around()), place, look.size));
        ASSERT_TRUE(around);
        EXPECT_EQ(around->count,
                  (cells[{*view.rowOf(stay.block) / grid.rows, grid.cellAt(static_cast<double>(stay.from))}]));
    }
}

/// The cell's colour is that of more than half of what is in it.
TEST(FlatBlockView, ACellHasTheColourOfMostOfIt) {
    const FoldGrid grid{.step = 100};
    const Rgba red{200, 0, 0};
    const Rgba blue{0, 0, 200};
    const Rgba several{1, 2, 3};
    FoldedRow row;
    for (const Rgba c : {blue, red, red}) row.add(grid, 10, 20, c, several, false);
    for (const Rgba c : {blue, red}) row.add(grid, 110, 120, c, several, false);
    row.add(grid, 30, 40, red, several, false);
    const auto cells = row.take();
    ASSERT_EQ(cells.size(), 2U);
    EXPECT_EQ(cells[0].colour, red);
    EXPECT_EQ(cells[0].count, 4U);
    EXPECT_EQ(cells[0].to, 40);
    EXPECT_EQ(cells[1].colour, several);
    EXPECT_EQ(cells[1].count, 2U);
    EXPECT_TRUE(row.isEmpty());
}

/// As where CPUs take a block from each other a million times: what is kept meanwhile changes nothing.
TEST(FoldedRow, CountsWhatTakesTurns) {
    const Rgba several{1, 1, 1};
    const std::array<Rgba, 3> colours{Rgba{9, 0, 0}, Rgba{0, 9, 0}, Rgba{0, 0, 9}};
    FoldGrid grid;
    grid.step = 100;
    FoldedRow row;
    std::mt19937 random(4);
    std::map<std::int64_t, std::array<std::uint32_t, 3>> wanted;
    for (int i = 0; i < 50'000; ++i) {
        const auto at = static_cast<double>(random() % 900);
        const std::size_t colour = at < 300 ? 0 : random() % 3;
        row.add(grid, at, at + 1, colours[colour], several, false);
        ++wanted[grid.cellAt(at + 0.5)][colour];
    }
    const auto cells = row.take();
    ASSERT_EQ(cells.size(), wanted.size());
    for (const FoldedRow::Cell& cell : cells) {
        const auto& counts = wanted.at(cell.at);
        EXPECT_EQ(cell.count, counts[0] + counts[1] + counts[2]);
        EXPECT_EQ(cell.colour, cell.at < 3 ? colours[0] : several);
    }
}

std::vector<LaneMerge::Span> taken(LaneMerge& merge) {
    std::vector<LaneMerge::Span> stretches;
    merge.take([&](const LaneMerge::Span& stretch) { stretches.push_back(stretch); });
    return stretches;
}

TEST(LaneMerge, TellsWhoHoldsTheBlockWhen) {
    const Rgba a{1, 0, 0};
    const Rgba b{2, 0, 0};
    LaneMerge merge;
    merge.add({0, 10, a, 4});
    merge.add({20, 30, a, 5});
    merge.add({5, 25, b, 6});
    merge.add({30, 40, a, 7});
    merge.add({7, 7, b, 8});
    const auto stretches = taken(merge);
    const std::vector<LaneMerge::Span> wanted{{0, 5, {a}, 4},   {5, 10, {a, b}, sim::Stay::kNone},
                                              {10, 20, {b}, 6}, {20, 25, {a, b}, sim::Stay::kNone},
                                              {25, 30, {a}, 5}, {30, 40, {a}, 7}};
    EXPECT_EQ(stretches, wanted);
    EXPECT_TRUE(taken(merge).empty());
}

/// By trying every cycle: the colours of a stretch are those of the parts that cover it.
TEST(LaneMerge, AgreesWithEveryCycleTried) {
    std::mt19937 random(12);
    for (int i = 0; i < 50; ++i) {
        std::vector<LaneMerge::Part> parts;
        for (unsigned k = 0; k < 1 + random() % 20; ++k) {
            const auto from = static_cast<double>(random() % 90);
            parts.push_back({from, from + static_cast<double>(random() % 20),
                             Rgba{static_cast<std::uint8_t>(random() % 4), 0, 0}, k});
        }
        LaneMerge merge;
        for (const auto& part : parts) merge.add(part);
        const auto stretches = taken(merge);
        for (int cycle = 0; cycle < 120; ++cycle) {
            const double at = cycle + 0.5;
            std::set<int> wanted;
            for (const auto& p : parts) {
                if (p.from <= at && at < p.to) wanted.insert(p.colour.r);
            }
            std::set<int> found;
            for (const auto& s : stretches) {
                if (s.from > at || at >= s.to) continue;
                for (const Rgba c : s.colours) found.insert(c.r);
            }
            EXPECT_EQ(found, wanted) << i << ' ' << cycle;
        }
    }
}

TEST(FlatBlockView, ExplainsItsColoursAndWhatItHides) {
    const sim::HistoryLevel level = randomLevel(6, 3, 21, 20'000);
    const BlockView view(level, 0, 20'000, BlockOrder::cost);
    BlockLook look = flat(view);
    SpaceScene scene = blockScene(view, look);
    for (const char* words : {"■ CPU 0", "■ 1", "■ 2"}) EXPECT_TRUE(says(scene, words)) << words;
    EXPECT_FALSE(says(scene, "not shown"));
    look.colour = BlockLook::Colour::state;
    look.replacement = false;
    scene = blockScene(view, look);
    for (const char* words : {"■ shared", "■ exclusive", "■ modified", "not shown: replaced stays"}) {
        EXPECT_TRUE(says(scene, words)) << words;
    }
}

/// A bar that has room for it says what it is, in its own colour's contrast; the flag names what is picked.
TEST(FlatBlockView, BarsHaveTextsWhereTheyFit) {
    Made m(1);
    m.block(1, 10).stay(0, 0, 9000).stay(0, 9500, 9510);
    const BlockView view(m.level, 0, 10'000, BlockOrder::cost);
    BlockLook look = flat(view);
    look.textOf = [](std::uint32_t stay) { return "stay " + std::to_string(stay); };
    EXPECT_TRUE(says(blockScene(view, look), "stay 0"));
    EXPECT_FALSE(says(blockScene(view, look), "stay 1")) << "too short";
    look.picked = 1;
    look.flag = "ArrayC[5]";
    EXPECT_TRUE(says(blockScene(view, look), "ArrayC[5]"));
    look.range = Interval{0, 9000};
    EXPECT_FALSE(says(blockScene(view, look), "ArrayC[5]")) << "it is not in the picture";
}

}  // namespace
}  // namespace whorl::scene
