// The lengths of loops: those that programs have, and none where nothing comes back after the same time.
#include "sim/analysis/loops.h"

#include <gtest/gtest.h>

#include <random>

#include "support/runs.h"
#include "support/traces.h"

namespace whorl::sim {
namespace {

using Lengths = std::vector<std::uint64_t>;

Lengths loopsIn(const Trace& trace) {
    Progress progress;
    return loopsOf(trace, progress).value();
}

TEST(Loops, OfAMatrixProductAreThoseOfItsRowsAndOfItsWhole) {
    // For each element a row of A and a column of B, and the element itself; for each row of C all of B.
    EXPECT_EQ(loopsIn(test::ran("matmul:n=16")), (Lengths{33, 528}));
    EXPECT_EQ(loopsIn(test::ran("matmul:n=24")), (Lengths{49, 24 * 49}));
}

TEST(Loops, AreNotThereWhereNothingIsTouchedAgain) {
    EXPECT_EQ(loopsIn(Trace()), Lengths{});
    EXPECT_EQ(loopsIn(test::ran("arrayinit:n=512")), Lengths{});
}

TEST(Loops, AreNotThereAtRandom) {
    std::mt19937_64 dice(1);
    std::vector<Access> accesses;
    for (int i = 0; i < 100'000; ++i) accesses.push_back({.address = ByteAddress{8 * (dice() % 5000)}, .size = 8});
    EXPECT_EQ(loopsIn(test::traceOf(accesses)), Lengths{});
}

TEST(Loops, AreFoundInMoreMemoryThanIsFollowed) {
    std::vector<Access> sweep;
    for (std::uint64_t i = 0; i < 200'000; ++i) sweep.push_back({.address = ByteAddress{8 * i}, .size = 8});
    EXPECT_EQ(loopsIn(test::traceOf(sweep, 5)), Lengths{200'000});
}

TEST(Loops, AreNothingWhenCancelled) {
    Progress progress;
    progress.cancel();
    EXPECT_FALSE(loopsOf(test::ran("matmul:n=8"), progress));
}

}  // namespace
}  // namespace whorl::sim
