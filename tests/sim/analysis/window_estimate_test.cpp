#include "sim/analysis/window_estimate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "sim/trace/trace_builder.h"

namespace whorl::sim {
namespace {

TEST(WindowEstimate, IsTheRatioOfSums) {
    const LevelEstimate estimate = ratioOf({{100, 10}, {200, 30}, {100, 20}}, 0);
    EXPECT_DOUBLE_EQ(estimate.missRatio, 0.15);
    // Cochran's formula by hand: what each misses beyond the ratio is -5, 0 and 5; n = 3, t = 4.303.
    ASSERT_TRUE(estimate.plusMinus.has_value());
    EXPECT_NEAR(*estimate.plusMinus, 4.303 * std::sqrt(50.0 / 2 / 3) / (400.0 / 3), 1e-9);
}

TEST(WindowEstimate, IsSureWhereNothingIsBetween) {
    EXPECT_EQ(ratioOf({{100, 10}, {200, 30}}, 1).plusMinus, 0.0);
    EXPECT_EQ(ratioOf({{100, 10}}, 1).plusMinus, 0.0);
}

TEST(WindowEstimate, HasNoIntervalWithOneWindow) {
    EXPECT_EQ(ratioOf({{100, 10}}, 0.1).plusMinus, std::nullopt);
    EXPECT_DOUBLE_EQ(ratioOf({{100, 10}}, 0.1).missRatio, 0.1);
}

TEST(WindowEstimate, OfNoRequestsIsNothing) {
    const LevelEstimate estimate = ratioOf({{0, 0}, {0, 0}}, 0.1);
    EXPECT_EQ(estimate.missRatio, 0);
    EXPECT_EQ(estimate.plusMinus, 0.0);
}

/// Windows that each read the same 64 blocks twice.
Trace sameBlocks(std::size_t windows) {
    constexpr std::uint64_t kBlock = 64;
    TraceBuilder builder("t");
    Windows made{.length = 128, .every = 1280, .between = 1152 * windows, .begins = {}};
    for (std::size_t w = 0; w < windows; ++w) {
        made.begins.push_back(Tick{builder.size()});
        for (std::uint64_t i = 0; i < 128; ++i) {
            builder.add(Access{.address = ByteAddress{0x1000 + i % 64 * kBlock}, .size = 4, .op = Op::read});
        }
    }
    builder.leftOut(made.between);
    builder.keep(std::move(made));
    return builder.finish();
}

MachineConfig ofOneLevel(std::uint64_t blocks) {
    MachineConfig machine;
    machine.levels = {LevelConfig{.name = "L1", .size = blocks * 64, .ways = 4, .block = 64}};
    return machine;
}

LevelEstimate estimateFor(std::size_t windows, std::uint64_t blocks) {
    Progress progress;
    const auto estimate = estimateOf(std::make_shared<const Trace>(sameBlocks(windows)), ofOneLevel(blocks), progress);
    EXPECT_TRUE(estimate.has_value()) << estimate.error().sentence();
    return estimate ? estimate->levels.at(0) : LevelEstimate{};
}

TEST(WindowEstimate, WhatFitsMayHaveBeenThere) {
    const LevelEstimate level = estimateFor(10, 64);
    EXPECT_DOUBLE_EQ(level.missRatio, 64.0 / 1280) << "only the first window brings the blocks";
    EXPECT_EQ(level.least, 0.0) << "all of them may have been there before";
    EXPECT_EQ(level.most, 0.5) << "each window may have to bring them";
}

TEST(WindowEstimate, WhatDoesNotFitWasNotThere) {
    const LevelEstimate level = estimateFor(10, 16);
    EXPECT_DOUBLE_EQ(level.missRatio, 1.0);
    EXPECT_EQ(level.most, 1.0);
    // Of 128 misses of a window, only the first 16 may have been there.
    EXPECT_EQ(level.least, 112.0 / 128);
}

}  // namespace
}  // namespace whorl::sim
