// The effects of commands on the views of cells and of time: what is legal is taken, the rest is ignored.
#include "app/commands/cell_commands.h"

#include <gtest/gtest.h>

#include <limits>

#include "app/commands/commands.h"
#include "app/session/transitions.h"
#include "app/tours/presenting.h"
#include "support/shared_trace.h"
#include "support/view_names.h"

namespace whorl::app {
namespace {

using Kind = ViewId::Kind;
constexpr ViewId kSecond{.kind = Kind::memory, .part = 1};
constexpr ViewId kHistory{Kind::history};
constexpr ViewId kHistory2{.kind = Kind::history, .part = 1};

const CellChoice& choiceOf(const Session& s, const ViewId& view = kMemory) {
    return s.viewSettings.cellsOf(view);
}

TEST(CellCommands, ChooseMetricsThatAViewHas) {
    Session s = sharedSession();
    apply(s, command::CellMetric{kMemory, scene::CellMetric::hits, std::uint8_t{1}});
    EXPECT_EQ(choiceOf(s).quantity, (scene::CellQuantity{scene::CellMetric::hits, 1}));
    apply(s, command::CellMetric{kMemory, scene::CellMetric::glow, {}});
    apply(s, command::CellMetric{kMemory, scene::CellMetric::misses, std::uint8_t{2}});
    EXPECT_EQ(choiceOf(s).quantity, (scene::CellQuantity{scene::CellMetric::hits, 1}));
    EXPECT_EQ(choiceOf(s, kSecond), CellChoice{}) << "each view has its own";
    const ViewSettings before = s.viewSettings;
    apply(s, command::CellMetric{ViewId{Kind::rings}, scene::CellMetric::hits, {}});
    EXPECT_EQ(s.viewSettings, before);
}

TEST(CellCommands, AnArrayIsShownByItsName) {
    Session s = sharedSession();
    const ViewId array{Kind::array};
    EXPECT_EQ(arrayOf(s, array), 0u) << "the first, without a choice";
    apply(s, command::ArrayOf{array, "B"});
    EXPECT_EQ(arrayOf(s, array), 1u);
    apply(s, command::View{array});
    apply(s, command::PaneAdd{array, {}});
    const ViewId second{.kind = Kind::array, .part = 1};
    ASSERT_TRUE(s.viewSettings.shows(second));
    apply(s, command::ArrayOf{array, "nothing"});
    EXPECT_EQ(arrayOf(s, array), 0u);
    EXPECT_EQ(arrayOf(s, second), 1u) << "each view has its own";
    apply(s, command::ArrayOf{kMemory, "B"});
    EXPECT_EQ(s.viewSettings.arrays.size(), 2u);
    s.viewSettings.leaveTrace();
    EXPECT_TRUE(s.viewSettings.arrays.empty());
}

TEST(CellCommands, TakePowersOfTwoWithinLimits) {
    Session s = sharedSession();
    apply(s, command::CellBytes{kMemory, 64});
    apply(s, command::CellColumns{kMemory, 128});
    apply(s, command::CellGroups{kMemory, scene::MemoryGroups::pieces, 4096});
    for (const std::uint64_t wrong : {1u, 2u, 3u, 48u, 4u << 20}) apply(s, command::CellBytes{kMemory, wrong});
    for (const std::uint32_t wrong : {3u, 100u, 8192u}) apply(s, command::CellColumns{kMemory, wrong});
    for (const std::uint64_t wrong : {0u, 2u, 100u}) {
        apply(s, command::CellGroups{kMemory, scene::MemoryGroups::address, wrong});
    }
    EXPECT_EQ(choiceOf(s).cell, 64u);
    EXPECT_EQ(choiceOf(s).columns, 128u);
    EXPECT_EQ(choiceOf(s).groups, scene::MemoryGroups::pieces);
    EXPECT_EQ(choiceOf(s).piece, 4096u);
    apply(s, command::CellBytes{kMemory, 0});
    apply(s, command::CellColumns{kMemory, 0});
    EXPECT_EQ(choiceOf(s).cell, 0u);
    EXPECT_EQ(choiceOf(s).columns, 0u);
}

TEST(CellCommands, KeepNumbersWithinLimits) {
    Session s = sharedSession();
    const auto halfLife = [&](double accesses) {
        apply(s, command::HalfLife{kLive, accesses});
        return choiceOf(s, kLive).halfLife;
    };
    EXPECT_EQ(halfLife(50), 50);
    EXPECT_EQ(halfLife(std::numeric_limits<double>::quiet_NaN()), 50);
    EXPECT_EQ(halfLife(0), CellChoice::kMinHalfLife);
    EXPECT_EQ(halfLife(1e12), CellChoice::kMaxHalfLife);
    apply(s, command::CellZoom{kMemory, 999, 0, -5, -6});
    EXPECT_EQ(choiceOf(s).sight, (CellSight{{scene::CellScale::kMaxPixels, 0}, {0, 0}}));
    apply(s, command::CellZoom{kMemory, 8, 99, 3, 4});
    EXPECT_EQ(choiceOf(s).sight, (CellSight{{1, scene::CellScale::kMaxFold}, {3, 4}}));
    apply(s, command::CellFit{kMemory});
    EXPECT_EQ(choiceOf(s).sight, std::nullopt);
    apply(s, command::ConflictLines{kLive, std::uint8_t{1}});
    apply(s, command::ConflictLines{kLive, std::uint8_t{2}});
    EXPECT_EQ(choiceOf(s, kLive).conflictLevel, 1);
    apply(s, command::ConflictLines{kLive, {}});
    EXPECT_EQ(choiceOf(s, kLive).conflictLevel, std::nullopt);
}

/// Other cells are other places: a part that was seen of them means nothing any more.
TEST(CellCommands, ShowEverythingAfterAnotherArrangement) {
    const std::vector<Command> arranging{command::CellBytes{kMemory, 64}, command::CellColumns{kMemory, 8},
                                         command::CellGroups{kMemory, scene::MemoryGroups::address, {}},
                                         command::CellCurve{kMemory, scene::MemoryCurve::hilbert}};
    for (const Command& command : arranging) {
        Session s = sharedSession();
        apply(s, command::CellZoom{kMemory, 8, 0, 3, 4});
        command.applyTo(s);
        EXPECT_EQ(choiceOf(s).sight, std::nullopt) << command.text();
    }
}

TEST(CellCommands, PinRangesWithinTheTrace) {
    Session s = sharedSession();
    const auto pin = [&](std::uint64_t from, std::uint64_t to) {
        apply(s, command::ViewRange{kMemory, sim::Tick{from}, sim::Tick{to}});
        return choiceOf(s).range;
    };
    EXPECT_EQ(pin(5, 5), std::nullopt);
    EXPECT_EQ(pin(8, 9), std::nullopt) << "there are 8 accesses";
    EXPECT_EQ(pin(2, 99), (sim::Range{sim::Tick{2}, sim::Tick{8}}));
    EXPECT_EQ(pin(6, 3), (sim::Range{sim::Tick{2}, sim::Tick{8}}));
    apply(s, command::ViewRangeOff{kMemory});
    EXPECT_EQ(choiceOf(s).range, std::nullopt);
}

TEST(PlaceCommands, PickCellsThatThereAre) {
    Session s = sharedSession();
    apply(s, command::PickMemory{sim::ByteAddress{0x1008}, 16});
    EXPECT_EQ(s.viewSettings.place, (sim::Place{.from = sim::ByteAddress{0x1008}, .bytes = 16}));
    EXPECT_EQ(s.marked(), sim::ByteAddress{0x1008}) << "its block is selected everywhere";
    const auto place = s.viewSettings.place;
    apply(s, command::PickMemory{sim::ByteAddress{0x1000}, 0});
    apply(s, command::PickMemory{sim::ByteAddress{~std::uint64_t{0}}, 2});
    apply(s, command::PickWay{2, 0, {}, {}});
    apply(s, command::PickWay{0, 2, {}, {}});
    apply(s, command::PickWay{0, 0, sim::SetIndex{2}, {}});
    apply(s, command::PickWay{0, 0, {}, sim::WayIndex{1}});
    EXPECT_EQ(s.viewSettings.place, place);
    apply(s, command::PickMemory{sim::ByteAddress{~std::uint64_t{0}}, 1});
    EXPECT_EQ(s.viewSettings.place->last(), sim::ByteAddress{~std::uint64_t{0}});
    apply(s, command::PickWay{0, 1, sim::SetIndex{1}, sim::WayIndex{0}});
    EXPECT_EQ(s.viewSettings.place->kind, sim::Place::Kind::cache);
    EXPECT_EQ(s.viewSettings.place->cache, 1);
}

TEST(PlaceCommands, KeepOneHistoryWhileAnotherFollows) {
    Session s = sharedSession();
    EXPECT_EQ(placeOf(s, kHistory), std::nullopt);
    apply(s, command::Select{sim::ByteAddress{0x1027}});
    EXPECT_EQ(placeOf(s, kHistory), (sim::Place{.from = sim::ByteAddress{0x1020}, .bytes = 32})) << "the block";
    apply(s, command::PickMemory{sim::ByteAddress{0x1008}, 8});
    apply(s, command::HistoryShow{});
    apply(s, command::PaneAdd{kHistory, {}});
    EXPECT_TRUE(s.viewSettings.shows(kHistory) && s.viewSettings.shows(kHistory2));
    apply(s, command::PickMemory{sim::ByteAddress{0x2000}, 8});
    EXPECT_EQ(placeOf(s, kHistory)->from, sim::ByteAddress{0x2000});
    EXPECT_EQ(placeOf(s, kHistory2)->from, sim::ByteAddress{0x1008});
    apply(s, command::HistoryKeep{kHistory2, false});
    EXPECT_EQ(placeOf(s, kHistory2)->from, sim::ByteAddress{0x2000});
}

TEST(PlaceCommands, AnOpenHistoryFollowsPicksInAllViews) {
    Session s = sessionOn("region A 0x1000 64 8\nregion B 0x2000 64 8\nR 0x1008 8\nR 0x2008 8\n", sharedMachine());
    ASSERT_EQ(s.opened.run->trace().regions().size(), 2u);
    const sim::Place cell{.from = sim::ByteAddress{0x1008}, .bytes = 8};
    apply(s, command::PickMemory{cell.from, cell.bytes});
    apply(s, command::PickObject{{sim::CostNode::Kind::region, 0, sim::ByteAddress{0x1000}}});
    EXPECT_EQ(placeOf(s, kHistory), cell) << "it is a part of what was picked";
    EXPECT_TRUE(s.viewSettings.object);
    apply(s, command::PickObject{{sim::CostNode::Kind::region, 1, sim::ByteAddress{0x2000}}});
    EXPECT_EQ(placeOf(s, kHistory)->from, sim::ByteAddress{0x2000});
    apply(s, command::PickMemory{cell.from, cell.bytes});
    apply(s, command::PickStay{{.block = sim::BlockAddress{0x2000 / 32}}, sim::ByteAddress{0x2000}});
    EXPECT_EQ(placeOf(s, kHistory)->from, sim::ByteAddress{0x2000});
    apply(s, command::PickMemory{cell.from, cell.bytes});
    apply(s, command::SelectNone{});
    EXPECT_EQ(placeOf(s, kHistory), std::nullopt);
}

TEST(PlaceCommands, ACellStaysPickedWhileSomethingInItIs) {
    Session s = sessionOn("region A 0x1000 64 8\nregion B 0x2000 64 8\nR 0x1008 8\nR 0x2008 8\n", sharedMachine());
    const auto pickWord = [&](std::uint64_t address) {
        apply(s,
              command::PickObject{{.kind = sim::CostNode::Kind::word, .id = 0, .address = sim::ByteAddress{address}}});
    };
    apply(s, command::PickMemory{sim::ByteAddress{0x1000}, 16});
    const auto cell = s.viewSettings.place;
    pickWord(0x1008);
    EXPECT_EQ(s.viewSettings.place, cell);
    EXPECT_TRUE(s.viewSettings.object);
    pickWord(0x1010);
    EXPECT_FALSE(s.viewSettings.place);
    // A cell of a cache: what may come into its set. L1 has two sets of blocks of 32 bytes.
    apply(s, command::PickWay{0, 1, sim::SetIndex{1}, sim::WayIndex{0}});
    EXPECT_FALSE(s.viewSettings.object) << "something else is selected now";
    EXPECT_EQ(s.selected->target.kind, scene::Target::Kind::set);
    pickWord(0x1020);
    EXPECT_TRUE(s.viewSettings.place);
    apply(s, command::PickObject{{sim::CostNode::Kind::region, 0, sim::ByteAddress{0x1000}}});
    EXPECT_TRUE(s.viewSettings.place);
    pickWord(0x1040);
    EXPECT_FALSE(s.viewSettings.place);
}

TEST(PlaceCommands, OneCommandDeselectsAllThatIsSelected) {
    Session s = sharedSession();
    apply(s, command::PickSource{0});
    apply(s, command::PickStay{{.block = sim::BlockAddress{0x2000 / 32}}, sim::ByteAddress{0x2000}});
    apply(s, command::PickMemory{sim::ByteAddress{0x1000}, 16});
    apply(s, command::SelectNone{});
    EXPECT_FALSE(s.selected || s.viewSettings.hasPicks());
}

TEST(PlaceCommands, AddPanesWithTheSettingsOfTheirNeighbours) {
    Session s = sharedSession();
    apply(s, command::CellBytes{kMemory, 64});
    s.range = sim::Range{sim::Tick{1}, sim::Tick{4}};
    apply(s, command::PaneAdd{kMemory, true});
    ASSERT_TRUE(s.viewSettings.shows(kMemory)) << "the first there is";
    apply(s, command::PaneAdd{kMemory, true});
    EXPECT_TRUE(s.viewSettings.shows(kSecond));
    EXPECT_EQ(choiceOf(s, kSecond).cell, 64u);
    EXPECT_EQ(choiceOf(s, kSecond).range, s.range);
    for (int i = 0; i < 20; ++i) apply(s, command::PaneAdd{kMemory, {}});
    EXPECT_LE(s.viewSettings.shown.size(), 9u) << "not without end";
    const auto shown = s.viewSettings.shown;
    for (const Kind kind : {Kind::rings, Kind::phases, Kind::cache}) apply(s, command::PaneAdd{ViewId{kind}, {}});
    EXPECT_EQ(s.viewSettings.shown, shown);
}

TEST(PlaceCommands, ShowAStretchOfTime) {
    Session s = sharedSession();
    s.opened = sessionOn(
                   [] {
                       std::string accesses;
                       for (int i = 0; i < 100; ++i) accesses += "R 0x1000 8\n";
                       return accesses;
                   }(),
                   sharedMachine())
                   .opened;
    const auto seen = [&](double from, double to) {
        apply(s, command::TimeSeen{from, to});
        return s.seen;
    };
    EXPECT_EQ(seen(20, 50), (scene::TimeSpan{20, 50}));
    EXPECT_EQ(seen(60, 40), (scene::TimeSpan{20, 50}));
    EXPECT_EQ(seen(0, std::numeric_limits<double>::infinity()), (scene::TimeSpan{20, 50}));
    EXPECT_EQ(seen(90, 110), (scene::TimeSpan{80, 100}));
    EXPECT_EQ(seen(-9, 400), std::nullopt) << "all";
    seen(20, 50);
    apply(s, command::TimeAll{});
    EXPECT_EQ(s.seen, std::nullopt);
}

TEST(PlaceCommands, ChoosePhases) {
    Session s = sharedSession();
    apply(s, command::PhaseLevel{1});
    apply(s, command::PhaseLevel{2});
    apply(s, command::PhaseRow{77});
    changeOf("phase-shows").applyTo(s);
    EXPECT_EQ(s.viewSettings.phases, (PhaseChoice{77, 1, scene::PhaseShows::misses}));
}

/// Another trace: nothing that refers to times or places of the old one is left.
TEST(PlaceCommands, OfATraceEndWithIt) {
    Session s = sharedSession();
    apply(s, command::PickMemory{sim::ByteAddress{0x1008}, 8});
    apply(s, command::PaneAdd{kHistory, {}});
    apply(s, command::PaneAdd{kHistory, {}});
    apply(s, command::ViewRange{kMemory, sim::Tick{3}, sim::Tick{7}});
    apply(s, command::CellZoom{kMemory, 8, 0, 3, 4});
    s.seen = scene::TimeSpan{1, 9};
    enterRun(s, sessionOn("R 0x9000 4\n", sharedMachine()).opened);
    EXPECT_EQ(s.viewSettings.place, std::nullopt);
    EXPECT_EQ(placeOf(s, kHistory2), std::nullopt);
    EXPECT_EQ(choiceOf(s).range, std::nullopt);
    EXPECT_EQ(choiceOf(s).sight, std::nullopt);
    EXPECT_EQ(s.seen, std::nullopt);
}

/// Another machine: cells of its caches are others; those of memory remain.
TEST(PlaceCommands, OfACacheEndWithTheMachine) {
    sim::MachineConfig other = sharedMachine();
    other.levels.pop_back();
    Session s = sharedSession();
    const auto onOther = [&] {
        Opened next = s.opened;
        next.run = std::make_shared<sim::Run>(s.opened.run->sharedTrace(), other);
        return next;
    };
    Session memory = s;
    apply(memory, command::PickMemory{sim::ByteAddress{0x1008}, 8});
    apply(memory, command::PhaseLevel{1});
    enterRun(memory, onOther());
    EXPECT_EQ(memory.viewSettings.place, (sim::Place{.from = sim::ByteAddress{0x1008}, .bytes = 8}));
    EXPECT_EQ(memory.viewSettings.phases.level, 0);
    apply(s, command::PickWay{1, 0, {}, {}});
    apply(s, command::PaneAdd{kHistory, {}});
    apply(s, command::PaneAdd{kHistory, {}});
    enterRun(s, onOther());
    EXPECT_EQ(s.viewSettings.place, std::nullopt);
    EXPECT_EQ(placeOf(s, kHistory2), std::nullopt);
}

TEST(ViewIds, OfCellsHaveParts) {
    const sim::MachineConfig m = sharedMachine();
    for (const ViewId& view : {kMemory, kSecond, kLive, kHistory2, ViewId{Kind::cache, 1, 0, 0},
                               ViewId{Kind::cacheLive, 0, 0, 1}, ViewId{Kind::phases}}) {
        EXPECT_EQ(viewOf(wordOf(view)), view) << wordOf(view);
    }
    EXPECT_EQ(wordOf(kSecond), "memory.1");
    EXPECT_EQ(wordOf(ViewId{Kind::cache, 1, 2, 3}), "cache:1.3@2");
    EXPECT_EQ(wordOf(ViewId{Kind::cache, 0, 0, 1}, m), "cache:L1@1");
    EXPECT_EQ(viewNamed(wordOf(kSecond, m), m), kSecond);
    EXPECT_EQ(viewNamed("cache:L1@1", m), (ViewId{Kind::cache, 0, 0, 1}));
    EXPECT_EQ(viewNamed("cache-live:l2", m), (ViewId{Kind::cacheLive, 1}));
    for (const char* word : {"cache:L3", "cache:L1@", "cache:L1@x", "cache:L1@2", "phases:L1", "rings@1"}) {
        EXPECT_EQ(viewNamed(word, m), std::nullopt) << word;
    }
    for (const char* word :
         {"phases.1", "rings.1", "cache.1", "memory.", "memory.x", "memory.256", "cache:0.", "cache:x"}) {
        EXPECT_EQ(viewOf(word), std::nullopt) << word;
    }
}

}  // namespace
}  // namespace whorl::app
