// Layouts and the commands that arrange tiles: what they show, what undoing gives back, and what they refuse.
#include "app/commands/layout_commands.h"

#include <gtest/gtest.h>

#include <string>

#include "app/commands/commands.h"
#include "app/commands/palette.h"
#include "app/session/layouts.h"
#include "support/sharing_trace.h"

namespace whorl::app {
namespace {

void run(Session& s, const std::string& text) {
    const auto command = parseCommand(text);
    ASSERT_TRUE(command) << text;
    applyAll(s, {*command});
}

std::string tilesOf(const Session& s) {
    return textOf(s.viewSettings.tiling(s.pictureSize));
}

TEST(LayoutCommands, ArrangeShowsItsViewsAndNoOthers) {
    Session s = sharingSession();
    run(s, "view collisions");
    run(s, "arrange row(rings*3 column(memory block:0 block:7))");
    EXPECT_EQ(tilesOf(s), "row(rings*3,column(memory,block:0))") << "the machine has no eighth level";
    EXPECT_TRUE(s.viewSettings.shows(s.viewSettings.active));
    run(s, "arrange auto");
    EXPECT_EQ(tilesOf(s), "auto(rings,block:0,memory)");
    run(s, "arrange block:7");
    EXPECT_EQ(tilesOf(s), "auto(rings,block:0,memory)") << "it would show nothing";
    run(s, "undo");
    EXPECT_EQ(tilesOf(s), "row(rings*3,column(memory,block:0))");
    run(s, "undo");
    EXPECT_EQ(tilesOf(s), "auto(rings,collisions)");
}

TEST(LayoutCommands, MovingATileArrangesTheAutomaticOnes) {
    Session s = sharingSession();
    run(s, "view memory");
    run(s, "view source");
    run(s, "tile-move memory left rings");
    EXPECT_EQ(viewsIn(s.viewSettings.tiles(s.pictureSize)).front(), (ViewId{ViewId::Kind::memory}));
    run(s, "tile-move phases left rings");
    EXPECT_EQ(s.refused, "There is no tile phases to be moved.");
    run(s, "arrange row(rings,memory)");
    run(s, "tile-border 0 0.25");
    run(s, "tile-border 0 0.75");
    EXPECT_EQ(tilesOf(s), "row(rings*3,memory)");
    run(s, "undo");
    EXPECT_EQ(tilesOf(s), "row(rings,memory)") << "a drag is one change";
    run(s, "tile-border 1 0.5");
    EXPECT_FALSE(s.refused.empty());
}

TEST(LayoutCommands, EachShippedLayoutCanBeShownOnAnyMachine) {
    for (const Layout& layout : shippedLayouts()) {
        Session s = sharingSession();
        for (const std::string& text : layout.commands) {
            const auto command = parseCommand(text);
            ASSERT_TRUE(command) << layout.name << ": " << text;
        }
        run(s, "layout " + layout.name);
        EXPECT_EQ(s.refused, "");
        EXPECT_EQ("arrange " + tilesOf(s), layout.commands.front());
        run(s, "undo");
        EXPECT_EQ(s.look(), sharingSession().look()) << layout.name << " is one change";
        // Also before a run is open.
        Session empty;
        ASSERT_TRUE(showLayout(empty, layout.name));
    }
}

TEST(LayoutCommands, ALayoutOfOnesOwnIsKeptUnderAnyName) {
    Session s = sharingSession();
    run(s, "arrange row(rings*3,memory)");
    run(s, "strip regions");
    run(s, "cell-metric memory misses 0");
    run(s, "layout-save after  lunch");
    ASSERT_EQ(s.layouts.size(), 1u);
    EXPECT_EQ(s.layouts.front().name, "after lunch");
    run(s, "layout film");
    EXPECT_FALSE(s.panels);
    run(s, "layout After Lunch");
    EXPECT_EQ(tilesOf(s), "row(rings*3,memory)");
    EXPECT_TRUE(s.panels);
    EXPECT_EQ(s.strip, StripShows::regions);
    run(s, "arrange auto(rings)");
    run(s, "layout-save after lunch");
    EXPECT_EQ(s.layouts.size(), 1u) << "it is replaced";
    const auto choices = paletteChoices(s, {});
    const auto is = [](const char* words) { return [words](const Choice& c) { return c.words == words; }; };
    EXPECT_EQ(std::ranges::count_if(choices, is("layout: after lunch")), 1);
    EXPECT_EQ(std::ranges::count_if(choices, is("layout: find my misses")), 1);
    run(s, "layout-remove after lunch");
    EXPECT_TRUE(s.layouts.empty());
}

TEST(LayoutCommands, RefuseWithASentence) {
    Session s = sharingSession();
    for (const char* const wrong : {"layout lectures", "layout-save film", "layout-save FILM", "layout-remove film",
                                    "layout-remove mine", "layout-save \"a\nb\"", "layout-save \xff"}) {
        run(s, wrong);
        EXPECT_TRUE(s.refused.ends_with(".")) << wrong << ": " << s.refused;
        EXPECT_TRUE(s.layouts.empty());
    }
    run(s, "layout lectures");
    EXPECT_NE(s.refused.find("find my misses"), std::string::npos) << s.refused;
}

}  // namespace
}  // namespace whorl::app
