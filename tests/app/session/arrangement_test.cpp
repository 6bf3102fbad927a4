// Trees of tiles: whatever is done to them, each view is there once, tiles fill the canvas, and a text is read back as
// it was. Examples by hand.
#include "app/session/arrangement.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace whorl::app {
namespace {

using Kind = ViewId::Kind;

const ViewId kRingsView{Kind::rings};
const ViewId kSourceView{Kind::sources};
const ViewId kMemoryView{Kind::memory};
const ViewId kPhasesView{Kind::phases};
constexpr glm::ivec2 kSize{1200, 800};

TileTree treeOf(const std::string& text) {
    const auto tiling = tilingFrom(text);
    EXPECT_TRUE(tiling) << text;
    return tiling->arrangement.value();
}

std::string textOf(const TileTree& tree) {
    return textOf(Tiling{viewsIn(tree), tree});
}

std::string moved(const std::string& tree, const ViewId& view, TileSide side, const ViewId& target) {
    return textOf(withMoved(treeOf(tree), view, side, target));
}

TEST(Arrangement, AMovedViewGetsHalfOfItsNeighbour) {
    EXPECT_EQ(moved("row(rings,source,memory)", kMemoryView, TileSide::left, kRingsView), "row(memory,rings,source*2)");
    EXPECT_EQ(moved("row(rings,source,memory)", kMemoryView, TileSide::right, kRingsView),
              "row(rings,memory,source*2)");
    EXPECT_EQ(moved("row(rings,source,memory)", kMemoryView, TileSide::above, kRingsView),
              "row(column(memory,rings),source)");
    EXPECT_EQ(moved("row(rings,source,memory)", kRingsView, TileSide::below, kMemoryView),
              "row(source,column(memory,rings))");
    EXPECT_EQ(moved("row(rings*3,column(source,memory)*2)", kSourceView, TileSide::below, kRingsView),
              "row(column(rings,source)*3,memory*2)");
    EXPECT_EQ(moved("row(rings*3,column(source,memory))", kRingsView, TileSide::swap, kMemoryView),
              "row(memory*3,column(source,rings))");
    // Of two views, the direction changes.
    EXPECT_EQ(moved("row(rings,source)", kSourceView, TileSide::above, kRingsView), "column(source,rings)");
}

TEST(Arrangement, WhatIsNotThereIsNotMoved) {
    EXPECT_EQ(moved("row(rings,source)", kMemoryView, TileSide::left, kRingsView), "row(rings,source)");
    EXPECT_EQ(moved("row(rings,source)", kRingsView, TileSide::left, kMemoryView), "row(rings,source)");
    EXPECT_EQ(moved("row(rings,source)", kRingsView, TileSide::left, kRingsView), "row(rings,source)");
}

TEST(Arrangement, ANewViewHalvesTheLargestTile) {
    const std::vector<ViewId> all{kRingsView, kSourceView, kMemoryView, kPhasesView};
    EXPECT_EQ(textOf(withViews(treeOf("row(rings*3,column(source,memory))"), all, {800, 800})),
              "row(column(rings,phases)*3,column(source,memory))");
    EXPECT_EQ(textOf(withViews(treeOf("row(rings*3,column(source,memory))"), all, {1600, 400})),
              "row(rings*3,phases*3,column(source,memory)*2)");
    // A view that is not wanted leaves its room to those beside it.
    EXPECT_EQ(
        textOf(withViews(treeOf("row(rings*3,column(source,memory))"), std::vector{kRingsView, kMemoryView}, kSize)),
        "row(rings*3,memory)");
    EXPECT_EQ(textOf(withViews(treeOf("row(rings,source)"), std::vector{kMemoryView, kPhasesView}, kSize)),
              textOf(automaticTree(std::vector{kMemoryView, kPhasesView}, kSize)))
        << "none of its views is wanted";
}

TEST(Arrangement, ABorderMovesBetweenItsTwoParts) {
    const TileTree tree = treeOf("row(rings,column(source,memory),phases*2)");
    const auto borders = bordersOf(tree, {{0, 0}, kSize}, 0);
    ASSERT_EQ(borders.size(), 3u);
    EXPECT_TRUE(borders[0].isUpright);
    EXPECT_EQ(borders[1].both.low.x, 300);
    EXPECT_FALSE(borders[2].isUpright) << "of the column, after those of the row";
    EXPECT_EQ(textOf(withBorder(tree, 1, 0.5)), "row(rings*2,column(source,memory)*3,phases*3)");
    EXPECT_EQ(textOf(withBorder(tree, 2, 0.75)), "row(rings,column(source*3,memory),phases*2)");
    EXPECT_EQ(withBorder(tree, 3, 0.5), tree);
    EXPECT_EQ(withBorder(tree, 0, 0), tree);
    EXPECT_EQ(withBorder(tree, 0, 1), tree);
}

TEST(Arrangement, IsReadAsItIsMeant) {
    EXPECT_EQ(tilingFrom("auto")->shown, std::vector<ViewId>{});
    EXPECT_EQ(tilingFrom("rings")->shown, std::vector{kRingsView});
    EXPECT_FALSE(tilingFrom("row(rings)")->arrangement) << "one view fills the canvas";
    EXPECT_EQ(tilingFrom("auto(memory, rings)")->shown, (std::vector{kRingsView, kMemoryView}));
    EXPECT_EQ(textOf(*tilingFrom("row( rings *6  column(memory *4,source* 2)*4 )")),
              "row(rings*3,column(memory*2,source)*2)");
    EXPECT_EQ(textOf(*tilingFrom("row(row(rings,memory),column(column(source),phases)*2)")),
              "row(rings,memory,column(source,phases)*4)");
    for (const char* const wrong :
         {"", "row", "row()", "row(rings", "row(rings))", "row(rings,memory*0)", "row(rings*20001)", "row(rings,rings)",
          "nothing", "row(rings@1,memory)", "row(auto(rings),memory)", "block", "row(rings)memory", "(rings)", "*"}) {
        const auto read = tilingFrom(wrong);
        ASSERT_FALSE(read) << wrong;
        EXPECT_FALSE(read.error().hint.empty());
    }
    EXPECT_FALSE(tilingFrom(std::string(100'000, '(')));
    std::string deep;
    for (int i = 0; i < 10'000; ++i) deep += "row(";
    EXPECT_FALSE(tilingFrom(deep));
}

TEST(Arrangement, TheAutomaticOneStandsAsItsTreeDoes) {
    const std::vector<ViewId> views{kRingsView, kSourceView, kMemoryView, kPhasesView, {Kind::cycles}};
    EXPECT_EQ(textOf(automaticTree(views, kSize)), "column(row(rings,source,memory),row(phases,cycles))");
    EXPECT_EQ(textOf(automaticTree(views, {2000, 100})), "row(rings,source,memory,phases,cycles)");
    EXPECT_EQ(automaticTree(std::vector{kRingsView}, kSize).view, kRingsView);
}

/// Each of the views once, side by side, without a pixel that is lost.
void expectGood(const TileTree& tree, const std::vector<ViewId>& shown, const scene::PixelBox& canvas, int gap) {
    std::vector<ViewId> views = viewsIn(tree);
    std::ranges::sort(views);
    EXPECT_EQ(views, shown);
    EXPECT_EQ(normalTree(tree), tree);
    const auto placed = placedViews(tree, canvas, gap);
    ASSERT_EQ(placed.size(), shown.size());
    const auto borders = bordersOf(tree, canvas, gap);
    ASSERT_EQ(borders.size() + 1, shown.size());
    std::int64_t area = 0;
    for (std::size_t i = 0; i < placed.size(); ++i) {
        const scene::PixelBox& box = placed[i].where;
        EXPECT_GE(box.width(), 1);
        EXPECT_GE(box.height(), 1);
        EXPECT_EQ(scene::commonOf(box, canvas), box);
        for (std::size_t k = 0; k < i; ++k) EXPECT_TRUE(scene::commonOf(box, placed[k].where).isEmpty());
        area += std::int64_t{box.width()} * box.height();
    }
    for (const TileBorder& border : borders) area += std::int64_t{border.where.width()} * border.where.height();
    EXPECT_EQ(area, std::int64_t{canvas.width()} * canvas.height());
    const std::string text = textOf(tree);
    const auto read = tilingFrom(text);
    ASSERT_TRUE(read) << text;
    EXPECT_EQ(read->shown, shown);
    EXPECT_EQ(read->arrangement, shown.size() > 1 ? Arrangement(tree) : std::nullopt) << text;
}

TEST(Arrangement, KeepsItsLawsWhateverIsDone) {
    std::mt19937 random(7);
    const std::vector<ViewId> all{kRingsView,
                                  kSourceView,
                                  kMemoryView,
                                  kPhasesView,
                                  {Kind::memory, 0, 0, 1},
                                  {Kind::cycles},
                                  {Kind::blocks, 1},
                                  {Kind::table, ViewId::kTlb},
                                  {Kind::cache, 0, 0, 3}};
    std::vector<ViewId> shown{kRingsView};
    TileTree tree = automaticTree(shown, kSize);
    for (int i = 0; i < 4000; ++i) {
        const ViewId view = all[random() % all.size()];
        const auto at = std::ranges::find(shown, view);
        switch (random() % 4) {
            case 0:
                if (at == shown.end()) {
                    shown.push_back(view);
                } else if (shown.size() > 1) {
                    shown.erase(at);
                }
                std::ranges::sort(shown);
                tree = withViews(tree, shown, kSize);
                break;
            case 1:
                tree = withBorder(tree, random() % 10, std::uniform_real_distribution<>(0.2, 0.8)(random));
                break;
            default:
                tree = withMoved(tree, view, static_cast<TileSide>(random() % 5), all[random() % all.size()]);
        }
        expectGood(tree, shown, {{7, 3}, {7 + 1200, 3 + 900}}, static_cast<int>(random() % 6));
        if (testing::Test::HasFailure()) FAIL() << "after " << i << " changes: " << textOf(tree);
    }
}

/// A window can be made smaller than the gaps between its tiles.
TEST(Arrangement, OnATinyCanvasEachTileHasAPixel) {
    const TileTree tree = treeOf("row(rings,column(source,memory,phases),cycles)");
    const auto placed = placedViews(tree, {{0, 0}, {2, 1}}, 3);
    for (std::size_t i = 0; i < placed.size(); ++i) {
        EXPECT_GE(placed[i].where.width(), 1);
        EXPECT_GE(placed[i].where.height(), 1);
        for (std::size_t k = 0; k < i; ++k) EXPECT_TRUE(scene::commonOf(placed[i].where, placed[k].where).isEmpty());
    }
}

}  // namespace
}  // namespace whorl::app
