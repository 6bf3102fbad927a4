// The accesses to each region: exact for traces of few chunks, near to it for long ones.
#include "sim/trace/trace_passes.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>
#include <vector>

#include "sim/trace/trace_builder.h"
#include "sim/trace/trace_help.h"

namespace whorl::sim {
namespace {

/// A trace of `size` accesses to regions of different shares, whose shares change over time, and some elsewhere.
Trace traceOf(std::uint64_t size, std::uint64_t seed) {
    TraceBuilder builder("random");
    for (std::uint64_t r = 0; r < 5; ++r) builder.addRegion(test::region("r", 0x10000 * (r + 1), 0x1000));
    std::mt19937_64 dice(seed);
    for (std::uint64_t i = 0; i < size; ++i) {
        const std::uint64_t drift = 5 * i / size;  // the region that is accessed half of the time
        const std::uint64_t r = dice() % 2 == 0 ? drift : dice() % (dice() % 4 == 0 ? 5 : 2);
        builder.add(Access{.address = ByteAddress{0x10000 * (r + 1) + dice() % 0x1000},
                           .size = 1,
                           .unrecorded = dice() % 10 == 0,
                           .site = {}});
    }
    return builder.finish();
}

std::vector<std::uint64_t> counted(const Trace& trace) {
    std::vector<std::uint64_t> counts(trace.regions().size());
    trace.forEach(Tick{0}, Tick{trace.size()}, [&](Tick, const Access& a) {
        const std::size_t r = trace.regionAt(a.address);
        if (!a.unrecorded && r < counts.size()) ++counts[r];
    });
    return counts;
}

TEST(RegionAccesses, AreExactWhereAllChunksAreCounted) {
    for (const std::uint64_t size : {std::uint64_t{1}, std::uint64_t{1000}, 3 * Trace::kChunk, 3 * Trace::kChunk + 7}) {
        const Trace trace = traceOf(size, size);
        EXPECT_EQ(regionAccesses(trace), counted(trace)) << size;
    }
    EXPECT_TRUE(regionAccesses(Trace()).empty());
}

TEST(RegionAccesses, OfALongTraceHaveTheSharesOfTheWhole) {
    const Trace trace = traceOf(3 * kMaxCountedChunks * Trace::kChunk, 1);
    const std::vector<std::uint64_t> some = regionAccesses(trace);
    const std::vector<std::uint64_t> all = counted(trace);
    const auto sumOf = [](const std::vector<std::uint64_t>& counts) {
        return static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}));
    };
    EXPECT_LE(sumOf(some), static_cast<double>(kMaxCountedChunks * Trace::kChunk));
    for (std::size_t r = 0; r < all.size(); ++r) {
        const double share = static_cast<double>(all[r]) / sumOf(all);
        EXPECT_NEAR(static_cast<double>(some[r]) / sumOf(some), share, 0.07) << r;
    }
    EXPECT_EQ(regionAccesses(trace), some);
}

}  // namespace
}  // namespace whorl::sim
