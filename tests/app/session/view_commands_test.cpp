// What keys and panels do to the views: each action of the registry's part.
#include <gtest/gtest.h>

#include <set>

#include "app/session/commands.h"
#include "app/views/sharing_trace.h"

namespace whorl::app {
namespace {

using Kind = ViewId::Kind;
using Views = std::vector<ViewId>;
using Draw = scene::BlockLook::Draw;
using Colour = scene::BlockLook::Colour;

constexpr ViewId kRings{Kind::rings};
constexpr ViewId kSources{Kind::sources};
constexpr ViewId kObjects{Kind::objects};
constexpr ViewId kL1{Kind::blocks, 0};
constexpr ViewId kL2{Kind::blocks, 1};
constexpr ViewId kCollisions{Kind::collisions};

void press(Session& s, std::string_view chord) {
    const Action* action = actionForKey(chord);
    ASSERT_NE(action, nullptr) << chord;
    applyAll(s, {{action->id}});
}

TEST(ViewsActions, HaveKeysOfTheirOwn) {
    for (const Action& a : viewsActions()) {
        for (const std::string_view key : a.keys) EXPECT_EQ(actionForKey(key)->id, a.id) << key;
    }
}

TEST(ViewsActions, KeysShowAndHideViews) {
    Session s = sharingSession();
    press(s, "F3");
    press(s, "F4");
    EXPECT_EQ(s.viewSettings.shown, (Views{kRings, kSources, kObjects}));
    press(s, "F2");
    press(s, "F6");
    EXPECT_EQ(s.viewSettings.shown, (Views{kSources, kObjects, kCollisions}));
    press(s, "F5");
    EXPECT_EQ(s.viewSettings.shown, (Views{kSources, kObjects, kL1, kL2, kCollisions})) << "all levels at once";
    applyAll(s, {{"view-toggle", asNumber(kL1)}});
    EXPECT_EQ(s.viewSettings.shown, (Views{kSources, kObjects, kL2, kCollisions}));
    press(s, "F5");
    EXPECT_EQ(s.viewSettings.shown, (Views{kSources, kObjects, kL1, kL2, kCollisions})) << "the others, too";
    press(s, "F5");
    EXPECT_EQ(s.viewSettings.shown, (Views{kSources, kObjects, kCollisions}));
    Session empty;
    press(empty, "F5");
    EXPECT_EQ(empty.viewSettings.shown, Views{kRings}) << "nothing is open";
}

TEST(ViewsActions, OneViewIsWorkedIn) {
    Session s = sharingSession();
    s.viewSettings.shown = {kRings, kSources, kObjects};
    applyAll(s, {{"view-active", asNumber(kSources)}});
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

TEST(ViewsActions, OrderIsThatOfTheViewThatIsWorkedIn) {
    Session s = sharingSession();
    s.viewSettings.shown = {kRings, kSources, kObjects, kL1};
    const auto orders = [&] {
        return std::tuple(s.viewSettings.sources.order == scene::NodeOrder::address,
                          s.viewSettings.objects.order == scene::NodeOrder::address,
                          s.viewSettings.blocks.order == scene::BlockOrder::address);
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
    applyAll(s, {{"height", 3}});
    EXPECT_EQ(s.viewSettings.objects.height, 3);
    EXPECT_EQ(s.viewSettings.sources.height, 1);
    applyAll(s, {{"height", 99}});
    EXPECT_EQ(s.viewSettings.objects.height, 10);
    applyAll(s, {{"height", -1}});
    EXPECT_FLOAT_EQ(s.viewSettings.objects.height, 0.1f);
}

TEST(ViewsActions, WordsOrObjects) {
    Session s;
    EXPECT_EQ(s.viewSettings.words, std::nullopt);
    applyAll(s, {{"words-fit", 1}});
    press(s, "u");
    EXPECT_EQ(s.viewSettings.words, false) << "words were shown, for there are few objects";
    press(s, "u");
    EXPECT_EQ(s.viewSettings.words, true);
    applyAll(s, {{"words-are", 0}});
    EXPECT_EQ(s.viewSettings.words, false);
    applyAll(s, {{"words-fit", 0}});
    EXPECT_FALSE(s.viewSettings.wordsFit);
}

TEST(ViewsActions, BlockViewsAreDrawnInAllWays) {
    Session s;
    std::set<Draw> draws;
    for (int i = 0; i < 5; ++i) {
        press(s, "F7");
        draws.insert(s.viewSettings.blocks.draw);
    }
    EXPECT_EQ(draws.size(), 5u);
    EXPECT_EQ(s.viewSettings.blocks.draw, Draw::automatic) << "and round";
    applyAll(s, {{"draw-is", 3}});
    EXPECT_EQ(s.viewSettings.blocks.draw, Draw::boxes);
    applyAll(s, {{"draw-is", 17}});
    EXPECT_EQ(s.viewSettings.blocks.draw, Draw::automatic);
    press(s, "F8");
    EXPECT_EQ(s.viewSettings.blocks.colour, Colour::holding);
    press(s, "F8");
    press(s, "F8");
    EXPECT_EQ(s.viewSettings.blocks.colour, Colour::cpu);
    applyAll(s, {{"block-colours-are", 2}});
    EXPECT_EQ(s.viewSettings.blocks.colour, Colour::object);
    press(s, "Shift+I");
    EXPECT_FALSE(s.viewSettings.blocks.coherence);
    press(s, "Shift+X");
    EXPECT_FALSE(s.viewSettings.blocks.replacement);
    press(s, "Shift+S");
    EXPECT_FALSE(s.viewSettings.blocks.other);
}

TEST(ViewsActions, PlanesOfCpus) {
    Session s;
    press(s, "1");
    EXPECT_EQ(s.viewSettings.blocks.cpus, ~std::uint64_t{1});
    press(s, "9");
    EXPECT_EQ(s.viewSettings.blocks.cpus, ~std::uint64_t{0x101});
    press(s, "1");
    EXPECT_EQ(s.viewSettings.blocks.cpus, ~std::uint64_t{0x100});
    applyAll(s, {{"cpu-plane", 63}});
    EXPECT_EQ(s.viewSettings.blocks.cpus >> 63, 0u);
    applyAll(s, {{"cpu-plane", 64}, {"cpu-plane", -1}});
    EXPECT_EQ(s.viewSettings.blocks.cpus, ~(std::uint64_t{0x100} | std::uint64_t{1} << 63)) << "there are none such";
    applyAll(s, {{"all-cpu-planes"}});
    EXPECT_EQ(s.viewSettings.blocks.cpus, ~std::uint64_t{0});
}

TEST(ViewsActions, TheLensIsLaidAndTakenAway) {
    Session s;
    press(s, "Shift+Z");
    EXPECT_FALSE(s.viewSettings.lensWanted) << "there is none to zoom to";
    applyAll(s, {{"lens", 0, "20 10"}, {"lens", 0, "5 5"}, {"lens", 0, "nonsense"}});
    EXPECT_EQ(s.viewSettings.blocks.lens, std::nullopt);
    applyAll(s, {{"lens", 0, "10 20"}});
    EXPECT_EQ(s.viewSettings.blocks.lens, (scene::Interval{10, 20}));
    press(s, "Shift+Z");
    EXPECT_TRUE(s.viewSettings.lensWanted);
    applyAll(s, {{"camera", asNumber(kSources), "1 0 0 0 0 0 1 0"}});
    EXPECT_TRUE(s.viewSettings.lensWanted) << "only a BlockView goes there";
    applyAll(s, {{"camera", asNumber(kL1), "1 0 0 0 0 0 1 0"}});
    EXPECT_FALSE(s.viewSettings.lensWanted);
    applyAll(s, {{"lens-off"}});
    EXPECT_EQ(s.viewSettings.blocks.lens, std::nullopt);
}

TEST(ViewsActions, CamerasAreKeptForEachViewAndItsPair) {
    Session s;
    ViewId baseline = kSources;
    baseline.run = 1;
    applyAll(s, {{"camera", asNumber(baseline), "1 1 2 3 0.5 0.25 7 0.75"}});
    ASSERT_TRUE(s.viewSettings.sights.contains(kSources)) << "two runs are looked at from one side";
    const Sight& sight = s.viewSettings.sights.at(kSources);
    EXPECT_TRUE(sight.byHand);
    EXPECT_EQ(sight.camera.target, glm::vec3(1, 2, 3));
    EXPECT_EQ(sight.camera.azimuth, 0.5f);
    EXPECT_EQ(sight.camera.elevation, 0.25f);
    EXPECT_EQ(sight.camera.span, 7);
    EXPECT_EQ(sight.camera.perspective, 0.75f);
    applyAll(s, {{"camera", asNumber(kObjects), "1 1 2 3"}});
    EXPECT_FALSE(s.viewSettings.sights.contains(kObjects)) << "that is no camera";
    s.viewSettings.active = kSources;
    applyAll(s, {{"perspective", 2}});
    EXPECT_EQ(sight.camera.perspective, 1);
    s.viewSettings.active = kObjects;
    applyAll(s, {{"perspective", 0.5}});
    EXPECT_FALSE(s.viewSettings.sights.contains(kObjects));
    press(s, "q");
    EXPECT_TRUE(s.viewSettings.plane);
}

/// The keys that move the rings move the picture in space that is worked in.
TEST(ViewsActions, KeysZoomTurnAndMoveTheViewThatIsWorkedIn) {
    Session s = sharingSession();
    s.viewSettings.shown = {kRings, kSources};
    applyAll(s, {{"camera", asNumber(kSources), "0 0 0 0 0.5 0.25 8 0"}});
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

TEST(ViewsActions, ALineIsPickedAndListed) {
    Session s = sharingSession();
    const auto sites = static_cast<double>(s.opened.run->trace().sites().size());
    applyAll(s, {{"pick-source", sites}});
    EXPECT_EQ(s.viewSettings.source, std::nullopt) << "there is none such";
    applyAll(s, {{"pick-source", 2}});
    EXPECT_EQ(s.viewSettings.source, SourcePick{2});
    EXPECT_TRUE(s.viewSettings.sourceIsNewer);
    ASSERT_TRUE(s.line.has_value());
    EXPECT_EQ(s.line->line, s.opened.run->trace().sites()[2].line);
    applyAll(s, {{"pick-none"}});
    EXPECT_FALSE(s.viewSettings.hasPicks());
    Session empty;
    applyAll(empty, {{"pick-source", 0}});
    EXPECT_FALSE(empty.viewSettings.hasPicks());
}

TEST(ViewsActions, AnObjectOrAStayIsPickedAndItsBlockSelected) {
    Session s = sharingSession();
    applyAll(s, {{"pick-source", 1}, {"pick-object", 0, "2 1 4112"}});
    EXPECT_EQ(s.viewSettings.object, (ObjectPick{sim::CostNode::Kind::object, 1, sim::ByteAddress{4112}}));
    EXPECT_FALSE(s.viewSettings.sourceIsNewer);
    EXPECT_EQ(s.marked(), sim::ByteAddress{4112});
    EXPECT_TRUE(s.viewSettings.source.has_value());
    applyAll(s, {{"pick-stay", 0, "1 0 256 57 8192"}});
    EXPECT_EQ(s.viewSettings.stay, (StayPick{1, 0, sim::BlockAddress{256}, 57}));
    EXPECT_EQ(s.marked(), sim::ByteAddress{8192});
    EXPECT_TRUE(s.viewSettings.object.has_value());
    applyAll(s, {{"pick-object", 0, "2 0 4096"}});
    EXPECT_EQ(s.viewSettings.stay, std::nullopt) << "of another object";
    applyAll(s, {{"pick-stay", 0, "1 0 256"}, {"pick-object", 0, "2 x"}});
    EXPECT_EQ(s.viewSettings.stay, std::nullopt);
    EXPECT_EQ(s.viewSettings.object->id, 0u);
}

TEST(ViewsActions, EscapeLetsGoOfPicks) {
    Session s = sharingSession();
    applyAll(s, {{"pick-source", 1}, {"pick-object", 0, "2 1 4112"}});
    for (int i = 0; i < 3 && s.viewSettings.hasPicks(); ++i) press(s, "Escape");
    EXPECT_FALSE(s.viewSettings.hasPicks());
}

TEST(ViewsActions, ClassesAreColoured) {
    Session s;
    press(s, "F9");
    EXPECT_TRUE(s.viewSettings.classColours);
    press(s, "F9");
    EXPECT_FALSE(s.viewSettings.classColours);
    applyAll(s, {{"class", 0, "Node"}});
    EXPECT_TRUE(s.viewSettings.classColours) << "whoever chooses a class wants to see it";
    EXPECT_EQ(s.viewSettings.classes, std::set<std::string>{"Node"});
    applyAll(s, {{"class", 0, "Node"}});
    EXPECT_TRUE(s.viewSettings.classes.empty());
    applyAll(s, {{"class-hue", 0, "ff8000 Quad Tree"}, {"class-hue", 0, "zz Node"}, {"class-hue", 0, "ff8000"}});
    ASSERT_EQ(s.viewSettings.hues.size(), 1u);
    EXPECT_EQ(s.viewSettings.hues.at("Quad Tree"), scene::hex(0xff8000));
}

TEST(ViewsActions, CollisionsAreAmongWhatIsChosen) {
    Session s;
    applyAll(s, {{"collisions-of", 2}, {"collision-level", 1}});
    EXPECT_EQ(s.viewSettings.collisionsOf, sim::CollisionsOf::className);
    EXPECT_EQ(s.viewSettings.collisionLevel, 1);
    applyAll(s, {{"collisions-of", 9}, {"collision-level", -1}});
    EXPECT_EQ(s.viewSettings.collisionsOf, sim::CollisionsOf::className);
    EXPECT_EQ(s.viewSettings.collisionLevel, 0);
}

TEST(ViewsActions, ChangesOfTheLayoutAreWanted) {
    Session s = sharingSession();
    s.opened.request.machine = "1K/2/32";
    s.error = "an old error";
    applyAll(s, {{"change", 0, "pad:P:64"}});
    ASSERT_TRUE(s.openNext.has_value());
    EXPECT_EQ(s.openNext->changes, std::vector<std::string>{"pad:P:64"});
    EXPECT_EQ(s.openNext->input, "sharing");
    EXPECT_EQ(s.openNext->machine, "1K/2/32");
    EXPECT_TRUE(s.error.empty());
    s.opened.request.changes = {"pad:P:64", "shift:Q:4", "align:R:32"};
    applyAll(s, {{"change-undo", 1}});
    EXPECT_EQ(s.openNext->changes, (std::vector<std::string>{"pad:P:64", "align:R:32"}));
    applyAll(s, {{"change-undo", 3}});
    EXPECT_EQ(s.openNext->changes.size(), 3u) << "there is none such";
    press(s, "Shift+E");
    EXPECT_FALSE(s.viewSettings.compares);
    applyAll(s, {{"recorded"}});
    EXPECT_FALSE(s.viewSettings.recorded);
}

}  // namespace
}  // namespace whorl::app
