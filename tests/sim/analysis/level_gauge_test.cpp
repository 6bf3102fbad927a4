// The values behind the disks, computed by hand.
#include "sim/analysis/level_gauge.h"

#include <gtest/gtest.h>

#include "sim/replay/snapshot.h"
#include "sim/trace/reader.h"
#include "support/runs.h"

namespace whorl::sim {
namespace {

/// L1 of two blocks, L2 of four; two arrays of 32-byte blocks.
class Small : public testing::Test {
  protected:
    Small() {
        MachineConfig machine;
        machine.levels = {{.name = "L1", .size = 64, .ways = 2, .block = 32},
                          {.name = "L2", .size = 128, .ways = 4, .block = 32}};
        // Misses everywhere; hits L1; misses everywhere; misses everywhere, which evicts A from L1; hits L2.
        run_ = test::built(
            "region A 0x1000 32 8 rows=4\nregion B 0x2000 64 8 rows=8\n"
            "R 0x1000 8\nW 0x1008 8\nR 0x2000 8\nR 0x2020 8\nR 0x1000 8\n",
            machine);
    }

    std::optional<double> value(double t, const GaugeSettings& shows, std::size_t level) {
        SnapshotReader reader(run_);
        const Snapshot& snapshot = reader.at(t, {.steps = 1, .window = shows.window});
        const std::vector<Glance> window(snapshot.window.begin(), snapshot.window.end());
        return gaugeValue(shows, snapshot.now.hierarchy(), run_->trace(), level, 0, window);
    }

    std::optional<double> asked(double t, std::size_t level, std::uint64_t last) {
        SnapshotReader reader(run_);
        const Snapshot& snapshot = reader.at(t, {.steps = 1, .window = last});
        const std::vector<Glance> window(snapshot.window.begin(), snapshot.window.end());
        return askedTemperature({}, run_->machine(), level, {0, 1}, window);
    }

    std::shared_ptr<sim::Run> run_;
};

TEST_F(Small, AskedTemperatureLeavesOutWhatDidNotReachTheLevel) {
    EXPECT_EQ(asked(0, 1, 100), std::nullopt) << "nothing has happened";
    EXPECT_EQ(asked(2, 1, 1), std::nullopt) << "the last one was a hit in L1";
    EXPECT_DOUBLE_EQ(*asked(2, 1, 100), -1.0) << "all that asked L2 missed";
    // L1 was asked by all five, L2 by four: -1 -1 -1 +1.
    EXPECT_DOUBLE_EQ(*asked(5, 0, 100), -15.0 / 5 / 4);
    EXPECT_DOUBLE_EQ(*asked(5, 1, 100), -2.0 / 4);
    EXPECT_DOUBLE_EQ(*asked(5, 1, 1), 1.0);
}

TEST_F(Small, TemperatureIsTheMeanScoreOverTheWorst) {
    const GaugeSettings shows;
    EXPECT_EQ(value(0, shows, 0), 0.0) << "nothing has happened";
    EXPECT_DOUBLE_EQ(*value(1, shows, 0), -1.0) << "one miss";
    EXPECT_DOUBLE_EQ(*value(1, shows, 1), -1.0);
    // L1: -4, +1 of two: -1.5 of 4. L2: -1, 0: -0.5 of 1.
    EXPECT_DOUBLE_EQ(*value(2, shows, 0), -1.5 / 4);
    EXPECT_DOUBLE_EQ(*value(2, shows, 1), -0.5);
    // L1: -4 +1 -4 -4 -4 of five. L2: -1 0 -1 -1 +1.
    EXPECT_DOUBLE_EQ(*value(5, shows, 0), -15.0 / 5 / 4);
    EXPECT_DOUBLE_EQ(*value(5, shows, 1), -2.0 / 5);
}

TEST_F(Small, TheWindowForgets) {
    GaugeSettings shows;
    shows.window = 1;
    EXPECT_DOUBLE_EQ(*value(2, shows, 0), 1.0) << "the last one was a hit";
    EXPECT_DOUBLE_EQ(*value(2, shows, 1), 0.0) << "… that this level did not see";
    EXPECT_DOUBLE_EQ(*value(5, shows, 1), 1.0);
    shows.scores = {.nearestMiss = -2, .miss = -3, .hit = 0.5};
    shows.window = 2;
    // L1: +0.5 then -2 of two: -0.75 of 2.
    EXPECT_DOUBLE_EQ(*value(3, shows, 0), -0.75 / 2);
}

TEST_F(Small, SharesOfWhatIsHeld) {
    using What = GaugeSettings::What;
    EXPECT_DOUBLE_EQ(*value(1, {.what = What::occupancy}, 0), 0.5);
    EXPECT_DOUBLE_EQ(*value(1, {.what = What::occupancy}, 1), 0.25);
    EXPECT_DOUBLE_EQ(*value(2, {.what = What::dirtiness}, 0), 1.0);
    EXPECT_DOUBLE_EQ(*value(3, {.what = What::dirtiness}, 0), 0.5);
    EXPECT_DOUBLE_EQ(*value(3, {.what = What::regionShare, .region = 1}, 0), 0.5);
    EXPECT_DOUBLE_EQ(*value(4, {.what = What::regionShare, .region = 1}, 0), 1.0);
    EXPECT_FALSE(value(0, {.what = What::regionShare}, 0)) << "of nothing there is no share";
    EXPECT_FALSE(value(4, {.what = What::nothing}, 0));
}

TEST_F(Small, MissesOfTheLastAccesses) {
    using What = GaugeSettings::What;
    EXPECT_DOUBLE_EQ(*value(5, {.what = What::missRate}, 0), 4.0 / 5);
    EXPECT_DOUBLE_EQ(*value(5, {.what = What::missRate}, 1), 3.0 / 4);
    // The last miss of L1 is on a block that a fully associative cache of two would not hold either.
    EXPECT_DOUBLE_EQ(*value(5, {.what = What::missKind, .kind = MissKind::capacity}, 0), 1.0 / 4);
    EXPECT_DOUBLE_EQ(*value(5, {.what = What::missKind, .kind = MissKind::compulsory}, 0), 3.0 / 4);
}

TEST_F(Small, TrafficIsWhatComesInAndGoesOut) {
    using What = GaugeSettings::What;
    // L1 fills at all but the second access, and A, which is dirty, is written back at the fourth.
    EXPECT_DOUBLE_EQ(*value(1, {.what = What::traffic}, 0), 1.0);
    EXPECT_DOUBLE_EQ(*value(3, {.what = What::traffic}, 0), 2.0 / 3);
    EXPECT_DOUBLE_EQ(*value(5, {.what = What::traffic}, 0), 5.0 / 5);
    EXPECT_DOUBLE_EQ(*value(5, {.what = What::traffic}, 1), 3.0 / 5);
    EXPECT_FALSE(value(0, {.what = What::traffic}, 0));
}

}  // namespace
}  // namespace whorl::sim
