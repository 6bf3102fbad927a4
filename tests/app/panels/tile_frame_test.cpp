// Tiles in the window: moved by their titles, sized at their borders, shown alone and closed; titles end before the
// buttons. Pictures for an audience or a file have nothing of it.
#include "app/panels/tiles/tile_frame.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "app/panels/interface.h"
#include "app/panels/panel_frame.h"
#include "app/panels/panels.h"
#include "app/tours/presenting.h"
#include "support/sessions.h"

namespace whorl::app {
namespace {

using Kind = ViewId::Kind;

constexpr gl::Rect kCanvas{0, 0, 1280, 720};

/// Tiles that fill the window.
struct Tiles {
    explicit Tiles(const std::string& tiling, bool isWindow = true)
        : session(sessionFor(tiling, isWindow)), frame(session, [](const PanelContext& c) { drawTiles(c, kCanvas); }) {
        frame.next();
        frame.next();
    }
    static Session sessionFor(const std::string& tiling, bool isWindow) {
        OpenRequest request;
        request.input = "matmul:n=8";
        Session s;
        enterRun(s, openedFor(request));
        s.isWindow = isWindow;
        s.viewSettings.take(*tilingFrom(tiling), [](const ViewId&) { return true; });
        return s;
    }
    ImVec2 at(const std::string& name) const {
        const auto place = frame.place(name);
        EXPECT_TRUE(place) << name << " is not among\n" << frame.places();
        return place.value_or(ImVec2(0, 0));
    }
    /// The commands of a gesture, but for those that make a view active and place cameras.
    static std::vector<std::string> done(const Commands& commands) {
        std::vector<std::string> texts = textsOf(commands);
        std::erase_if(texts,
                      [](const std::string& t) { return t.starts_with("view-active") || t.starts_with("camera"); });
        return texts;
    }

