#include "app/session/player.h"

#include <gtest/gtest.h>

#include "render/scene/rings/view.h"
#include "support/runs.h"

namespace whorl::app {
namespace {

constexpr scene::TimeSpan kAll{0, 100};

TEST(Player, PlaysAtItsPaceAndStopsAtTheEnd) {
    Player p;
    p.setPace(10);
    p.play();
    p.advance(0.5, 100, kAll);
    EXPECT_DOUBLE_EQ(p.position(), 5);
    p.advance(60, 100, kAll);
    EXPECT_DOUBLE_EQ(p.position(), 100);
    EXPECT_FALSE(p.playing());
}

TEST(Player, GoesByCyclesWhereItHasAClock) {
    sim::MachineConfig m;
    m.levels = {{.name = "L1", .size = 64, .ways = 2, .block = 32, .latency = 4}};
    m.memoryLatency = 96;
    // A miss of 100 cycles, three hits of 4: 28 on average.
    sim::AccessClock clock(sim::test::built("R 0x1000 8\nR 0x1008 8\nR 0x1000 8\nR 0x1008 8\n", m));
    Player p;
    p.setPace(1);
    p.play();
    p.advance(2, 4, {0, 4}, &clock);
    EXPECT_DOUBLE_EQ(p.position(), 0.56) << "still waiting";
    p.advance(2, 4, {0, 4}, &clock);
    EXPECT_DOUBLE_EQ(p.position(), 4) << "in the same time as at equal lengths";
}

TEST(Player, WaitsForWhatIsNotBuiltYet) {
    Player p;
    p.setPace(10);
    p.play();
    p.advance(60, 20, kAll);
    EXPECT_DOUBLE_EQ(p.position(), 20);
    EXPECT_TRUE(p.playing());
    p.advance(1, 100, kAll);
    EXPECT_DOUBLE_EQ(p.position(), 30);
}

TEST(Player, LoopsToTheStart) {
    Player p;
    p.setLoops(true);
    p.play();
    p.advance(60, 10, {0, 10});
    EXPECT_DOUBLE_EQ(p.position(), 0);
    EXPECT_TRUE(p.playing());
}

TEST(Player, KeepsToARange) {
    Player p;
    p.setPace(10);
    p.setLoops(true);
    p.play();
    const scene::TimeSpan range{20, 30};
    p.advance(0.1, 100, range);
    EXPECT_DOUBLE_EQ(p.position(), 20) << "comes into it";
    p.advance(0.9, 100, range);
    EXPECT_DOUBLE_EQ(p.position(), 29);
    p.advance(0.2, 100, range);
    EXPECT_DOUBLE_EQ(p.position(), 20) << "and stays there";
    p.setLoops(false);
    p.advance(1.5, 100, range);
    EXPECT_DOUBLE_EQ(p.position(), 30) << "at its end it stops, unless it loops";
    EXPECT_FALSE(p.playing());
    p.playIn(range, 100);
    EXPECT_DOUBLE_EQ(p.position(), 20) << "then it is played again";
    p.seek(70, 100);
    p.advance(0.1, 100, range);
    EXPECT_DOUBLE_EQ(p.position(), 20);
    p.seek(25, 100);
    p.pause();
    p.playIn(range, 100);
    EXPECT_DOUBLE_EQ(p.position(), 25) << "after a pause it goes on";
    p.setLoops(true);
    p.seek(3, 25);
    p.advance(1, 25, range);
    EXPECT_DOUBLE_EQ(p.position(), 20);
    p.advance(1, 25, range);
    EXPECT_DOUBLE_EQ(p.position(), 25) << "waits for what is not built yet";
    EXPECT_TRUE(p.playing());
}

TEST(Player, ShowsAnAccessAsItHappens) {
    Player p;
    EXPECT_FALSE(p.current().has_value());
    p.play();
    p.show(41, 100);
    EXPECT_FALSE(p.playing());
    EXPECT_DOUBLE_EQ(p.position(), 41);
    EXPECT_TRUE(p.moving());
    EXPECT_EQ(p.current(), 41u) << "the one that comes, also before it has begun";
    for (int i = 0; i < 20; ++i) p.advance(0.1, 100, kAll);
    EXPECT_DOUBLE_EQ(p.position(), 42);
    EXPECT_EQ(p.current(), 41u);
    p.seek(7.5, 100);
    EXPECT_EQ(p.current(), 7u);
    p.show(99, 100);
    for (int i = 0; i < 20; ++i) p.advance(0.1, 100, kAll);
    EXPECT_DOUBLE_EQ(p.position(), 100);
}

TEST(Player, AStepIsSeenToHappenAndComesToRest) {
    Player p;
    p.step(1, 100);
    EXPECT_DOUBLE_EQ(p.position(), 0);
    p.advance(0.1, 100, kAll);
    EXPECT_GT(p.position(), 0);
    EXPECT_LT(p.position(), 1);
    p.step(1, 100);  // before the first is over: the second starts from there
    EXPECT_DOUBLE_EQ(p.position(), 1);
    for (int i = 0; i < 20; ++i) p.advance(0.1, 100, kAll);
    EXPECT_DOUBLE_EQ(p.position(), 2);
    EXPECT_FALSE(p.moving());
    p.step(-1, 100);
    EXPECT_DOUBLE_EQ(p.position(), 1);
    p.step(-5, 100);
    EXPECT_DOUBLE_EQ(p.position(), 0);
    p.step(500, 100);
    EXPECT_DOUBLE_EQ(p.position(), 100);
}

TEST(Player, PausingFinishesTheAccessInMotion) {
    Player p;
    p.setPace(4);
    p.play();
    p.advance(0.4, 100, kAll);
    p.pause();
    for (int i = 0; i < 20; ++i) p.advance(0.1, 100, kAll);
    EXPECT_DOUBLE_EQ(p.position(), 2);
}

TEST(Player, SeekStaysWithinTheTrace) {
    Player p;
    p.seek(-3, 10);
    EXPECT_DOUBLE_EQ(p.position(), 0);
    p.seek(99, 10);
    EXPECT_DOUBLE_EQ(p.position(), 10);
}

TEST(Player, FasterAndSlowerGoThroughAllPaces) {
    Player p;
    p.setPace(Player::kSlowest);
    p.slower();
    EXPECT_DOUBLE_EQ(p.pace(), Player::kSlowest);
    for (const double pace : Player::paces()) {
        EXPECT_DOUBLE_EQ(p.pace(), pace);
        p.faster();
    }
    EXPECT_DOUBLE_EQ(p.pace(), Player::kFastest);
    p.setPace(5);
    p.slower();
    EXPECT_DOUBLE_EQ(p.pace(), 4);
    p.setPace(5);
    p.faster();
    EXPECT_DOUBLE_EQ(p.pace(), 8);
}

TEST(Player, MovesAreShorterThanAnAccessUnlessAccessesComeFast) {
    Player p;
    EXPECT_DOUBLE_EQ(p.moveTicks(), scene::View::kAtRest);
    p.play();
    p.setPace(100);
    EXPECT_GT(p.moveTicks(), 1);
}

}  // namespace
}  // namespace whorl::app
