// The effects of keys and commands on a session.
#include "app/commands/commands.h"

#include <gtest/gtest.h>

#include "app/session/selection.h"
#include "app/tasks/opening.h"
#include "support/sessions.h"

namespace whorl::app {
namespace {

/// A session with a built run of 8 448 accesses.
Session multiplying() {
    return sessionFor({.input = "matmul"});
}

TEST(Commands, KeysOfTimeMoveThePlayhead) {
    Session s = multiplying();
    press(s, "End");
    EXPECT_EQ(s.player.position(), 8448);
    press(s, "Left");
    EXPECT_EQ(s.player.position(), 8447);
    press(s, "PageUp");
    EXPECT_EQ(s.player.position(), 8447 - 168);
    press(s, "Home");
    EXPECT_EQ(s.player.position(), 0);
    press(s, "Space");
    EXPECT_TRUE(s.player.playing());
    press(s, "Space");
    EXPECT_FALSE(s.player.playing());
    apply(s, command::Seek{1000});
    EXPECT_EQ(s.player.position(), 1000);
}

TEST(Commands, PlayAtTheEndStartsAgain) {
    Session s = multiplying();
    press(s, "End");
    press(s, "Space");
    EXPECT_EQ(s.player.position(), 0);
    EXPECT_TRUE(s.player.playing());
}

TEST(Commands, LooksChange) {
    Session s;
    press(s, "b");
    EXPECT_EQ(s.ground, scene::Ground::light);
    press(s, "Tab");
    EXPECT_FALSE(s.panels);
    press(s, "?");
    EXPECT_TRUE(s.help);
    s.selected = blockAt(sim::ByteAddress{5});
    press(s, "Escape");
    EXPECT_FALSE(s.help);
    EXPECT_TRUE(s.selected.has_value()) << "the first Escape closes the help only";
    press(s, "Escape");
    EXPECT_FALSE(s.selected.has_value());
    for (int i = 0; i < 20; ++i) press(s, "]");
    EXPECT_EQ(s.trails, 256u);
    for (int i = 0; i < 20; ++i) press(s, "[");
    EXPECT_EQ(s.trails, 0u);
}

TEST(Commands, EscapeClosesOneThingAfterTheOther) {
    Session s = multiplying();
    s.help = true;
    s.message = "something";
    s.selected = blockAt(sim::ByteAddress{5});
    s.range = sim::Range{sim::Tick{1}, sim::Tick{2}};
    press(s, "Escape");
    EXPECT_FALSE(s.help);
    EXPECT_FALSE(s.message.empty());
    press(s, "Escape");
    EXPECT_TRUE(s.message.empty());
    EXPECT_TRUE(s.selected.has_value());
    press(s, "Escape");
    EXPECT_FALSE(s.selected.has_value());
    EXPECT_TRUE(s.range.has_value());
    press(s, "Escape");
    EXPECT_FALSE(s.range.has_value());
}

/// A field that is closed is not drawn, so that it could never take the keyboard focus that was meant for it.
TEST(Commands, ALookUpThatIsClosedLeavesTheKeyboard) {
    Session s = multiplying();
    press(s, "/");
    apply(s, command::LookUp{"nosuch"});
    EXPECT_EQ(s.focus, Field::lookUp) << "to be corrected";
    press(s, "Escape");
    EXPECT_FALSE(s.lookUp.open);
    EXPECT_EQ(s.focus, Field::none);
}

TEST(Commands, ARangeBeginsAndEndsAtThePlayhead) {
    Session s = multiplying();
    apply(s, command::Seek{100});
    press(s, "s");
    EXPECT_EQ(s.range, (sim::Range{sim::Tick{100}, sim::Tick{8448}})) << "to the end, while there is no other";
    apply(s, command::Seek{250.5});
    press(s, "e");
    EXPECT_EQ(s.range, (sim::Range{sim::Tick{100}, sim::Tick{251}})) << "with the access in motion";
    apply(s, command::Seek{300});
    press(s, "s");
    EXPECT_EQ(s.range, (sim::Range{sim::Tick{300}, sim::Tick{8448}})) << "never empty";
    apply(s, command::Seek{50});
    press(s, "e");
    EXPECT_EQ(s.range, (sim::Range{sim::Tick{0}, sim::Tick{50}}));
    press(s, "x");
    EXPECT_FALSE(s.range.has_value());
    press(s, "Home");
    press(s, "e");
    EXPECT_EQ(s.range, (sim::Range{sim::Tick{0}, sim::Tick{1}}));
    press(s, "End");
    press(s, "s");
    EXPECT_EQ(s.range, (sim::Range{sim::Tick{8447}, sim::Tick{8448}}));
}

TEST(Commands, ARangeInWordsIsChosenFromEitherEnd) {
    Session s = multiplying();
    apply(s, command::Range{5000, 1200});
    EXPECT_EQ(s.range, (sim::Range{sim::Tick{1200}, sim::Tick{5000}}));
    EXPECT_EQ(inWords(*s.range), "accesses 1 200 – 5 000 (3 800)");
    apply(s, command::Range{7, 7});
    EXPECT_EQ(s.range, (sim::Range{sim::Tick{7}, sim::Tick{8}}));
    apply(s, command::Range{-5, 99999});
    EXPECT_EQ(s.range, (sim::Range{sim::Tick{0}, sim::Tick{8448}}));
    Session empty;
    apply(empty, command::Range{1, 2});
    EXPECT_FALSE(empty.range.has_value());
}

TEST(Commands, TheStripAndTheHeatGoRound) {
    Session s;
    press(s, "g");
    EXPECT_EQ(s.strip, StripShows::missKinds);
    press(s, "g");
    EXPECT_EQ(s.strip, StripShows::regions);
    press(s, "g");
    EXPECT_EQ(s.strip, StripShows::traffic);
    press(s, "g");
    EXPECT_EQ(s.strip, StripShows::cycles);
    press(s, "g");
    EXPECT_EQ(s.strip, StripShows::hitRates);
    changeOf("strip", StripShows::regions).applyTo(s);
    EXPECT_EQ(s.strip, StripShows::regions);
    press(s, "h");
    EXPECT_EQ(s.heat, Heat::cycles);
    press(s, "h");
    EXPECT_EQ(s.heat, Heat::misses);
}

TEST(Commands, CpusAreGoneThroughRoundAndRound) {
    Session s;
    press(s, "p");
    EXPECT_EQ(s.cpu, std::nullopt) << "nothing is open";
    s.opened = openedFor({.input = "matmul", .machine = "coherence"});
    press(s, "p");
    EXPECT_EQ(s.cpu, 0u);
    press(s, "Shift+P");
    EXPECT_EQ(s.cpu, std::nullopt) << "all of them";
    press(s, "Shift+P");
    EXPECT_EQ(s.cpu, 3u);
    press(s, "p");
    EXPECT_EQ(s.cpu, std::nullopt);
    apply(s, command::Cpu{2});
    EXPECT_EQ(s.cpu, 2u);
}

TEST(Commands, AChosenMachineStaysWhenAnotherInputIsOpened) {
    Session s = multiplying();
    s.opened.request.machine = "1K/2/32";
    s.opened.request.settings = {"L1.policy=fifo"};
    apply(s, command::Open{"bubblesort"});
    EXPECT_EQ(s.requests.next<request::Open>()->machine, "1K/2/32");
    EXPECT_EQ(s.requests.next<request::Open>()->settings, std::vector<std::string>{"L1.policy=fifo"});
    apply(s, command::Machine{"paper"});
    EXPECT_EQ(s.requests.next<request::Open>()->input, "bubblesort") << "commands that come at once add up";
    EXPECT_EQ(s.requests.next<request::Open>()->machine, "paper");
    EXPECT_TRUE(s.requests.next<request::Open>()->settings.empty());
}

TEST(Commands, OpeningAndMachinesAreWanted) {
    Session s = multiplying();
    apply(s, command::Machine{"1K/2/32"});
    ASSERT_TRUE(s.requests.has<request::Open>());
    EXPECT_EQ(s.requests.next<request::Open>()->input, "matmul");
    EXPECT_EQ(s.requests.next<request::Open>()->machine, "1K/2/32");
    s.requests.withdraw<request::Open>();
    s.opened.request.reading.sources.folders = {"src"};
    s.opened.request.settings = {"L1.ways=4"};
    apply(s, command::Open{"bubblesort"});
    EXPECT_EQ(s.requests.next<request::Open>()->input, "bubblesort");
    EXPECT_EQ(s.requests.next<request::Open>()->reading.sources, sim::SourcePolicy{.folders = {"src"}})
        << "those of the command line";
    EXPECT_TRUE(s.requests.next<request::Open>()->machine.empty()) << "a program comes with its machine";
    EXPECT_TRUE(s.requests.next<request::Open>()->settings.empty()) << "which may have no such level";
}

}  // namespace
}  // namespace whorl::app
