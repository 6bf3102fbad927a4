// What Choudhury and Rosen say of these programs ("Abstract Visualization of Runtime Memory Behavior", V), measured on
// their machine; and what Proudfoot says of aligned arrays.
#include <gtest/gtest.h>

#include <map>

#include "sim/programs_support.h"
#include "sim/run/simulator.h"

namespace whorl::sim {
namespace {

/// What the parts of a run saw: a part is a region, or a stretch of time.
struct Part {
    std::uint64_t accesses = 0;
    std::vector<std::uint64_t> misses = std::vector<std::uint64_t>(2);  ///< by level

    double l1HitRate() const { return 1.0 - static_cast<double>(misses[0]) / static_cast<double>(accesses); }
};

template <class KeyOf>
auto measured(const Trace& trace, const MachineConfig& machine, KeyOf&& keyOf) {
    std::map<decltype(keyOf(Tick{0}, Access{})), Part> parts;
    Simulator simulator(machine);
    trace.forEach(Tick{0}, Tick{trace.size()}, [&](Tick t, const Access& a) {
        Part& part = parts[keyOf(t, a)];
        ++part.accesses;
        EventList events;
        simulator.step(a, events);
        for (const Event& e : events) {
            if (e.kind == EventKind::miss) ++part.misses[e.level];
        }
    });
    return parts;
}

MachineConfig machineOf(const std::string& program) {
    return machineFrom(programNamed(program)->machine).value();
}

std::map<std::string, Part> byRegion(const std::string& program, const std::string& options = "") {
    const Trace trace = ran(program + options);
    return measured(trace, machineOf(program), [&](Tick, const Access& a) { return regionOf(trace, a); });
}

std::map<std::uint64_t, Part> byTenth(const std::string& program, const std::string& options = "") {
    const Trace trace = ran(program + options);
    return measured(trace, machineOf(program), [&](Tick t, const Access&) { return t.value * 10 / trace.size(); });
}

std::uint64_t l1Misses(const std::map<std::string, Part>& regions) {
    std::uint64_t sum = 0;
    for (const auto& [name, part] : regions) sum += part.misses[0];
    return sum;
}

TEST(PaperClaims, TheMachineIsThePapers) {
    const MachineConfig machine = machineOf("matmul");
    EXPECT_EQ(machine.name, "paper");
    EXPECT_EQ(geometryOf(machine), "512/8/32, 2K/16/32");
    EXPECT_EQ(machine.levels[0].sets(), 2u);
    EXPECT_EQ(machine.levels[1].sets(), 4u);
}

// "The cache misses incurred by the right matrix are almost constant, whereas the left matrix is able to achieve much
// more data reuse."
TEST(PaperClaims, StandardMultiplicationIsHardOnTheRightMatrix) {
    auto regions = byRegion("matmul");
    EXPECT_EQ(regions["B"].misses[0], regions["B"].accesses);
    EXPECT_GE(regions["B"].misses[0], 5 * regions["A"].misses[0]);
    EXPECT_EQ(regions["A"].accesses, regions["B"].accesses);
}

// "The number of cache misses is largely reduced. The left matrix is still seen to have better cache residency."
TEST(PaperClaims, StoringTheRightMatrixTransposedRemovesMostMisses) {
    auto regions = byRegion("matmul", ":variant=transposed");
    EXPECT_LE(l1Misses(regions), 0.30 * static_cast<double>(l1Misses(byRegion("matmul"))));
    EXPECT_LT(regions["A"].misses[0], regions["Bt"].misses[0]);
}

// "The overall volume of cache misses is reduced, and more evenly distributed between the matrices."
TEST(PaperClaims, BlockingRemovesMostMissesAndEvensThemOut) {
    auto regions = byRegion("matmul", ":variant=blocked,block=4");
    EXPECT_LE(l1Misses(regions), 0.20 * static_cast<double>(l1Misses(byRegion("matmul"))));
    EXPECT_LT(regions["B"].misses[0], 2 * regions["A"].misses[0]);
    EXPECT_LT(regions["A"].misses[0], 2 * regions["B"].misses[0]);
}

// "As the algorithm nears completion, and the size of the remaining elements to sort begins to fit in the cache, cache
// performance steadily improves."
TEST(PaperClaims, BubbleSortEndsWithinL1) {
    auto tenths = byTenth("bubblesort");
    EXPECT_GT(tenths[9].l1HitRate(), tenths[0].l1HitRate());
    EXPECT_EQ(tenths[9].misses[0], 0u);
    EXPECT_GT(tenths[0].misses[0], 100u);
}

// "Eventually all of the required data populates the L2, and then L1": with more numbers than L2 holds.
TEST(PaperClaims, BubbleSortFitsWithinL2First) {
    auto tenths = byTenth("bubblesort", ":n=768");
    EXPECT_GT(tenths[0].misses[1], 1000u);
    EXPECT_EQ(tenths[9].misses[1], 0u);
    EXPECT_GT(tenths[9].misses[0], 0u);
    const Trace trace = ran("bubblesort:n=768");
    auto ends = measured(trace, machineOf("bubblesort"),
                         [&](Tick t, const Access&) { return t.value > trace.size() / 100 * 99; });
    EXPECT_EQ(ends[true].misses[0], 0u);
}

// "It begins its memory transactions with small lists that fit entirely in the cache, forming progressively larger
// lists that eventually overspill the cache levels, leading to poorer cache characteristics near the end."
TEST(PaperClaims, MergeSortOverflowsNearItsEnd) {
    auto tenths = byTenth("mergesort");
    EXPECT_LT(tenths[9].l1HitRate(), tenths[0].l1HitRate());
    EXPECT_GT(tenths[9].misses[1], 5 * tenths[0].misses[1]);
}

// "The data comes into L1 and is initialized with a series of write operations … the initialized data becomes stale and
// moves slowly first out of L1 to L2, then out of L2 back into main memory."
TEST(PaperClaims, InitializationStreamsThrough) {
    const MachineConfig machine = machineOf("arrayinit");
    Simulator simulator(machine);
    const Trace trace = ran("arrayinit");
    trace.forEach(Tick{0}, Tick{trace.size()}, [&](Tick, const Access& a) { simulator.step(a); });
    const std::vector<CacheCounters> levels = {simulator.counters().level(0), simulator.counters().level(1)};
    EXPECT_EQ(levels[0].misses(), trace.size() / 4);  // one for each block of four doubles
    EXPECT_EQ(levels[0].evictions, levels[0].misses() - machine.levels[0].blocks());
    EXPECT_EQ(levels[1].evictions, levels[0].misses() - machine.levels[1].blocks());
    EXPECT_GT(levels[1].evictions, 0u);
}

// "The three arrays are aligned with one another and with the L1 cache boundary: all accesses conflict."
TEST(PaperClaims, AlignedArraysConflictUntilTheyAreNotAligned) {
    auto aligned = byRegion("conflict");
    EXPECT_EQ(l1Misses(aligned), 3 * 64u);
    auto apart = byRegion("conflict", ":align=32");
    EXPECT_EQ(l1Misses(apart), 3 * 64u / 8);  // one for each block of eight ints
}

}  // namespace
}  // namespace whorl::sim
