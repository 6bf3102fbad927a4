// Which views stand on the window.
#include "app/session/view_settings.h"

#include <gtest/gtest.h>

namespace whorl::app {
namespace {

using Kind = ViewId::Kind;
using Views = std::vector<ViewId>;

constexpr ViewId kRings{Kind::rings};
constexpr ViewId kSources{Kind::sources};
constexpr ViewId kObjects{Kind::objects};
constexpr ViewId kL1{Kind::blocks, 0};
constexpr ViewId kL2{Kind::blocks, 1};

TEST(Workbench, ShowsTheRingsAtFirst) {
    const Workbench bench;
    EXPECT_EQ(bench.shown, Views{kRings});
    EXPECT_EQ(bench.active, kRings);
    EXPECT_FALSE(bench.needsHistory());
    EXPECT_FALSE(bench.hasPicks());
}

TEST(Workbench, ViewsComeInTheirOrderAndGoAgain) {
    Workbench bench;
    bench.toggle(kL2);
    EXPECT_EQ(bench.active, kL2) << "what was just shown is worked in";
    EXPECT_TRUE(bench.needsHistory());
    bench.toggle(kSources);
    bench.toggle(kL1);
    EXPECT_EQ(bench.shown, (Views{kRings, kSources, kL1, kL2}));
    bench.toggle(kSources);
    EXPECT_EQ(bench.shown, (Views{kRings, kL1, kL2}));
    EXPECT_EQ(bench.active, kL1) << "another one has gone";
    bench.toggle(kL1);
    EXPECT_EQ(bench.active, kRings);
}

TEST(Workbench, NeverIsWithoutAnyView) {
    Workbench bench;
    bench.toggle(kRings);
    EXPECT_EQ(bench.shown, Views{kRings});
    bench.toggle(kObjects);
    bench.toggle(kRings);
    EXPECT_EQ(bench.shown, Views{kObjects});
    bench.toggle(kObjects);
    EXPECT_EQ(bench.shown, Views{kObjects});
    EXPECT_EQ(bench.active, kObjects);
}

TEST(Workbench, OneAloneAndAllAgain) {
    Workbench bench;
    bench.toggleAlone();
    EXPECT_EQ(bench.shown, Views{kRings}) << "it was alone already";
    bench.toggle(kSources);
    bench.toggle(kObjects);
    bench.active = kSources;
    bench.toggleAlone();
    EXPECT_EQ(bench.shown, Views{kSources});
    bench.toggleAlone();
    EXPECT_EQ(bench.shown, (Views{kRings, kSources, kObjects}));
    EXPECT_TRUE(bench.aside.empty());
    // Who shows another one has a new choice.
    bench.toggleAlone();
    bench.toggle(kL1);
    EXPECT_EQ(bench.shown, (Views{kSources, kL1}));
    bench.toggleAlone();
    EXPECT_EQ(bench.shown, Views{kL1});
    bench.toggleAlone();
    EXPECT_EQ(bench.shown, (Views{kSources, kL1}));
}

TEST(Workbench, LeavesTheLevelsThatAMachineLacks) {
    Workbench bench;
    bench.toggle(kL1);
    bench.toggle(ViewId{ViewId::Kind::blocks, 2});
    bench.stay = StayPick{.level = 2};
    bench.collisionLevel = 2;
    Workbench three = bench;
    three.keepLevels(3);
    EXPECT_EQ(three, bench);
    bench.keepLevels(2);
    EXPECT_EQ(bench.shown, (Views{kRings, kL1}));
    EXPECT_TRUE(bench.shows(bench.active));
    EXPECT_FALSE(bench.stay);
    EXPECT_EQ(bench.collisionLevel, 0);
    // Alone with a level that goes: all others are there again.
    bench.toggle(kL1);
    bench.toggle(kL1);
    bench.toggleAlone();
    bench.keepLevels(0);
    EXPECT_EQ(bench.shown, Views{kRings});
    EXPECT_EQ(bench.active, kRings);
    EXPECT_TRUE(bench.aside.empty());
}

TEST(Workbench, LetsGoOfAddressesButNotOfThings) {
    Workbench bench;
    bench.source = SourcePick{1};
    bench.object = ObjectPick{.kind = sim::CostNode::Kind::object, .id = 3};
    bench.stay = StayPick{};
    bench.letGoOfAddresses();
    EXPECT_TRUE(bench.source);
    EXPECT_TRUE(bench.object);
    EXPECT_FALSE(bench.stay);
    bench.object = ObjectPick{.kind = sim::CostNode::Kind::word, .address = sim::ByteAddress{16}};
    bench.letGoOfAddresses();
    EXPECT_FALSE(bench.object);
}

TEST(Workbench, LetsGoOfAllPicks) {
    Workbench bench;
    bench.source = SourcePick{1};
    EXPECT_TRUE(bench.hasPicks());
    bench.object = ObjectPick{};
    bench.stay = StayPick{};
    bench.letGoOfPicks();
    EXPECT_FALSE(bench.hasPicks());
}

}  // namespace
}  // namespace whorl::app
