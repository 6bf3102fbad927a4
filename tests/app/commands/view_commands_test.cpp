// The effects of keys and panels on the views.
#include <gtest/gtest.h>

#include <set>

#include "app/commands/commands.h"
#include "app/session/command.h"
#include "app/session/transitions.h"
#include "app/tours/presenting.h"
#include "support/sessions.h"
#include "support/sharing_trace.h"
#include "support/view_names.h"

namespace whorl::app {
namespace {

using Kind = ViewId::Kind;
using Views = std::vector<ViewId>;
using Draw = scene::BlockLook::Draw;
using Colour = scene::BlockLook::Colour;

constexpr ViewId kCollisions{Kind::collisions};

TEST(ViewCommands, KeysShowAndHideViews) {
    Session s = sharingSession();
    press(s, "F3");
    press(s, "F4");
    EXPECT_EQ(s.viewSettings.shown, (Views{kRings, kSources, kObjects}));
    press(s, "F2");
    press(s, "F6");
    EXPECT_EQ(s.viewSettings.shown, (Views{kSources, kObjects, kCollisions}));
    press(s, "F5");
    EXPECT_EQ(s.viewSettings.shown, (Views{kSources, kObjects, kL1, kL2, kCollisions})) << "all levels at once";
    apply(s, command::View{kL1});
    EXPECT_EQ(s.viewSettings.shown, (Views{kSources, kObjects, kL2, kCollisions}));
    press(s, "F5");
    EXPECT_EQ(s.viewSettings.shown, (Views{kSources, kObjects, kL1, kL2, kCollisions})) << "the others, too";
    press(s, "F5");
    EXPECT_EQ(s.viewSettings.shown, (Views{kSources, kObjects, kCollisions}));
    Session empty;
    press(empty, "F5");
    EXPECT_EQ(empty.viewSettings.shown, Views{kRings}) << "nothing is open";
}

TEST(ViewCommands, OneViewIsActive) {
    Session s = sharingSession();
    s.viewSettings.shown = {kRings, kSources, kObjects};
    apply(s, command::ViewActive{kSources});
    EXPECT_EQ(s.viewSettings.active, kSources);
    press(s, "Enter");
    EXPECT_EQ(s.viewSettings.active, kObjects);
    press(s, "Enter");
    EXPECT_EQ(s.viewSettings.active, kRings);
    press(s, "z");
    EXPECT_EQ(s.viewSettings.shown, Views{kRings});
    press(s, "z");
    EXPECT_EQ(s.viewSettings.shown.size(), 3u);
}

TEST(ViewCommands, OrderIsThatOfTheActiveView) {
    Session s = sharingSession();
    s.viewSettings.shown = {kRings, kSources, kObjects, kL1};
    const auto orders = [&] {
        return std::tuple(s.viewSettings.sources.order == scene::NodeOrder::address,
                          s.viewSettings.objects.order == scene::NodeOrder::address,
                          s.viewSettings.blocksOf(kL1).order == scene::BlockOrder::address);
    };
    EXPECT_EQ(orders(), std::tuple(false, false, false));
    s.viewSettings.active = kSources;
    press(s, "Shift+O");
    EXPECT_EQ(orders(), std::tuple(true, false, false));
    s.viewSettings.active = kL1;
    press(s, "Shift+O");
    EXPECT_EQ(orders(), std::tuple(true, false, true));
    s.viewSettings.active = kObjects;
    press(s, "Shift+O");
    press(s, "Shift+O");
    EXPECT_EQ(orders(), std::tuple(true, false, true));
    apply(s, command::GraphHeight{3});
    EXPECT_EQ(s.viewSettings.objects.height, 3);
    EXPECT_EQ(s.viewSettings.sources.height, 1);
    apply(s, command::GraphHeight{99});
    EXPECT_EQ(s.viewSettings.objects.height, 10);
    apply(s, command::GraphHeight{-1});
    EXPECT_FLOAT_EQ(s.viewSettings.objects.height, 0.1f);
}

TEST(ViewCommands, WordsOrObjects) {
    Session s;
    EXPECT_EQ(s.viewSettings.words, std::nullopt);
    apply(s, command::WordsFit{true});
    press(s, "u");
    EXPECT_EQ(s.viewSettings.words, false) << "words were shown, for there are few objects";
    press(s, "u");
    EXPECT_EQ(s.viewSettings.words, true);
    apply(s, command::Words{false});
    EXPECT_EQ(s.viewSettings.words, false);
    apply(s, command::WordsFit{false});
    EXPECT_FALSE(s.viewSettings.wordsFit);
}

TEST(ViewCommands, BlockViewsAreDrawnInAllWays) {
    Session s;
    std::set<Draw> draws;
    for (int i = 0; i < 5; ++i) {
        press(s, "F7");
        draws.insert(s.viewSettings.blocks.draw);
    }
    EXPECT_EQ(draws.size(), 5u);
    EXPECT_EQ(s.viewSettings.blocks.draw, Draw::automatic) << "and round";
    changeOf("block-draw", Draw::boxes).applyTo(s);
    EXPECT_EQ(s.viewSettings.blocks.draw, Draw::boxes);

    EXPECT_EQ(s.viewSettings.blocks.draw, Draw::boxes);
    press(s, "F8");
    EXPECT_EQ(s.viewSettings.blocks.colour, Colour::state);
    press(s, "F8");
    press(s, "F8");
    EXPECT_EQ(s.viewSettings.blocks.colour, Colour::cpu);
    changeOf("block-colours", Colour::objectClass).applyTo(s);
    EXPECT_EQ(s.viewSettings.blocks.colour, Colour::objectClass);
    press(s, "Shift+I");
    EXPECT_FALSE(s.viewSettings.blocks.coherence);
    press(s, "Shift+X");
    EXPECT_FALSE(s.viewSettings.blocks.replacement);
    press(s, "Shift+S");
    EXPECT_FALSE(s.viewSettings.blocks.other);
}

TEST(ViewCommands, PlanesOfCpus) {
    Session s;
    press(s, "1");
    EXPECT_EQ(s.viewSettings.blocks.cpus, ~std::uint64_t{1});
    press(s, "9");
    EXPECT_EQ(s.viewSettings.blocks.cpus, ~std::uint64_t{0x101});
    press(s, "1");
    EXPECT_EQ(s.viewSettings.blocks.cpus, ~std::uint64_t{0x100});
    apply(s, command::CpuPlane{63});
    EXPECT_EQ(s.viewSettings.blocks.cpus >> 63, 0u);
    apply(s, command::CpuPlane{64});
    EXPECT_EQ(s.viewSettings.blocks.cpus, ~(std::uint64_t{0x100} | std::uint64_t{1} << 63)) << "there are none such";
    apply(s, command::CpuPlanesAll{});
    EXPECT_EQ(s.viewSettings.blocks.cpus, ~std::uint64_t{0});
}

/// Two BlockViews may differ: what is changed is the active one, or both if none is.
TEST(ViewCommands, EachBlockViewHasItsSettings) {
    Session s = sharingSession();
    s.viewSettings.shown = {kRings, kL1, kL2};
    s.viewSettings.active = kL2;
    press(s, "F8");
    press(s, "Shift+X");
    press(s, "1");
    EXPECT_EQ(s.viewSettings.blocksOf(kL2).colour, scene::BlockLook::Colour::state);
    EXPECT_FALSE(s.viewSettings.blocksOf(kL2).replacement);
    EXPECT_EQ(s.viewSettings.blocksOf(kL2).cpus, ~std::uint64_t{1});
    EXPECT_EQ(s.viewSettings.blocksOf(kL1), BlockChoice{});
    s.viewSettings.active = kRings;
    press(s, "Shift+S");
    EXPECT_FALSE(s.viewSettings.blocksOf(kL1).other);
    EXPECT_FALSE(s.viewSettings.blocksOf(kL2).other);
    EXPECT_EQ(s.viewSettings.blocksOf(kL2).colour, scene::BlockLook::Colour::state) << "the rest stays its own";
}

TEST(ViewCommands, RowsAreZoomedApartFromTime) {
    Session s = sessionFor({.input = "vecadd"});
    s.viewSettings.shown = {kL1};
    s.viewSettings.active = kL1;
    press(s, "Alt++");
    EXPECT_FALSE(s.seen);
    const auto rows = s.viewSettings.blocksOf(kL1).rows;
    ASSERT_TRUE(rows);
    EXPECT_NEAR(rows->length(), 1 / 1.5, 1e-9);
    press(s, "Alt+-");
    EXPECT_EQ(s.viewSettings.blocksOf(kL1).rows, std::nullopt);
    // Face on, the keys of the picture zoom and move both; 0 shows all.
    press(s, "+");
    EXPECT_TRUE(s.viewSettings.blocksOf(kL1).rows);
    ASSERT_TRUE(s.seen);
    const scene::TimeSpan seen = *s.seen;
    press(s, "Shift+Right");
    EXPECT_GT(s.seen->from, seen.from);
    press(s, "Shift+Down");
    EXPECT_GT(s.viewSettings.blocksOf(kL1).rows->from, rows->from);
    press(s, "0");
    EXPECT_FALSE(s.seen);
    EXPECT_EQ(s.viewSettings.blocksOf(kL1).rows, std::nullopt);
    // What does not make sense is left alone; another order begins with all rows.
    for (const auto& [from, to] : {std::pair(0.5, 0.5), std::pair(-1.0, 0.5), std::pair(0.0, 1.5)}) {
        apply(s, command::BlockRows{kL1, from, to});
        EXPECT_EQ(s.viewSettings.blocksOf(kL1).rows, std::nullopt);
    }
    apply(s, command::BlockRows{kL1, 0.25, 0.5});
    EXPECT_EQ(s.viewSettings.blocksOf(kL1).rows, (scene::RowSpan{0.25, 0.5}));
    press(s, "Shift+O");
    EXPECT_EQ(s.viewSettings.blocksOf(kL1).rows, std::nullopt);
}

/// One key turns a BlockView from face on to aside, in one movement.
TEST(ViewCommands, ABlockViewIsTurnedContinuously) {
    Session s = sharingSession();
    s.viewSettings.shown = {kL1};
    s.viewSettings.active = kL1;
    EXPECT_FALSE(s.viewSettings.moving());
    press(s, "Ctrl+D");
    EXPECT_TRUE(s.viewSettings.moving());
    float before = 0;
    for (int i = 0; i < 100 && s.viewSettings.moving(); ++i) {
        passTime(s, 1.0 / 60);
        const float depth = s.viewSettings.blocksOf(kL1).depth;
        EXPECT_GT(depth, before);
        EXPECT_LT(depth - before, 0.05f);
        before = depth;
    }
    EXPECT_EQ(before, 1);
    s.reducedMotion = true;
    press(s, "Ctrl+D");
    passTime(s, 1.0 / 60);
    EXPECT_EQ(s.viewSettings.blocksOf(kL1).depth, 0);
}

TEST(ViewCommands, TheLensIsSetAndRemoved) {
    Session s;
    press(s, "Shift+Z");
    EXPECT_FALSE(s.viewSettings.lensWanted) << "there is none to zoom to";
    s.viewSettings.shown = {kL1};
    s.viewSettings.sights[kL1].byHand = true;
    press(s, "Shift+Z");
    EXPECT_TRUE(s.viewSettings.lensWanted) << "a BlockView lays one";
    EXPECT_FALSE(s.viewSettings.sights[kL1].byHand) << "it fills the view, wherever the camera was";
    apply(s, command::TimeAll{});
    apply(s, command::Lens{20, 10});
    apply(s, command::Lens{5, 5});
    EXPECT_EQ(s.viewSettings.lens, std::nullopt);
    apply(s, command::Lens{10, 20});
    EXPECT_EQ(s.viewSettings.lens, (scene::Interval{10, 20}));
    press(s, "Shift+Z");
    EXPECT_TRUE(s.viewSettings.lensWanted);
    apply(s, command::Camera{kL1, true, {}});
    EXPECT_TRUE(s.viewSettings.lensWanted) << "a BlockView shows its time";
    apply(s, command::TimeAll{});
    EXPECT_FALSE(s.viewSettings.lensWanted);
    press(s, "Shift+Z");
    apply(s, command::LensOff{});
    EXPECT_EQ(s.viewSettings.lens, std::nullopt);
    EXPECT_FALSE(s.viewSettings.lensWanted);
}

TEST(ViewCommands, CamerasAreKeptForEachViewAndItsPair) {
    Session s;
    ViewId baseline = kSources;
    baseline.run = 1;
    apply(s, command::Camera{baseline, true, {{1, 2, 3}, 0.5f, 0.25f, 7, 0.75f}});
    ASSERT_TRUE(s.viewSettings.sights.contains(kSources)) << "two runs are looked at from one side";
    const Sight& sight = s.viewSettings.sights.at(kSources);
    EXPECT_TRUE(sight.byHand);
    EXPECT_EQ(sight.camera.target, glm::vec3(1, 2, 3));
    EXPECT_EQ(sight.camera.azimuth, 0.5f);
    EXPECT_EQ(sight.camera.elevation, 0.25f);
    EXPECT_EQ(sight.camera.span, 7);
    EXPECT_EQ(sight.camera.perspective, 0.75f);

    s.viewSettings.active = kSources;
    apply(s, command::Perspective{2});
    EXPECT_EQ(sight.camera.perspective, 1);
    s.viewSettings.active = kObjects;
    apply(s, command::Perspective{0.5f});
    EXPECT_FALSE(s.viewSettings.sights.contains(kObjects));
}

/// The keys that move the rings also move the active view in space.
TEST(ViewCommands, KeysZoomTurnAndMoveTheActiveView) {
    Session s = sharingSession();
    s.viewSettings.shown = {kRings, kSources};
    apply(s, command::Camera{kSources, false, {{0, 0, 0}, 0.5f, 0.25f, 8, 0}});
    s.viewSettings.active = kSources;
    const auto camera = [&] { return s.viewSettings.sights.at(kSources).camera; };
    press(s, "+");
    EXPECT_FLOAT_EQ(camera().span, 8 / 1.5f);
    EXPECT_TRUE(s.viewSettings.sights.at(kSources).byHand);
    press(s, "-");
    EXPECT_FLOAT_EQ(camera().span, 8);
    const scene::SpaceCamera before = camera();
    press(s, "Ctrl+Left");
    EXPECT_NE(camera().azimuth, before.azimuth);
    press(s, "Ctrl+Right");
    EXPECT_NEAR(camera().azimuth, before.azimuth, 1e-5f);
    press(s, "Shift+Up");
    EXPECT_FALSE(camera().target == before.target);
    press(s, "0");
    EXPECT_FALSE(s.viewSettings.sights.at(kSources).byHand) << "as it is of itself";
    EXPECT_EQ(s.camera.target().zoom, 1) << "the rings have stayed";
    s.viewSettings.active = kRings;
    press(s, "+");
    EXPECT_GT(s.camera.target().zoom, 1);
    EXPECT_FALSE(s.viewSettings.sights.at(kSources).byHand);
}

TEST(ViewCommands, ALineIsPickedAndListed) {
    Session s = sharingSession();
    const auto sites = static_cast<std::uint32_t>(s.opened.run->trace().sites().size());
    apply(s, command::PickSource{sites});
    EXPECT_EQ(s.viewSettings.source, std::nullopt) << "there is none such";
    apply(s, command::PickSource{2});
    EXPECT_EQ(s.viewSettings.source, SourcePick{2});
    EXPECT_TRUE(s.viewSettings.sourceIsNewer);
    ASSERT_TRUE(s.line.has_value());
    EXPECT_EQ(s.line->line, s.opened.run->trace().sites()[2].line);
    apply(s, command::SelectNone{});
    EXPECT_FALSE(s.viewSettings.hasPicks());
    // Any instruction of a line stands for it.
    sim::TraceParts parts = s.opened.run->trace().parts();
    parts.sites.push_back(parts.sites[2]);
    parts.sites.back().pc = sim::ByteAddress{0x40};
    s.opened.run = std::make_shared<sim::Run>(std::make_shared<const sim::Trace>(parts), s.opened.run->machine());
    apply(s, command::PickSource{sites});
    EXPECT_EQ(s.viewSettings.source, SourcePick{2});
    Session empty;
    apply(empty, command::PickSource{0});
    EXPECT_FALSE(empty.viewSettings.hasPicks());
}

TEST(ViewCommands, AnObjectOrAStayIsPickedAndItsBlockSelected) {
    Session s = sharingSession();
    apply(s, command::PickSource{1});
    apply(s, command::PickObject{{sim::CostNode::Kind::object, 1, sim::ByteAddress{4112}}});
    EXPECT_EQ(s.viewSettings.object, (ObjectPick{sim::CostNode::Kind::object, 1, sim::ByteAddress{4112}}));
    EXPECT_FALSE(s.viewSettings.sourceIsNewer);
    EXPECT_EQ(s.marked(), sim::ByteAddress{4112});
    EXPECT_TRUE(s.viewSettings.source.has_value());
    apply(s, command::PickStay{{1, 0, sim::BlockAddress{256}, 57}, sim::ByteAddress{8192}});
    EXPECT_EQ(s.viewSettings.stay, (StayPick{1, 0, sim::BlockAddress{256}, 57}));
    EXPECT_EQ(s.marked(), sim::ByteAddress{8192});
    EXPECT_TRUE(s.viewSettings.object.has_value());
    apply(s, command::PickObject{{sim::CostNode::Kind::object, 0, sim::ByteAddress{4096}}});
    EXPECT_EQ(s.viewSettings.stay, std::nullopt) << "of another object";

    EXPECT_EQ(s.viewSettings.stay, std::nullopt);
    EXPECT_EQ(s.viewSettings.object->id, 0u);
}

TEST(ViewCommands, EscapeClearsPicks) {
    Session s = sharingSession();
    apply(s, command::PickSource{1});
    apply(s, command::PickObject{{sim::CostNode::Kind::object, 1, sim::ByteAddress{4112}}});
    for (int i = 0; i < 3 && s.viewSettings.hasPicks(); ++i) press(s, "Escape");
    EXPECT_FALSE(s.viewSettings.hasPicks());
}

TEST(ViewCommands, ClassesAreColoured) {
    Session s;
    press(s, "F9");
    EXPECT_TRUE(s.viewSettings.classColours);
    press(s, "F9");
    EXPECT_FALSE(s.viewSettings.classColours);
    apply(s, command::ClassColoured{"Node"});
    EXPECT_TRUE(s.viewSettings.classColours) << "whoever chooses a class wants to see it";
    EXPECT_EQ(s.viewSettings.classes, std::set<std::string>{"Node"});
    apply(s, command::ClassColoured{"Node"});
    EXPECT_TRUE(s.viewSettings.classes.empty());
    apply(s, command::ClassColour{"Quad Tree", scene::hex(0xff8000)});
    ASSERT_EQ(s.viewSettings.hues.size(), 1u);
    EXPECT_EQ(s.viewSettings.hues.at("Quad Tree"), scene::hex(0xff8000));
}

TEST(ViewCommands, CollisionsAreAmongWhatIsChosen) {
    Session s;
    changeOf("collisions-of", sim::CollisionsOf::className).applyTo(s);
    changeOf("collisions-level", 1).applyTo(s);
    EXPECT_EQ(s.viewSettings.collisionsOf, sim::CollisionsOf::className);
    EXPECT_EQ(s.viewSettings.collisionLevel, 1);
    const std::string things = "collisions-of";
    const std::string level = "collisions-level";
    EXPECT_FALSE(parseCommand(things + " nothing-there-is"));
    EXPECT_FALSE(parseCommand(level + " -1"));
}

TEST(ViewCommands, FoldedGraphsShowWhatIsChosen) {
    Session s;
    ViewSettings& settings = s.viewSettings;
    changeOf("graph-height-by", NodeMetric::misses).applyTo(s);
    EXPECT_EQ(settings.sources.heightBy.metric, NodeMetric::misses);
    EXPECT_EQ(settings.objects.heightBy.metric, NodeMetric::misses) << "the rings are active: of all graphs";
    settings.active = kObjects;
    changeOf("graph-height-by", NodeMetric::accesses).applyTo(s);
    changeOf("graph-colour-by", NodeMetric::invalidations).applyTo(s);
    changeOf("graph-colour-level", std::uint8_t{1}).applyTo(s);
    EXPECT_EQ(settings.sources.heightBy.metric, NodeMetric::misses);
    EXPECT_EQ(settings.objects.heightBy.metric, NodeMetric::accesses);
    EXPECT_EQ(settings.objects.colourBy, (NodeQuantity{NodeMetric::invalidations, 1}));
    EXPECT_EQ(settings.sources.colourBy, NodeQuantity{});
    EXPECT_FALSE(parseCommand("graph-height-by weight"));
}

TEST(ViewCommands, ChangesOfTheLayoutAreWanted) {
    Session s = sharingSession();
    s.opened.request.machine = "1K/2/32";
    s.error = "an old error";
    apply(s, command::Change{*sim::parseLayoutChange("pad:P:64")});
    ASSERT_TRUE(s.requests.has<request::Open>());
    EXPECT_EQ(s.requests.next<request::Open>()->changes, changesFrom({"pad:P:64"}));
    EXPECT_EQ(s.requests.next<request::Open>()->input, "sharing");
    EXPECT_EQ(s.requests.next<request::Open>()->machine, "1K/2/32");
    EXPECT_TRUE(s.error.empty());
    apply(s, command::Change{*sim::parseLayoutChange("align:Q:64")});
    EXPECT_EQ(s.requests.next<request::Open>()->changes, changesFrom({"pad:P:64", "align:Q:64"}))
        << "as of a cure of two changes";
    s.opened.request.changes = changesFrom({"pad:P:64", "shift:Q:4", "align:R:32"});
    apply(s, command::ChangeUndo{1});
    EXPECT_EQ(s.requests.next<request::Open>()->changes, changesFrom({"pad:P:64", "align:R:32"}));
    apply(s, command::ChangeUndo{3});
    EXPECT_EQ(s.requests.next<request::Open>()->changes.size(), 3u) << "there is none such";
    apply(s, command::ChangeOnly{"Q", *sim::parseLayoutChange("align:Q:64")});
    EXPECT_EQ(s.requests.next<request::Open>()->changes, changesFrom({"pad:P:64", "align:R:32", "align:Q:64"}))
        << "another layout takes the place of those that the thing had";
    apply(s, command::ChangeOnly{"P", {}});
    EXPECT_EQ(s.requests.next<request::Open>()->changes, changesFrom({"align:R:32", "align:Q:64"}));
    press(s, "Shift+E");
    EXPECT_FALSE(s.viewSettings.compares);
    changeOf("recorded").applyTo(s);
    EXPECT_FALSE(s.viewSettings.recorded);
}

}  // namespace
}  // namespace whorl::app
