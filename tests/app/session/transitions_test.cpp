// Session changes without a command: each transition by hand-worked cases.
#include "app/session/transitions.h"

#include <gtest/gtest.h>

#include "app/commands/commands.h"
#include "app/session/command.h"
#include "app/session/compared_runs.h"
#include "app/tours/presenting.h"
#include "app/tours/tour_catalogue.h"
#include "sim/trace/layout/mapped_trace.h"
#include "support/shared_trace.h"

namespace whorl::app {
namespace {

/// The text, opened on a machine and built.
Opened openedOn(const std::string& text, const sim::MachineConfig& machine) {
    return sessionOn(text, machine).opened;
}

/// The same accesses on another machine.
Opened on(const Opened& opened, const sim::MachineConfig& machine) {
    Opened next = opened;
    sim::Progress progress;
    next.run = std::make_shared<sim::Run>(opened.run->sharedTrace(), machine);
    next.run->build(progress);
    return next;
}

Opened withChanges(Opened opened, const std::vector<std::string>& changes) {
    opened.request.changes = changesFrom(changes);
    sim::Progress progress;
    auto trace = *sim::mapped(opened.run->sharedTrace(), opened.request.changes, progress);
    opened.run =
        std::make_shared<sim::Run>(std::make_shared<const sim::Trace>(std::move(trace)), opened.run->machine());
    return opened;
}

sim::MachineConfig oneLevel() {
    sim::MachineConfig machine = sharedMachine();
    machine.levels.resize(1);
    return machine;
}

TEST(StartSession, AsksForTheInputAndPlaysItAtOnce) {
    Session s;
    startSession(s, {.request = {.input = "matmul"}, .ground = scene::Ground::light});
    EXPECT_EQ(s.ground, scene::Ground::light);
    EXPECT_TRUE(s.playWhenOpen);
    ASSERT_TRUE(s.requests.has<request::Open>());
    EXPECT_EQ(s.requests.next<request::Open>()->input, "matmul");
    Session paused;
    paused.ground = scene::Ground::light;
    startSession(paused, {.request = {.input = "matmul"}, .paused = true});
    EXPECT_FALSE(paused.playWhenOpen);
    EXPECT_EQ(paused.ground, scene::Ground::light) << "as it was the last time";
}

TEST(StartSession, OffersTheTourForBeginnersToWhoIsNew) {
    Session isNew;
    startSession(isNew, {.request = {.input = "matmul"}, .welcomes = true});
    EXPECT_TRUE(isNew.welcome);
    Session dismissed = isNew;
    apply(dismissed, command::Close{});
    EXPECT_FALSE(dismissed.welcome);
    apply(isNew, command::TourNext{});
    EXPECT_FALSE(isNew.welcome);
    EXPECT_EQ(isNew.requests.next<request::ReadTour>()->tour, "five-minutes");
    Session known;
    known.recentInputs = {"matmul"};
    startSession(known, {.request = {.input = "matmul"}, .welcomes = true});
    EXPECT_FALSE(known.welcome);
}

TEST(StartSession, WithASceneWaitsAtItsMoment) {
    Session s;
    const TourScene scene{.id = "a",
                          .title = "A title",
                          .words = "What to see.",
                          .input = "shared",
                          .at = 5,
                          .fields = {{"trails", std::uint64_t{1000}}, {"lapse", std::uint64_t{3}}}};
    startSession(s, {.request = {.input = "shared"}, .tour = TourStart{.tour = {.scenes = {scene}}}});
    EXPECT_FALSE(s.playWhenOpen);
    EXPECT_EQ(s.trails, 256u);
    EXPECT_EQ(s.lapse, 3u);
    enterRun(s, openedOn(kSharedTrace, sharedMachine()));
    EXPECT_EQ(s.message, "") << "a scene's words have a place of their own";
    EXPECT_EQ(s.sceneText, (SceneWords{.title = "A title", .words = "What to see.", .at = 5, .to = 5}));
    passTime(s, 0);
    EXPECT_EQ(s.player.position(), 5);
    EXPECT_FALSE(s.player.playing());
}

TEST(Requests, AreTakenOnce) {
    Session s;
    EXPECT_FALSE(s.requests.take<request::Open>().has_value());
    EXPECT_FALSE(s.requests.take<request::Cancel>());
    s.requests.add(request::Open{OpenRequest{.input = "a"}});
    s.requests.add(request::Cancel{});
    EXPECT_EQ(s.requests.take<request::Open>()->input, "a");
    EXPECT_FALSE(s.requests.take<request::Open>().has_value());
    EXPECT_TRUE(s.requests.take<request::Cancel>());
    EXPECT_FALSE(s.requests.take<request::Cancel>());
}

/// Commands that come at once, as other programs send them.
TEST(Requests, AreTakenBackByCancel) {
    Session s = sharedSession();
    applyAll(s, {command::Open{"matmul:n=4"}, command::Search{}, command::TourOpen{"rings"}});
    s.requests.add(request::OpenCompared{{.input = "matmul:n=4"}});
    applyAll(s, {command::Cancel{}});
    EXPECT_TRUE(s.requests.take<request::Cancel>()) << "what has begun, too";
    EXPECT_FALSE(s.requests.take<request::Open>().has_value());
    EXPECT_FALSE(takeComparedRequest(s).has_value());
    EXPECT_FALSE(s.requests.has<request::ReadTour>());
    EXPECT_FALSE(s.search.has_value());
    EXPECT_TRUE(s.error.empty());
    EXPECT_FALSE(s.requests.has<request::Quit>());
    applyAll(s, {command::Cancel{}, command::Open{"matmul:n=4"}});
    EXPECT_TRUE(s.requests.take<request::Open>().has_value()) << "what comes after it is done";
    Session first;
    startSession(first, {.request = {.input = "matmul"}});
    applyAll(first, {command::Cancel{}});
    EXPECT_TRUE(first.requests.has<request::Quit>()) << "there is nothing to show";
}

/// Nothing is awaited that never comes.
TEST(Requests, ThePlayheadComesAsFarAsARunIsBuilt) {
    Session s = sharedSession();
    Opened next = s.opened;
    next.run = std::make_shared<sim::Run>(s.opened.run->sharedTrace(), oneLevel());
    s.player.seek(5, s.end());
    enterRun(s, next);
    EXPECT_EQ(s.resumeAt, 5);
    endBuilding(s);
    EXPECT_FALSE(s.resumeAt.has_value());
    EXPECT_EQ(s.player.position(), 0);
}

TEST(EnterRun, TheFirstPlaysWhenItIsAskedTo) {
    Session s;
    s.playWhenOpen = true;
    enterRun(s, openedOn(kSharedTrace, sharedMachine()));
    EXPECT_TRUE(s.player.playing());
    EXPECT_FALSE(s.playWhenOpen);
    EXPECT_EQ(s.resumeAt, std::nullopt);
    EXPECT_TRUE(s.compared.empty());
}

TEST(EnterRun, OnAnotherMachineThePlayheadComesBackToWhereItWas) {
    Session s = sharedSession();
    s.player.seek(3, s.end());
    s.range = sim::Range{sim::Tick{1}, sim::Tick{4}};
    s.region = 1;
    s.cpu = 1;
    s.watched = {sim::ByteAddress{0x1000}};
    s.selected = blockAt(sim::ByteAddress{0x1000});
    s.viewSettings.source = SourcePick{0};
    s.viewSettings.stay = StayPick{};
    s.viewSettings.shown = {{ViewId::Kind::rings}, {ViewId::Kind::blocks, 1}};
    enterRun(s, on(s.opened, oneLevel()));
    EXPECT_EQ(s.player.position(), 0);
    EXPECT_EQ(s.resumeAt, 3);
    EXPECT_TRUE(s.range.has_value());
    EXPECT_EQ(s.region, 1u);
    EXPECT_EQ(s.cpu, 1u) << "this machine has it too";
    EXPECT_EQ(s.watched.size(), 1u);
    EXPECT_EQ(s.marked(), sim::ByteAddress{0x1000}) << "a byte of memory";
    EXPECT_TRUE(s.viewSettings.source) << "a line of the program";
    EXPECT_FALSE(s.viewSettings.stay) << "no block stays there for the same time";
    EXPECT_EQ(s.viewSettings.shown.size(), 1u) << "there is no second level";
    passTime(s, 0);
    EXPECT_EQ(s.player.position(), 3);
    EXPECT_EQ(s.resumeAt, std::nullopt);
}

TEST(EnterRun, ThePlayheadWaitsUntilTheRunIsBuiltSoFar) {
    Session s = sharedSession();
    s.player.seek(3, s.end());
    Opened next = s.opened;
    next.run = std::make_shared<sim::Run>(s.opened.run->sharedTrace(), sharedMachine());
    enterRun(s, next);
    passTime(s, 1);
    EXPECT_EQ(s.player.position(), 0) << "nothing is built";
    sim::Progress progress;
    next.run->build(progress);
    passTime(s, 1);
    EXPECT_EQ(s.player.position(), 3);
}

TEST(EnterRun, AnotherTraceTakesNoChoicesOver) {
    Session s = sharedSession();
    s.range = sim::Range{sim::Tick{1}, sim::Tick{4}};
    s.region = 1;
    s.pair = RegionPair{0, 1};
    s.line = SourceLine{0, 7};
    s.cpu = 1;
    s.watched = {sim::ByteAddress{0x1000}};
    s.overlays.regionColour = 1;
    s.ringView.hues[1] = scene::hex(0xf69518);
    s.ringView.gauge.region = 1;
    s.viewSettings.source = SourcePick{0};
    s.viewSettings.object = ObjectPick{.kind = sim::CostNode::Kind::region, .id = 1};
    s.viewSettings.stay = StayPick{};
    s.viewSettings.classes = {"Body"};
    s.viewSettings.lens = scene::Interval{10, 20};
    s.lecture = true;
    sim::MachineConfig machine = sharedMachine();
    machine.cpus = 1;
    enterRun(s, openedOn("R 0x1000\n", machine));
    EXPECT_FALSE(s.range || s.region || s.pair || s.line || s.overlays.regionColour || s.resumeAt);
    EXPECT_FALSE(s.viewSettings.hasPicks()) << "all would be dim, for what is not there";
    EXPECT_TRUE(s.viewSettings.classes.empty());
    EXPECT_FALSE(s.viewSettings.lens);
    EXPECT_EQ(s.cpu, std::nullopt) << "there is no CPU 1";
    EXPECT_TRUE(s.watched.empty());
    EXPECT_TRUE(s.ringView.hues.empty());
    EXPECT_EQ(s.ringView.gauge.region, 0u);
    EXPECT_TRUE(s.lecture) << "how things look stays";
}

TEST(Reopen, KeepsTheMomentAndWhatIsSelectedByName) {
    const std::string lines = "region A 0x1000 64 8 rows=8\nR 0x1000 8 a.c:1\nR 0x1008 8 a.c:2\nR 0x1010 8 a.c:2\n";
    Session s = sessionOn("region C 0x900 8\nR 0x900 8 b.c:1\n" + lines, sharedMachine());
    s.player.seek(3, s.end());
    s.player.play();
    s.region = 1;
    apply(s, command::PickSource{2});
    s.line = SourceLine{1, 2};
    s.viewSettings.object = ObjectPick{.kind = sim::CostNode::Kind::region, .id = 1};
    s.error = "it cannot be compiled";
    reopen(s, "new.whorl");
    ASSERT_TRUE(s.requests.has<request::Open>());
    EXPECT_EQ(s.requests.next<request::Open>()->input, "new.whorl");
    EXPECT_EQ(s.error, "");
    Opened next = openedOn(lines + "R 0x2000 8 a.c:3\n", sharedMachine());
    next.start = 1;
    enterRun(s, next);
    EXPECT_EQ(s.resumeAt, 3);
    EXPECT_TRUE(s.player.playing());
    ASSERT_TRUE(s.region.has_value());
    EXPECT_EQ(s.opened.run->trace().regions()[*s.region].name, "A");
    ASSERT_TRUE(s.viewSettings.source && s.viewSettings.object);
    EXPECT_EQ(s.opened.run->trace().sites()[s.viewSettings.source->site].line, 1u);
    EXPECT_EQ(s.viewSettings.object->id, 0u);
    EXPECT_EQ(s.line, (SourceLine{0, 2}));
    // The next trace is another one again.
    enterRun(s, openedOn("R 0x1000\n", sharedMachine()));
    EXPECT_EQ(s.resumeAt, std::nullopt);
    EXPECT_EQ(s.line, std::nullopt);
}

TEST(EnterRun, AnotherTraceStartsAtItsFirstRecordedAccess) {
    Session s = sharedSession();
    Opened next = openedOn("R 0x1000\nR 0x2000\nR 0x3000\n", sharedMachine());
    next.start = 2;
    enterRun(s, next);
    EXPECT_EQ(s.resumeAt, 2);
    passTime(s, 0);
    EXPECT_EQ(s.player.position(), 2);
    s.player.seek(1, s.end());
    enterRun(s, on(s.opened, oneLevel()));
    EXPECT_EQ(s.resumeAt, 1) << "another machine, where the playhead was";
}

TEST(EnterRun, SaysWhatTheTraceHasLost) {
    Session s;
    Opened opened = openedOn("R 0x1000\n", sharedMachine());
    sim::TraceParts parts = opened.run->trace().parts();
    parts.losses = {"a chunk is damaged", "another one"};
    opened.run = std::make_shared<sim::Run>(std::make_shared<const sim::Trace>(parts), sharedMachine());
    enterRun(s, opened);
    EXPECT_EQ(s.message, "a chunk is damaged\nanother one");
    Session scene;
    startSession(scene, {.request = {}, .tour = TourStart{.tour = {.scenes = {{.title = "T", .words = "W."}}}}});
    enterRun(scene, opened);
    EXPECT_EQ(scene.message, "a chunk is damaged\nanother one");
    EXPECT_EQ(scene.sceneText->words, "W.");
    enterRun(scene, opened);
    EXPECT_FALSE(scene.sceneText) << "it told of another run";
}

TEST(EnterRun, OnThisComputersCachesSaysWhatIsAssumed) {
    sim::MachineConfig machine = sharedMachine();
    machine.note = "Assumed: LRU.";
    const Opened plain = openedOn("R 0x1000\n", machine);
    Opened host = plain;
    host.request.machine = "host";
    Session s;
    enterRun(s, plain);
    EXPECT_EQ(s.message, "") << "the note of another machine is not said";
    enterRun(s, host);
    EXPECT_EQ(s.message, "Assumed: LRU.");
    s.message.clear();
    host.request.settings = {"L1.ways=1"};
    enterRun(s, host);
    EXPECT_EQ(s.message, "") << "it was said";
}

TEST(EnterRun, AChangedLayoutIsComparedWithTheRunBeforeTheChanges) {
    Session s = sharedSession();
    const Opened plain = s.opened;
    s.viewSettings.object = ObjectPick{sim::CostNode::Kind::word, 0, sim::ByteAddress{0x1000}};
    s.viewSettings.stay = StayPick{};
    enterRun(s, withChanges(on(plain, sharedMachine()), {"shift:A:64"}));
    ASSERT_EQ(s.unchangedRun(), 1u);
    EXPECT_EQ(s.compared.front().opened.run, plain.run);
    EXPECT_EQ(s.viewSettings.object->address, sim::ByteAddress{0x1040}) << "the same word";
    EXPECT_EQ(contextOf(s, 1).viewSettings.object->address, sim::ByteAddress{0x1000}) << "where it was";
    EXPECT_FALSE(s.viewSettings.stay) << "no block stays there for the same time";
    // A second change: beside it is still the run without changes.
    enterRun(s, withChanges(on(plain, sharedMachine()), {"shift:A:64", "shift:B:64"}));
    EXPECT_EQ(s.compared.front().opened.run, plain.run);
    // Another machine cannot be compared; without changes there is nothing to compare.
    Session other = s;
    enterRun(other, withChanges(on(plain, oneLevel()), {"shift:A:64"}));
    EXPECT_TRUE(other.compared.empty());
    enterRun(s, plain);
    EXPECT_TRUE(s.compared.empty());
}

TEST(FailOpening, EndsTheProgramOnlyWhenThereIsNothingToShow) {
    const sim::Error error{.where = "t", .what = "it is broken", .hint = {}};
    Session empty;
    failOpening(empty, error);
    EXPECT_TRUE(empty.requests.has<request::Quit>());
    ASSERT_TRUE(empty.fatal.has_value());
    EXPECT_EQ(empty.fatal->what, "it is broken");
    Session s = sharedSession();
    failOpening(s, sim::Error::byUser());
    EXPECT_TRUE(s.error.empty()) << "the person knows";
    failOpening(s, error);
    EXPECT_EQ(s.error, error.sentence());
    EXPECT_FALSE(s.requests.has<request::Quit>());
}

TEST(PassTime, PlaysRoundTheRange) {
    Session s = sharedSession();
    s.range = sim::Range{sim::Tick{2}, sim::Tick{5}};
    s.player.setLoops(true);
    s.player.setPace(1);
    s.player.play();
    passTime(s, 1);
    EXPECT_EQ(s.player.position(), 2) << "into the range";
    passTime(s, 2);
    EXPECT_EQ(s.player.position(), 4);
    passTime(s, 1);
    EXPECT_EQ(s.player.position(), 2) << "and round it";
}

TEST(PassTime, MovesTheCameraAtOnceWithReducedMotion) {
    Session s;
    s.camera.glideTo({4, {0, 0}});
    passTime(s, 0.01);
    EXPECT_TRUE(s.camera.moving());
    s.reducedMotion = true;
    passTime(s, 0.01);
    EXPECT_FALSE(s.camera.moving());
}

TEST(EnterRun, PlaysAtAPaceThatSuitsTheLength) {
    EXPECT_EQ(Player::startingPace(8448), 4) << "small runs are followed step by step";
    EXPECT_NEAR(Player::startingPace(1.6e6), 1.6e6 / 120, 1) << "the whole takes two minutes";
    EXPECT_EQ(Player::startingPace(1e12), Player::kFastest);
    EXPECT_EQ(Player::overviewPace(8448), 8448.0 / 120);

    std::string text;
    for (int i = 0; i < 24000; ++i) text += "R 0x1000\n";
    Session s;
    enterRun(s, openedOn(text, sharedMachine()));
    EXPECT_EQ(s.player.pace(), 200);
    apply(s, command::PaceOverview{});
    EXPECT_EQ(s.player.pace(), 4);
    apply(s, command::PaceOverview{});
    EXPECT_EQ(s.player.pace(), 200);
    EXPECT_FALSE(s.paceChosen);
    apply(s, command::Faster{});
    const double chosen = s.player.pace();
    EXPECT_GT(chosen, 200);
    enterRun(s, openedOn("R 0x1000\n", sharedMachine()));
    EXPECT_EQ(s.player.pace(), chosen) << "who has chosen a pace keeps it";
}

}  // namespace
}  // namespace whorl::app
