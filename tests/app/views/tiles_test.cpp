// How views share the canvas: inside it, side by side, and as large as possible.
#include "app/views/tiles.h"

#include <gtest/gtest.h>

#include "support/sharing_trace.h"

namespace whorl::app {
namespace {

using Kind = ViewId::Kind;

std::vector<ViewId> someViews(std::size_t count) {
    std::vector<ViewId> views;
    views.reserve(count);
    for (std::size_t i = 0; i < count; ++i) views.push_back({Kind::blocks, static_cast<std::uint8_t>(i)});
    return views;
}

bool overlap(const gl::Rect& a, const gl::Rect& b) {
    return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/// Requirements of a layout: every view once, no overlap, nothing outside, and no space unused beyond the gaps and
/// rounding to whole pixels.
void expectGood(std::size_t count, const gl::Rect& canvas, int gap) {
    const auto views = someViews(count);
    const auto tiles = tilesOf(views, canvas, gap);
    ASSERT_EQ(tiles.size(), count);
    std::int64_t area = 0;
    int rows = 1;
    for (std::size_t i = 0; i < count; ++i) {
        const gl::Rect& r = tiles[i].where;
        EXPECT_EQ(tiles[i].view, views[i]);
        EXPECT_GE(r.width, 1);
        EXPECT_GE(r.height, 1);
        EXPECT_EQ(r.height, tiles[0].where.height);
        EXPECT_GE(r.x, canvas.x);
        EXPECT_GE(r.y, canvas.y);
        EXPECT_LE(r.x + r.width, canvas.x + canvas.width);
        EXPECT_LE(r.y + r.height, canvas.y + canvas.height);
        for (std::size_t k = 0; k < i; ++k) EXPECT_FALSE(overlap(r, tiles[k].where)) << i << " and " << k;
        if (i > 0 && r.y > tiles[i - 1].where.y) ++rows;
        area += std::int64_t{r.width} * r.height;
    }
    const auto n = static_cast<int>(count);
    const std::int64_t free = std::int64_t{canvas.width} * canvas.height - area;
    const std::int64_t betweenRows = std::int64_t{rows - 1} * gap + rows;
    const std::int64_t betweenColumns = std::int64_t{n - 1} * gap + n;
    EXPECT_LE(free, betweenRows * canvas.width + betweenColumns * canvas.height);
}

TEST(Tiles, CoverTheCanvasAndNotEachOther) {
    for (std::size_t count = 1; count <= 12; ++count) {
        for (const gl::Rect canvas : {gl::Rect{0, 0, 1280, 800}, gl::Rect{261, 0, 650, 652}, gl::Rect{7, 3, 300, 1100},
                                      gl::Rect{0, 0, 1999, 101}, gl::Rect{5, 5, 97, 89}}) {
            for (const int gap : {0, 2, 5}) {
                SCOPED_TRACE(testing::Message() << count << " on " << canvas.width << "x" << canvas.height);
                expectGood(count, canvas, gap);
            }
        }
    }
}

TEST(Tiles, StandAsIsBestForSquares) {
    const auto columns = [](std::size_t count, int width, int height) {
        const auto tiles = tilesOf(someViews(count), {0, 0, width, height}, 0);
        std::size_t n = 1;
        while (n < count && tiles[n].where.y == tiles[0].where.y) ++n;
        return n;
    };
    EXPECT_EQ(columns(1, 900, 300), 1u);
    EXPECT_EQ(columns(3, 900, 300), 3u);
    EXPECT_EQ(columns(3, 300, 900), 1u);
    EXPECT_EQ(columns(4, 800, 800), 2u);
    EXPECT_EQ(columns(6, 900, 600), 3u);
    EXPECT_EQ(columns(12, 800, 600), 4u);
}

/// Of several views of a kind each has a tile of its own.
TEST(Tiles, TellTheViewsOfAKindApart) {
    Session session;
    session.viewSettings.shown = {{Kind::memory}, {Kind::memory, 0, 0, 1}, {Kind::cache, 1, 0, 3}};
    const auto tiles = tilesOn(session, {0, 0, 900, 700}, 1);
    ASSERT_EQ(tiles.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(tiles[i].view, session.viewSettings.shown[i]);
}

TEST(Tiles, OfTheLastRowShareItsWholeWidth) {
    const auto tiles = tilesOf(someViews(3), {10, 20, 402, 402}, 2);
    ASSERT_EQ(tiles.size(), 3u);
    EXPECT_EQ(tiles[0].where.width, 200);
    EXPECT_EQ(tiles[1].where.x, 212);
    EXPECT_EQ(tiles[2].where.x, 10);
    EXPECT_EQ(tiles[2].where.y, 222);
    EXPECT_EQ(tiles[2].where.width, 402);
}

/// The pictures of the runs of one view are in one row, or below each other.
TEST(Tiles, OfOneViewOfTwoRunsAreNotTornApart) {
    Session s = sharingSession();
    s.compared = {{.opened = sharingSession().opened}};
    s.viewSettings.shown = {{Kind::rings}, {Kind::sources}, {Kind::phases}};
    for (const gl::Rect canvas : {gl::Rect{0, 0, 1280, 720}, gl::Rect{0, 0, 700, 1400}, gl::Rect{0, 0, 1900, 300}}) {
        const auto tiles = tilesOn(s, canvas, 1);
        ASSERT_EQ(tiles.size(), 6u);
        for (std::size_t i = 0; i < 6; i += 2) {
            const gl::Rect& a = tiles[i].where;
            const gl::Rect& b = tiles[i + 1].where;
            EXPECT_TRUE(a.y == b.y || a.x == b.x) << canvas.width << "x" << canvas.height;
        }
    }
}

/// A window can be made smaller than the gaps between its views.
TEST(Tiles, OnATinyCanvasHaveAPixelAtLeastAndDoNotOverlap) {
    EXPECT_TRUE(tilesOf({}, {0, 0, 100, 100}, 2).empty());
    for (std::size_t count = 1; count <= 12; ++count) {
        for (const gl::Rect canvas : {gl::Rect{3, 4, 1, 1}, gl::Rect{0, 0, 2, 9}, gl::Rect{0, 0, 30, 1}}) {
            const auto tiles = tilesOf(someViews(count), canvas, 2);
            ASSERT_EQ(tiles.size(), count);
            for (std::size_t i = 0; i < count; ++i) {
                EXPECT_GE(tiles[i].where.width, 1);
                EXPECT_GE(tiles[i].where.height, 1);
                for (std::size_t k = 0; k < i; ++k) EXPECT_FALSE(overlap(tiles[i].where, tiles[k].where));
            }
        }
    }
}

TEST(Tiles, OfComparedRunsAreOfOneSizeUnderTheirHeadings) {
    Session s = sharingSession();
    for (std::size_t runs = 2; runs <= 7; ++runs) {
        s.compared.push_back({.opened = sharingSession().opened});
        const gl::Rect canvas{10, 20, 1000, 700};
        const auto tiles = tilesOn(s, canvas, 1);
        ASSERT_EQ(tiles.size(), runs);
        for (std::size_t i = 0; i < runs; ++i) {
            const gl::Rect& r = tiles[i].where;
            EXPECT_EQ(tiles[i].view.run, i);
            EXPECT_EQ(r.width, tiles[0].where.width);
            EXPECT_EQ(r.height, tiles[0].where.height);
            EXPECT_GE(r.y - tiles[i].heading, canvas.y);
            EXPECT_LE(r.x + r.width, canvas.x + canvas.width);
            EXPECT_LE(r.y + r.height, canvas.y + canvas.height);
            for (std::size_t k = 0; k < i; ++k) EXPECT_FALSE(overlap(r, tiles[k].where));
        }
    }
}

TEST(Tiles, OfTwoRunsStandInPairs) {
    Session s = sharingSession();
    s.viewSettings.shown = {{Kind::rings}, {Kind::sources}};
    const gl::Rect canvas{0, 0, 400, 400};
    EXPECT_EQ(tilesOn(s, canvas, 1).size(), 2u);
    s.compared = {{.opened = sharingSession().opened, .unchanged = true}};
    const auto tiles = tilesOn(s, canvas, 1);
    ASSERT_EQ(tiles.size(), 4u);
    EXPECT_EQ(tiles[0].view, (ViewId{Kind::rings, 0, 1}));
    EXPECT_EQ(tiles[1].view, (ViewId{Kind::rings, 0, 0}));
    EXPECT_EQ(tiles[2].view, (ViewId{Kind::sources, 0, 1}));
    EXPECT_EQ(ringsOf(tiles, canvas, 1).x, tiles[0].where.x);
    EXPECT_EQ(ringsOf(tiles, canvas).x, tiles[1].where.x);
    s.viewSettings.compares = false;
    EXPECT_EQ(tilesOn(s, canvas, 1).size(), 2u);
    s.viewSettings.shown = {{Kind::objects}};
    EXPECT_EQ(ringsOf(tilesOn(s, canvas, 1), canvas).width, 400) << "of rings that are not shown: the canvas";
}

}  // namespace
}  // namespace whorl::app