    Session session;
    PanelFrame frame;
};

using Texts = std::vector<std::string>;

TEST(TileFrames, ADraggedTitleMovesItsTile) {
    Tiles tiles("row(memory,phases)");
    EXPECT_EQ(Tiles::done(tiles.frame.drag(tiles.at("title memory"), tiles.at("tile phases"))),
              Texts{"tile-move memory swap phases"});
    EXPECT_EQ(Tiles::done(tiles.frame.drag(tiles.at("title memory"), {1270, 360})),
              Texts{"tile-move memory right phases"});
    EXPECT_EQ(Tiles::done(tiles.frame.drag(tiles.at("title memory"), {960, 10})),
              Texts{"tile-move memory above phases"});
    EXPECT_EQ(Tiles::done(tiles.frame.drag(tiles.at("title memory"), {300, 400})), Texts{}) << "onto itself";
}

/// Before the history is there, a folded graph has the lines or regions that cost most.
TEST(TileFrames, AGraphThatIsComputedShowsWhatIsKnown) {
    Tiles tiles("row(rings,phases)");
    EXPECT_FALSE(tiles.frame.place("cost of matmul_standard.h:6"));
    tiles.session.viewSettings.take(*tilingFrom("row(source,object)"), [](const ViewId&) { return true; });
    tiles.frame.next();
    tiles.frame.next();
    const ImVec2 most = tiles.at("cost of matmul_standard.h:6");
    const ImVec2 next = tiles.at("cost of matmul_standard.h:8");
    EXPECT_LT(most.y, next.y);
    EXPECT_LT(most.x, 640);
    EXPECT_GT(tiles.at("cost of B").x, 640);
}

TEST(TileFrames, AnEndedDragMovesNothing) {
    Tiles tiles("row(memory,phases)");
    tiles.frame.move(tiles.at("title memory"));
    tiles.frame.button(0, true);
    tiles.frame.move({900, 300});
    tiles.frame.move({960, 360});
    EXPECT_TRUE(endTileDrag());
    EXPECT_FALSE(endTileDrag());
    tiles.frame.move({980, 380});
    EXPECT_EQ(Tiles::done(tiles.frame.button(0, false)), Texts{});
}

TEST(TileFrames, ADraggedBorderSizesItsTiles) {
    Tiles tiles("row(memory,phases)");
    const ImVec2 border = tiles.at("border 0");
    const auto sized = Tiles::done(tiles.frame.drag(border, {border.x - 320, border.y}));
    ASSERT_FALSE(sized.empty());
    EXPECT_EQ(sized.back().substr(0, 17), "tile-border 0 0.2");
    const auto least = Tiles::done(tiles.frame.drag(border, {2, border.y}));
    ASSERT_FALSE(least.empty());
    EXPECT_GE(std::stod(least.back().substr(14)), 90.0 / 1280) << "no tile disappears";
}

TEST(TileFrames, ButtonsCloseAndShowAlone) {
    Tiles tiles("row(memory,memory.1)");
    EXPECT_EQ(Tiles::done(tiles.frame.click("close memory.1")), Texts{"view memory.1"});
    EXPECT_EQ(Tiles::done(tiles.frame.click("alone memory.1")), Texts{"view-alone"});
    tiles.session.viewSettings.toggleAlone();
    tiles.frame.settle();
    tiles.frame.next();
    EXPECT_EQ(Tiles::done(tiles.frame.click("alone memory")), Texts{"view-alone"}) << "the way back";
    EXPECT_FALSE(tiles.frame.place("border 0"));
}

TEST(TileFrames, ADoubleClickOnTheTitleShowsAlone) {
    Tiles tiles("row(memory,phases)");
    tiles.frame.click("title memory");
    EXPECT_EQ(Tiles::done(tiles.frame.button(0, true)), Texts{"view-alone"});
    EXPECT_EQ(Tiles::done(tiles.frame.button(0, false)), Texts{});
}

TEST(TileFrames, TitlesEndBeforeTheButtons) {
    Tiles tiles("row(memory,phases)");
    PanelContext c = tiles.frame.parts().context(tiles.session);
    for (const int width : {600, 200, 120, 60, 20, 1}) {
        Tile tile{{Kind::memory}, {0, 0, width, 300}};
        tile.bar = 23;
        const float room = titleRoom(c, tile);
        EXPECT_GE(room, 0);
        std::vector<scene::Label> labels{
            scene::cornerLabel("Memory: what a range did to each of its cells", {8, 4}, 14, {}),
            scene::cornerLabel("beside it", {180, 4}, 14, {}), scene::cornerLabel("below it", {8, 60}, 14, {})};
        const auto drawn = labelsUnderBar(c, tile, labels);
        for (const scene::Label& label : drawn) {
            if (label.text == "below it") continue;
            const float end = c.fonts.body->CalcTextSizeA(label.size, 1e9f, 0, label.text.c_str()).x + label.at.x;
            EXPECT_LE(end, std::max(room, 30.0f)) << width << ": " << label.text;
        }
    }
}

/// Controls fold into a list, and none lies outside of its tile.
TEST(TileFrames, NothingIsOutsideOfSmallTiles) {
    Tiles tiles(
        "auto(rings,source,object,block:0,collisions,memory,memory-live,cache:0,cache-live:0,history,phases,cycles)");
    std::istringstream lines(tiles.frame.places());
    const auto all = tilesOn(tiles.session, kCanvas, 1);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        ImVec2 at;
        std::string name;
        if (!(words >> at.x >> at.y) || !std::getline(words >> std::ws, name)) continue;
        for (const Tile& tile : all) {
            if (!name.ends_with(" " + wordOf(tile.view))) continue;
            const gl::Rect whole = tile.whole();
            EXPECT_TRUE(at.x >= whole.x && at.x <= whole.x + whole.width && at.y >= whole.y &&
                        at.y <= whole.y + whole.height)
                << name;
        }
    }
}

TEST(TileFrames, PicturesForOthersHaveNone) {
    EXPECT_FALSE(Tiles("row(memory,phases)", false).frame.place("title memory"));
    Session s = Tiles::sessionFor("row(rings,phases)", true);
    EXPECT_TRUE(s.framesTiles());
    EXPECT_GT(tilesOn(s, kCanvas, 1).front().bar, 0);
    s.panels = false;
    EXPECT_FALSE(s.framesTiles());
    EXPECT_EQ(tilesOn(s, kCanvas, 1).front().bar, 0);
    s.panels = true;
    s.viewSettings.shown = {ViewId{}};
    EXPECT_FALSE(s.framesTiles()) << "a single view needs no title";
}

}  // namespace
}  // namespace whorl::app
