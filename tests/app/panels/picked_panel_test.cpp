// What is picked, in words: one thing, whatever picked it; where it is, its accesses, what it is linked to.
#include "app/panels/picked/picked_thing.h"

#include <gtest/gtest.h>

#include <string>

#include "app/panels/panel_frame.h"
#include "app/panels/panels.h"
#include "app/panels/picked/picked_accesses.h"
#include "support/sessions.h"
#include "support/shared_trace.h"
#include "support/sharing_trace.h"

namespace whorl::app {
namespace {

struct DrawnPicked {
    explicit DrawnPicked(Session of) : session(std::move(of)), frame(session, draw(), {320, 900}) { next(); }
    PanelFrame::Draw draw() {
        return [this](const PanelContext& c) {
            thing = pickedThing(c);
            drawPickedPanel(c);
        };
    }
    void next() {
        frame.settle();
        frame.next();
        frame.next();
    }
    const KeptTable& table(const std::string& name) { return frame.parts().edits.tables[name]; }
    template <class Command>
    void pick(const Command& command) {
        command::apply(session, command);
        next();
    }

    Session session;
    std::optional<PickedThing> thing;
    PanelFrame frame;
};

Session at(Session session, double tick) {
    session.player.seek(tick, session.end());
    return session;
}

TEST(PickedPanel, ThereIsOnePickWhateverPickedIt) {
    DrawnPicked panel(at(sharingSession(), 7));
    EXPECT_FALSE(panel.thing);
    panel.pick(command::Select{sim::ByteAddress{0x1004}});
    ASSERT_TRUE(panel.thing);
    EXPECT_EQ(panel.thing->name, "P+0x4");
    EXPECT_EQ(panel.thing->of, "class Half");
    panel.pick(
        command::PickObject{{.kind = sim::CostNode::Kind::object, .id = 2, .address = sim::ByteAddress{0x2000}}});
    EXPECT_EQ(panel.thing->name, "R");
    panel.pick(command::PickSource{1});
    EXPECT_EQ(panel.thing->kind, PickedThing::Kind::line);
    EXPECT_EQ(panel.thing->name, "a.c:1");
    panel.pick(command::PickWay{});
    EXPECT_EQ(panel.thing->kind, PickedThing::Kind::way) << "the last pick, though the line stays marked";
    panel.pick(command::Select{sim::ByteAddress{0x1014}});
    EXPECT_EQ(panel.thing->name, "Q+0x4") << "another object in the block";
    panel.pick(command::SelectNone{});
    EXPECT_FALSE(panel.thing);
}

/// After all accesses: CPU 0's L1 has 0x1000 in set 0, CPU 1's has lost it.
TEST(PickedPanel, SaysWhereItIsInEachLevel) {
    DrawnPicked panel(at(sharingSession(), 7));
    panel.pick(command::Select{sim::ByteAddress{0x1004}});
    const KeptTable& where = panel.table("where");
    ASSERT_EQ(where.table().rows.size(), panel.session.opened.run->machine().levels.size());
    EXPECT_EQ(where.cell(0, "where"), sim::Cell(std::string("L1 CPU 0")));
    EXPECT_EQ(where.cell(0, "block"), sim::Cell(std::string("0x1000")));
    EXPECT_EQ(where.cell(0, "rank"), sim::Cell(std::uint64_t{1}));
    panel.pick(command::Select{sim::ByteAddress{0x2000}});
    EXPECT_EQ(where.cell(0, "state"), sim::Cell(std::string("not in L1"))) << "evicted by 0x1000";
}

TEST(PickedPanel, CountsTheAccessesOfTheRunOrTheRange) {
    DrawnPicked panel(at(sharingSession(), 3));
    panel.pick(command::PickMemory{sim::ByteAddress{0x1000}, 32});
    const auto& kept = panel.frame.parts().edits.picked;
    EXPECT_EQ(kept.counted.size(), 4u);
    EXPECT_EQ(kept.missed, 4u);
    EXPECT_EQ(kept.writes, 3u);
    EXPECT_EQ(kept.countedBefore(sim::Tick{3}), 3u);
    EXPECT_EQ(kept.before(sim::Tick{3})->tick, sim::Tick{2});
    // With a range the counts are of it, but the last access and the next one are those of the run.
    panel.session.range = sim::Range{sim::Tick{3}, sim::Tick{5}};
    panel.next();
    EXPECT_EQ(kept.counted.size(), 1u);
    EXPECT_EQ(kept.before(sim::Tick{3})->tick, sim::Tick{2});
    // A word in the cell has accesses of its own.
    panel.pick(command::PickObject{{.kind = sim::CostNode::Kind::word, .id = 0, .address = sim::ByteAddress{0x1004}}});
    EXPECT_TRUE(kept.counted.empty());
    EXPECT_EQ(kept.all.size(), 1u);
    EXPECT_TRUE(panel.session.viewSettings.place) << "the cell stays picked";
}

TEST(PickedPanel, LinksGoWhereTheySay) {
    DrawnPicked panel(at(sharingSession(), 5));
    panel.pick(command::Select{sim::ByteAddress{0x1000}});
    EXPECT_EQ(textsOf(panel.frame.click("picked seek")), std::vector<std::string>{"seek 5"});
    EXPECT_EQ(textsOf(panel.frame.click("picked line b.c:3")), std::vector<std::string>{"look-up b.c:3"});
    EXPECT_TRUE(textsOf(panel.frame.click("picked object P")).front().starts_with("pick-object object 0"));
    EXPECT_TRUE(panel.frame.click("picked class Half").empty());
    EXPECT_EQ(panel.table("regions").filter(), "Half");
    EXPECT_EQ(textsOf(panel.frame.click("button ×")), std::vector<std::string>{"select-none"});
}

/// CPU 0 has two blocks of A, CPU 1 one of B.
TEST(PickedPanel, CountsTheBlocksOfARegionThatAreCached) {
    Session session = sharedSession();
    session.player.seek(session.end(), session.end());
    DrawnPicked panel(std::move(session));
    panel.pick(command::PickRegion{0});
    EXPECT_EQ(panel.table("held").cell(0, "held"), sim::Cell(std::uint64_t{2}));
    panel.pick(command::PickRegion{1});
    EXPECT_EQ(panel.table("held").cell(1, "held"), sim::Cell(std::uint64_t{1}));
}

TEST(PickedPanel, ListsWhatAPickedSetHolds) {
    DrawnPicked panel(at(sharingSession(), 7));
    panel.pick(command::PickWay{});
    const auto texts = textsOf(panel.frame.click("way P"));
    ASSERT_FALSE(texts.empty());
    EXPECT_EQ(texts.front(), "select 0x1000");
}

}  // namespace
}  // namespace whorl::app
