// Which views are in the window.
#include "app/session/view_settings.h"

#include <gtest/gtest.h>

#include "support/view_names.h"

namespace whorl::app {
namespace {

using Kind = ViewId::Kind;
using Views = std::vector<ViewId>;

TEST(ViewSettings, ShowsTheRingsAtFirst) {
    const ViewSettings viewSettings;
    EXPECT_EQ(viewSettings.shown, Views{kRings});
    EXPECT_EQ(viewSettings.active, kRings);
    EXPECT_FALSE(viewSettings.needsHistory());
    EXPECT_FALSE(viewSettings.hasPicks());
}

TEST(ViewSettings, ViewsComeInTheirOrderAndGoAgain) {
    ViewSettings viewSettings;
    viewSettings.toggle(kL2);
    EXPECT_EQ(viewSettings.active, kL2) << "what was just shown is worked in";
    EXPECT_TRUE(viewSettings.needsHistory());
    viewSettings.toggle(kSources);
    viewSettings.toggle(kL1);
    EXPECT_EQ(viewSettings.shown, (Views{kRings, kSources, kL1, kL2}));
    viewSettings.toggle(kSources);
    EXPECT_EQ(viewSettings.shown, (Views{kRings, kL1, kL2}));
    EXPECT_EQ(viewSettings.active, kL1) << "another one has gone";
    viewSettings.toggle(kL1);
    EXPECT_EQ(viewSettings.active, kRings);
}

TEST(ViewSettings, NeverIsWithoutAnyView) {
    ViewSettings viewSettings;
    viewSettings.toggle(kRings);
    EXPECT_EQ(viewSettings.shown, Views{kRings});
    viewSettings.toggle(kObjects);
    viewSettings.toggle(kRings);
    EXPECT_EQ(viewSettings.shown, Views{kObjects});
    viewSettings.toggle(kObjects);
    EXPECT_EQ(viewSettings.shown, Views{kObjects});
    EXPECT_EQ(viewSettings.active, kObjects);
}

TEST(ViewSettings, OneAloneAndAllAgain) {
    ViewSettings viewSettings;
    viewSettings.toggleAlone();
    EXPECT_EQ(viewSettings.shown, Views{kRings}) << "it was alone already";
    viewSettings.toggle(kSources);
    viewSettings.toggle(kObjects);
    viewSettings.active = kSources;
    viewSettings.toggleAlone();
    EXPECT_EQ(viewSettings.shown, Views{kSources});
    viewSettings.toggleAlone();
    EXPECT_EQ(viewSettings.shown, (Views{kRings, kSources, kObjects}));
    EXPECT_TRUE(viewSettings.aside.empty());
    // Showing another view while one is alone makes a new selection.
    viewSettings.toggleAlone();
    viewSettings.toggle(kL1);
    EXPECT_EQ(viewSettings.shown, (Views{kSources, kL1}));
    viewSettings.toggleAlone();
    EXPECT_EQ(viewSettings.shown, Views{kL1});
    viewSettings.toggleAlone();
    EXPECT_EQ(viewSettings.shown, (Views{kSources, kL1}));
    // Closing the one that is alone shows the others.
    viewSettings.toggleAlone();
    viewSettings.toggle(kL1);
    EXPECT_EQ(viewSettings.shown, Views{kSources});
    EXPECT_EQ(viewSettings.active, kSources);
}

TEST(ViewSettings, AViewComesBackToItsPlace) {
    ViewSettings viewSettings;
    viewSettings.take(*tilingFrom("row(rings*3,column(source,object)*2)"), [](const ViewId&) { return true; });
    const Tiling all = viewSettings.tiling({1200, 800});
    EXPECT_EQ(textOf(all), "row(rings*3,column(source,object)*2)");
    viewSettings.toggle(kObjects);
    EXPECT_EQ(textOf(viewSettings.tiling({1200, 800})), "row(rings*3,source*2)");
    viewSettings.toggle(kObjects);
    EXPECT_EQ(viewSettings.tiling({1200, 800}), all);
    // So do all after one was alone, and a view that has no place gets one.
    viewSettings.toggleAlone();
    EXPECT_EQ(viewSettings.tiling({1200, 800}), all);
    viewSettings.toggleAlone();
    viewSettings.toggle(kL1);
    EXPECT_EQ(textOf(viewSettings.tiling({1600, 600})), "row(rings*3,block:0*3,column(source,object)*4)");
    viewSettings.take(*tilingFrom("auto"), [](const ViewId&) { return true; });
    EXPECT_EQ(viewSettings.shown, (Views{kRings, kSources, kObjects, kL1}));
    EXPECT_FALSE(viewSettings.arrangement);
}

sim::MachineConfig machineOf(std::size_t levels) {
    sim::MachineConfig machine;
    machine.levels.resize(levels);
    return machine;
}

TEST(ViewSettings, LeavesTheLevelsThatAMachineLacks) {
    ViewSettings viewSettings;
    viewSettings.toggle(kL1);
    viewSettings.toggle(ViewId{ViewId::Kind::blocks, 2});
    viewSettings.stay = StayPick{.level = 2};
    viewSettings.collisionLevel = 2;
    ViewSettings three = viewSettings;
    three.keepLevels(machineOf(3));
    EXPECT_EQ(three, viewSettings);
    viewSettings.keepLevels(machineOf(2));
    EXPECT_EQ(viewSettings.shown, (Views{kRings, kL1}));
    EXPECT_TRUE(viewSettings.shows(viewSettings.active));
    EXPECT_FALSE(viewSettings.stay);
    EXPECT_EQ(viewSettings.collisionLevel, 0);
    // The level that is shown alone disappears: all others are shown again.
    viewSettings.toggle(kL1);
    viewSettings.toggle(kL1);
    viewSettings.toggleAlone();
    viewSettings.keepLevels(machineOf(0));
    EXPECT_EQ(viewSettings.shown, Views{kRings});
    EXPECT_EQ(viewSettings.active, kRings);
    EXPECT_TRUE(viewSettings.aside.empty());
}

TEST(ViewSettings, PicksOfAddressesAreMovedIntoAnotherLayout) {
    ViewSettings viewSettings;
    viewSettings.source = SourcePick{1};
    viewSettings.object = ObjectPick{.kind = sim::CostNode::Kind::word, .address = sim::ByteAddress{16}};
    viewSettings.stay = StayPick{};
    viewSettings.place = sim::Place{.from = sim::ByteAddress{32}, .bytes = 8};
    const ViewId history{ViewId::Kind::history};
    viewSettings.histories[history].place = sim::Place{.from = sim::ByteAddress{64}, .bytes = 8};
    viewSettings.movePicks([](sim::ByteAddress a) { return sim::ByteAddress{a.value + 4}; });
    EXPECT_TRUE(viewSettings.source);
    EXPECT_EQ(viewSettings.object->address, sim::ByteAddress{20});
    EXPECT_FALSE(viewSettings.stay);
    EXPECT_EQ(viewSettings.place->from, sim::ByteAddress{36});
    EXPECT_EQ(viewSettings.histories[history].place->from, sim::ByteAddress{68});
}

TEST(ViewSettings, ClearsAllPicks) {
    ViewSettings viewSettings;
    viewSettings.source = SourcePick{1};
    EXPECT_TRUE(viewSettings.hasPicks());
    viewSettings.object = ObjectPick{};
    viewSettings.stay = StayPick{};
    viewSettings.clearPicks();
    EXPECT_FALSE(viewSettings.hasPicks());
}

}  // namespace
}  // namespace whorl::app
