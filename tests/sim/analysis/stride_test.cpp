// The class of strides, by hand and against a count of all of them.
#include "sim/analysis/stalls.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace whorl::sim {
namespace {

StrideSummary of(const std::vector<std::int64_t>& steps, std::uint32_t size = 8) {
    StrideTally tally;
    for (const std::int64_t bytes : steps) tally.add(bytes, size);
    return tally.summary();
}

StrideSummary summary(StrideClass stride, std::int64_t bytes, std::uint64_t steps, std::uint64_t ofThem) {
    return {.stride = stride, .bytes = bytes, .steps = steps, .ofThem = ofThem};
}

TEST(StrideTally, IsTheClassOfHalfTheSteps) {
    EXPECT_EQ(of({}), summary(StrideClass::none, 0, 0, 0));
    EXPECT_EQ(of({0, 0, 8}), summary(StrideClass::same, 0, 3, 2));
    EXPECT_EQ(of({8, -8, 8, 1024}), summary(StrideClass::unit, 0, 4, 3));
    EXPECT_EQ(of({4, 4, 4}), summary(StrideClass::constant, 4, 3, 3)) << "half of an element's size";
    EXPECT_EQ(of({512, 512, 512, -1536, 512}), summary(StrideClass::constant, 512, 5, 4));
    EXPECT_EQ(of({-512, -512, 8}), summary(StrideClass::constant, -512, 3, 2));
    EXPECT_EQ(of({16, 32, 64, 8, 0}), summary(StrideClass::irregular, 0, 5, 3));
    EXPECT_EQ(of({16, 8}), summary(StrideClass::unit, 0, 2, 1)) << "of equally many, the better";
    EXPECT_EQ(of({24, 16, -16, 16, -16}), summary(StrideClass::irregular, 0, 5, 5));
    EXPECT_EQ(of({-16, 16}), summary(StrideClass::constant, 16, 2, 1)) << "always the same of equals";
}

TEST(StallTally, HasTheStridesOfTheInstructionThatLosesMost) {
    StallTally sum;
    for (const auto& [bytes, lost] : {std::pair{8, 10}, std::pair{1616, 500}, std::pair{24, 90}}) {
        StallTally one{.lost = Cycles(lost), .lostInSteps = Cycles(lost)};
        for (int i = 0; i < 7; ++i) one.strides.add(bytes, 8);
        sum += one;
    }
    EXPECT_EQ(sum.lost, 600u);
    EXPECT_EQ(sum.strides.summary(), summary(StrideClass::constant, 1616, 7, 7));
}

TEST(StrideTally, IsFoundAmongAnyNumberOfOthers) {
    std::mt19937_64 random(7);
    StrideTally tally;
    for (int i = 0; i < 100000; ++i) tally.add(i % 3 == 0 ? static_cast<std::int64_t>(random() >> 8) : 96, 8);
    const StrideSummary found = tally.summary();
    EXPECT_EQ(found.stride, StrideClass::constant);
    EXPECT_EQ(found.bytes, 96);
    EXPECT_EQ(found.steps, 100000u);
    EXPECT_EQ(found.ofThem, 66666u);
    StrideTally anywhere;
    for (int i = 0; i < 10000; ++i) anywhere.add(static_cast<std::int64_t>(random() >> 8), 8);
    EXPECT_EQ(anywhere.summary(), summary(StrideClass::irregular, 0, 10000, 10000));
}

}  // namespace
}  // namespace whorl::sim
