// View options on the command line: what each means, and the error for an invalid one.
#include "app/cli/space_options.h"

#include <gtest/gtest.h>

#include "app/views/space/highlights.h"
#include "support/refusal.h"
#include "support/sessions.h"
#include "support/sharing_trace.h"

namespace whorl::app {
namespace {

using Kind = ViewId::Kind;

/// The error, or nothing.
std::string errorOf(const SpaceOptions& options) {
    Session s = sharingSession();
    return sim::test::refusalOf(takeOver(options, s), "");
}

Session sessionWith(const SpaceOptions& options) {
    Session s = sharingSession();
    const auto taken = takeOver(options, s);
    EXPECT_TRUE(taken) << taken.error().sentence();
    return s;
}

TEST(SpaceOptions, SayNothingWhenNothingIsWanted) {
    const Session s = sessionWith({});
    EXPECT_EQ(s.viewSettings, ViewSettings{});
    EXPECT_EQ(s.range, std::nullopt);
}

TEST(SpaceOptions, ChooseViews) {
    const Session s = sessionWith({.views = {"block:L2", "source", "block:l2"}});
    EXPECT_EQ(s.viewSettings.shown, (std::vector<ViewId>{{Kind::blocks, 1}, {Kind::sources}})) << "as named, each once";
    EXPECT_EQ(s.viewSettings.active, (ViewId{Kind::blocks, 1}));
    EXPECT_EQ(errorOf({.views = {"source", "block:L3"}}),
              "--view \"block:L3\": there is no such view; use rings, source, object, block:L1, block:L2, collisions, "
              "memory, "
              "memory-live, cache:L1, cache:L2, cache-live:L1, cache-live:L2, history:PLACE, phases, cycles, "
              "life:PLACE, table:L1, table:L2 or array:ARRAY");
}

TEST(SpaceOptions, ChooseArrays) {
    Session s = sessionFor({.input = "matmul:n=4"});
    ASSERT_TRUE(takeOver({.views = {"array:B", "rings", "array:c"}}, s));
    const ViewId first{Kind::array};
    const ViewId second{.kind = Kind::array, .part = 1};
    EXPECT_EQ(s.viewSettings.shown, (std::vector<ViewId>{first, {Kind::rings}, second}));
    EXPECT_EQ(s.viewSettings.arrays.at(first), "B");
    EXPECT_EQ(s.viewSettings.arrays.at(second), "C");
    EXPECT_EQ(sim::test::refusalOf(takeOver({.views = {"array:B[1]"}}, s), ""),
              "--view \"array:B[1]\": there is no array of this name; use A, B or C");
}

TEST(SpaceOptions, ChooseHowBlockViewsLook) {
    const Session s = sessionWith({.sort = "address", .draw = "faces", .colour = "state", .lens = "5-60"});
    EXPECT_EQ(s.viewSettings.blocks.order, scene::BlockOrder::address);
    EXPECT_EQ(s.viewSettings.sources.order, scene::NodeOrder::address);
    EXPECT_EQ(s.viewSettings.objects.order, scene::NodeOrder::address);
    EXPECT_EQ(s.viewSettings.blocks.draw, scene::BlockLook::Draw::faces);
    EXPECT_EQ(s.viewSettings.blocks.colour, scene::BlockLook::Colour::state);
    EXPECT_EQ(s.viewSettings.lens, (scene::Interval{5, 60}));
    EXPECT_EQ(errorOf({.draw = "box"}),
              "--draw \"box\" is not one of the choices; use one of points, temperature, lines, faces, boxes, auto");
    EXPECT_EQ(errorOf({.colour = "red"}), "--colour \"red\" is not one of the choices; use one of cpu, state, class");
    for (const char* lens :
         {"5", "60-5", "7-7", "5-60x", "-5-60", "five-six", "5-", "1--5", " 5-60", "1-99999999999999999999"}) {
        EXPECT_EQ(errorOf({.lens = lens}),
                  std::string("--lens \"") + lens + "\" is not a range; use FROM-TO, for example 1000-2000");
    }
}

TEST(SpaceOptions, ChooseStaysByHowTheyEnded) {
    const auto shown = [](const std::string& words) {
        const Session s = sessionWith({.shows = words});
        return std::tuple(s.viewSettings.blocks.coherence, s.viewSettings.blocks.replacement,
                          s.viewSettings.blocks.other);
    };
    EXPECT_EQ(shown("invalidated"), std::tuple(true, false, false));
    EXPECT_EQ(shown("replaced,others"), std::tuple(false, true, true));
    for (const char* words : {"none", "replaced,inval", "replaced,,others", ",", "unreplaced"}) {
        EXPECT_NE(errorOf({.shows = words}).find("--shows \""), std::string::npos) << words;
    }
}

TEST(SpaceOptions, ChooseARangeOfTheTrace) {
    EXPECT_EQ(sessionWith({.range = "2-7"}).range, (sim::Range{sim::Tick{2}, sim::Tick{7}}));
    EXPECT_EQ(sessionWith({.range = "50%-end"}).range, (sim::Range{sim::Tick{3}, sim::Tick{7}}));
    EXPECT_EQ(errorOf({.range = "2--1"}), "--range \"2--1\" is not a range; use FROM-TO, for example 1000-2000");
    EXPECT_EQ(errorOf({.range = "2-8"}), "--range 2-8: the trace has only 7 accesses; end it at most there");
    EXPECT_EQ(errorOf({.range = "2"}), "--range \"2\" is not a range; use FROM-TO, for example 1000-2000");
}

TEST(SpaceOptions, ChooseWhatPicturesOverTimeShow) {
    EXPECT_EQ(sessionWith({.seen = "0-7"}).seen, std::nullopt) << "that is all of it";
    Session s = sessionFor({.input = "vecadd:chunk=1"});
    ASSERT_TRUE(takeOver({.seen = "100-250"}, s));
    EXPECT_EQ(s.seen, (scene::TimeSpan{100, 250}));
    EXPECT_EQ(s.range, std::nullopt);
    EXPECT_EQ(errorOf({.seen = "2-8"}), "--seen 2-8: the trace has only 7 accesses; end it at most there");
    EXPECT_EQ(errorOf({.seen = "2"}), "--seen \"2\" is not a range; use FROM-TO, for example 1000-2000");
}

TEST(SpaceOptions, PickALineOrAnObject) {
    Session s = sessionWith({.line = "b.c:3"});
    ASSERT_TRUE(s.viewSettings.source.has_value());
    const auto history = historyIn(s, 0, 7);
    EXPECT_EQ(find(*history, *s.viewSettings.source), 2u);
    EXPECT_TRUE(s.viewSettings.sourceIsNewer);
    s = sessionWith({.line = "a.c:2", .object = "R"});
    EXPECT_EQ(findObject(*history, *s.viewSettings.object), 2u);
    EXPECT_EQ(find(*history, *s.viewSettings.source), 1u);
    EXPECT_FALSE(s.viewSettings.sourceIsNewer) << "the object's stays are lit";
    s = sessionWith({.object = "0x1004"});
    EXPECT_EQ(findWord(*history, *s.viewSettings.object), 1u);
    EXPECT_EQ(errorOf({.line = "R"}),
              "--line \"R\": no access has this source line; use FILE:LINE of a line that makes accesses");
    EXPECT_FALSE(errorOf({.line = "a.c:77"}).empty());
    EXPECT_FALSE(errorOf({.object = "nosuch"}).empty());
}

/// A name that is found but has no bytes cannot be picked.
TEST(SpaceOptions, AnObjectIsSomethingInMemory) {
    EXPECT_NE(errorOf({.object = "L1"}).find("--object \"L1\""), std::string::npos);
    EXPECT_NE(errorOf({.object = "CPU 1"}).find("--object \"CPU 1\""), std::string::npos);
}

TEST(SpaceOptions, ChooseFromWhereToLook) {
    const Session s = sessionWith({.turn = "90,-45", .perspective = 0.5f});
    ASSERT_TRUE(s.viewSettings.direction.has_value());
    EXPECT_NEAR(s.viewSettings.direction->x, 1.5707963f, 1e-6f);
    EXPECT_NEAR(s.viewSettings.direction->y, -0.7853982f, 1e-6f);
    EXPECT_EQ(s.viewSettings.perspective, 0.5f);
    for (const char* turn : {"90", "90,", "90,45,1", "a,b", "inf,0", "0,nan"}) {
        EXPECT_EQ(errorOf({.turn = turn}), std::string("--turn \"") + turn +
                                               "\" is not a direction; use AZIMUTH,ELEVATION in degrees, for example "
                                               "-30,20");
    }
}

TEST(SpaceOptions, ChooseWordsOrObjects) {
    EXPECT_EQ(sessionWith({}).viewSettings.words, std::nullopt);
    EXPECT_EQ(sessionWith({.words = true}).viewSettings.words, true);
    EXPECT_EQ(sessionWith({.objects = true}).viewSettings.words, false);
    EXPECT_EQ(sessionWith({.height = 2}).viewSettings.sources.height, 2);
}

}  // namespace
}  // namespace whorl::app
