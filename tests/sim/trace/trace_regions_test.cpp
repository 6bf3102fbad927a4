#include <gtest/gtest.h>

#include <random>

#include "sim/trace/trace_help.h"
#include "support/rounds.h"

namespace whorl::sim::test {
namespace {

/// Reads 16 bytes at each of the addresses.
void read(TraceBuilder& builder, std::initializer_list<std::uint64_t> addresses) {
    for (const std::uint64_t a : addresses) builder.add(access(Op::read, a, 16));
}

Trace reading(std::initializer_list<std::uint64_t> addresses) {
    TraceBuilder builder("t");
    read(builder, addresses);
    return builder.finish();
}

/// Reads every granule of [from, to).
void sweep(TraceBuilder& builder, std::uint64_t from, std::uint64_t to) {
    for (std::uint64_t a = from; a < to; a += 16) builder.add(access(Op::read, a, 16));
}

void expectValid(const Trace& trace) {
    const auto& regions = trace.regions();
    for (std::size_t i = 1; i < regions.size(); ++i) {
        ASSERT_LT(regions[i - 1].last().value, regions[i].base.value) << regionsOf(trace);
    }
    for (const Region& r : regions) ASSERT_GT(r.size, 0u);
    trace.forEach(Tick{0}, Tick{trace.size()}, [&](Tick, const Access& a) {
        for (std::uint64_t b = a.address.value; b < a.address.value + a.size; ++b) {
            ASSERT_LT(trace.regionAt(ByteAddress{b}), regions.size()) << std::hex << b << " in " << regionsOf(trace);
        }
    });
}

/// The last byte of all addresses, behind which there is none.
TEST(RegionInference, TheLastByteIsInARegion) {
    constexpr std::uint64_t kLast = ~std::uint64_t{0};
    for (const std::uint64_t declared : {std::uint64_t{0}, kLast - 7}) {
        TraceBuilder builder("end");
        if (declared != 0) builder.addRegion({.name = "A", .base = ByteAddress{declared}, .size = 8});
        for (const std::uint64_t at : {std::uint64_t{0x1000}, kLast - 40, kLast}) builder.add(access(Op::read, at, 1));
        builder.add(access(Op::read, kLast - 7, 8));
        const Trace trace = builder.finish();
        const std::size_t last = trace.regionAt(ByteAddress{kLast});
        ASSERT_LT(last, trace.regions().size());
        EXPECT_EQ(trace.regions()[last].last(), ByteAddress{kLast});
        EXPECT_EQ(trace.regions()[last].name, declared != 0 ? "A" : "memory 2");
        EXPECT_EQ(trace.regions()[trace.regionAt(ByteAddress{kLast - 40})].name, "memory 2");
        EXPECT_EQ(trace.regions()[0].name, "memory 1");
    }
}

/// Of bytes all over the address space, none is without a region but, at most, the last one.
TEST(RegionInference, NoRegionHasAllBytes) {
    TraceBuilder builder("everywhere");
    for (std::uint64_t i = 0; i < 64; ++i) builder.add(access(Op::read, i << 58, 1));
    builder.add(access(Op::read, ~std::uint64_t{0}, 1));
    const Trace trace = builder.finish();
    trace.forEach(Tick{0}, Tick{64}, [&](Tick, const Access& a) {
        EXPECT_LT(trace.regionAt(a.address), trace.regions().size()) << a.address.value;
    });
}

TEST(RegionInference, OnePlaceIsMemory) {
    EXPECT_EQ(regionsOf(reading({0x1008, 0x1040})), "memory 1000+80");
}

TEST(RegionInference, SmallAddressesOfATextbookArePartedAtTheClearBreak) {
    EXPECT_EQ(regionsOf(reading({0x0, 0x1000, 0x2000})), "memory 1 0+16, memory 2 1000+16, memory 3 2000+16");
    TraceBuilder builder("arrays");
    for (std::uint64_t i = 0; i < 64; ++i) {
        for (const std::uint64_t base : {0x1000, 0x2000, 0x3000}) builder.add(access(Op::read, base + i * 8, 8));
    }
    EXPECT_EQ(regionsOf(builder.finish()), "memory 1 1000+512, memory 2 2000+512, memory 3 3000+512");
}

TEST(RegionInference, AnEvenStrideIsOneArray) {
    TraceBuilder builder("stride");
    for (std::uint64_t i = 0; i < 9; ++i) builder.add(access(Op::read, 0x1000 * (i + 1), 4));
    EXPECT_EQ(regionsOf(builder.finish()), "memory 1000+32784");
}

TEST(RegionInference, AColumnOfAMatrixAndAnArrayFarOff) {
    TraceBuilder builder("column");
    for (std::uint64_t i = 0; i < 8; ++i) builder.add(access(Op::read, 0x1000 + i * 128, 8));
    builder.add(access(Op::read, 0x4000, 8));
    EXPECT_EQ(regionsOf(builder.finish()), "memory 1 1000+912, memory 2 4000+16");
}

TEST(RegionInference, NearNeighboursStayTogether) {
    EXPECT_EQ(regionsOf(reading({0x0, 0x60, 0xc0})), "memory 0+208");
}

TEST(RegionInference, RandomPlacesAreOneRegion) {
    std::mt19937 random(3);
    TraceBuilder builder("random");
    for (int i = 0; i < 1000; ++i) builder.add(access(Op::read, random() % 0x10000, 4));
    EXPECT_EQ(builder.finish().regions().size(), 1u);
}

TEST(RegionInference, KnowsTheLayoutThatValgrindGives) {
    TraceBuilder builder("lackey");
    sweep(builder, 0x400040, 0x41e3e0);    // constants of the program
    sweep(builder, 0x6d2010, 0x76f160);    // 2.7 MiB after its text: its variables
    sweep(builder, 0x4000020, 0x4000d60);  // the dynamic linker, followed by the heap
    sweep(builder, 0x4027020, 0x4090d10);
    sweep(builder, 0x4835000, 0x48585c0);  // libraries
    sweep(builder, 0x49c5440, 0x4a3f060);
    sweep(builder, 0x1ffeff0420, 0x1ffeff2000);
    sweep(builder, 0x1fff000000, 0x1fff000ff0);
    EXPECT_EQ(regionsOf(builder.finish()),
              "globals 400040+3600672, heap 4000020+593136, mapped 4835000+2138208, stack 1ffeff0420+68560");
}

TEST(RegionInference, AHugeHoleWithinValgrindsStackIsAnArrayOnIt) {
    TraceBuilder builder("stack");
    sweep(builder, 0x4000020, 0x4090d10);
    sweep(builder, 0x1ffeb00000, 0x1ffeb00100);
    sweep(builder, 0x1fff000000, 0x1fff000ff0);
    EXPECT_EQ(regionsOf(builder.finish()), "heap 4000020+593136, stack 1ffeb00000+5246960");
}

TEST(RegionInference, KnowsTheLayoutThatLinuxGives) {
    TraceBuilder builder("native");
    sweep(builder, 0x555555558000, 0x555555570000);
    sweep(builder, 0x555556aa0000, 0x555556ab0000);
    sweep(builder, 0x7ffff7a00000, 0x7ffff7a10000);
    sweep(builder, 0x7ffff7f00000, 0x7ffff7f10000);
    sweep(builder, 0x7ffffffde000, 0x7fffffffe000);
    EXPECT_EQ(regionsOf(builder.finish()),
              "globals 555555558000+98304, heap 555556aa0000+65536, mapped 7ffff7a00000+65536, "
              "mapped 2 7ffff7f00000+65536, stack 7ffffffde000+131072");
}

/// Blocks that a program allocates near its variables, or where it has no others than those that are named.
TEST(RegionInference, TheHeapIsWhereBlocksWereAllocated) {
    const auto regionsWith = [](std::uint64_t globals) {
        TraceBuilder builder("native");
        if (globals != 0) sweep(builder, globals, globals + 0x1000);
        for (std::uint64_t i = 0; i < 20; ++i) {
            builder.newObject(object("n", 0x555555571008 + i * 64, 40));
            builder.add(access(Op::read, 0x555555571008 + i * 64, 8));
        }
        builder.add(access(Op::read, 0x555555571000, 16));  // of a block that nobody told of
        sweep(builder, 0x555555581000, 0x555555582000);
        sweep(builder, 0x7ffffffde000, 0x7fffffffe000);
        return regionsOf(builder.finish());
    };
    EXPECT_EQ(regionsWith(0x555555558000),
              "globals 555555558000+4096, heap 555555571000+69632, stack 7ffffffde000+131072");
    EXPECT_EQ(regionsWith(0), "heap 555555571000+69632, stack 7ffffffde000+131072");
}

TEST(RegionInference, ALoneStackIsTheStack) {
    EXPECT_EQ(regionsOf(reading({0x7ffffffde000, 0x7ffffffde010})), "stack 7ffffffde000+32");
}

TEST(RegionInference, GivesAtMostEightRegions) {
    TraceBuilder builder("many");
    for (std::uint64_t i = 1; i <= 40; ++i) sweep(builder, i * i << 24, (i * i << 24) + 0x1000);
    const Trace trace = builder.finish();
    EXPECT_GT(trace.regions().size(), 1u);
    EXPECT_LE(trace.regions().size(), 8u);
    expectValid(trace);
}

TEST(RegionInference, DeclaredRegionsComeFirstAndPart) {
    TraceBuilder builder("t");
    read(builder, {0x1000, 0x1010, 0x1020, 0x1030, 0x1040});
    builder.addRegion(region("A", 0x1010, 32));
    const Trace trace = builder.finish();
    EXPECT_EQ(regionsOf(trace), "memory 1 1000+16, A 1010+32, memory 2 1030+32");
    EXPECT_EQ(trace.regions()[1].origin, RegionOrigin::declared);
    EXPECT_EQ(trace.regions()[2].origin, RegionOrigin::inferred);
}

TEST(RegionInference, PiecesOfOneGroupKeepItsName) {
    TraceBuilder builder("pieces");
    sweep(builder, 0x108000, 0x120000);
    sweep(builder, 0x4000000, 0x4010000);
    sweep(builder, 0x1fff000000, 0x1fff000ff0);
    builder.addRegion(region("table", 0x110000, 0x1000));
    EXPECT_EQ(regionsOf(builder.finish()),
              "globals 108000+32768, table 110000+4096, globals 2 111000+61440, heap 4000000+65536, "
              "stack 1fff000000+4080");
}

TEST(RegionInference, ARegionThatStartsInMidGranuleHasNoStrayNeighbour) {
    TraceBuilder builder("edges");
    builder.addRegion(region("A", 0x1004, 0x40));
    for (std::uint64_t a = 0x1004; a < 0x1044; a += 4) builder.add(access(Op::read, a, 4));
    EXPECT_EQ(regionsOf(builder.finish()), "A 1004+64");
}

TEST(RegionInference, BytesBesideARegionInItsGranuleAreFound) {
    TraceBuilder builder("edges");
    builder.addRegion(region("A", 0x1004, 4));
    builder.addRegion(region("B", 0x100a, 2));
    builder.add(access(Op::read, 0x1000, 16));
    const Trace trace = builder.finish();
    EXPECT_EQ(regionsOf(trace), "memory 1 1000+4, A 1004+4, memory 2 1008+2, B 100a+2, memory 3 100c+4");
    expectValid(trace);
}

TEST(RegionInference, TheEndOfTheAddressSpaceHasARegion) {
    TraceBuilder builder("end");
    builder.add(access(Op::read, ~0ull - 8, 8));
    const Trace trace = builder.finish();
    EXPECT_EQ(regionsOf(trace), "memory fffffffffffffff0+16");
    expectValid(trace);
}

TEST(RegionInference, FewObjectsApartBecomeRegions) {
    TraceBuilder builder("t");
    read(builder, {0x1000, 0x1020, 0x1040});
    builder.newObject(object("n1", 0x1000, 24));
    builder.newObject(object("n2", 0x1020, 24));
    EXPECT_EQ(regionsOf(builder.finish()), "n1 1000+24, n2 1020+24, memory 1040+16");
}

TEST(RegionInference, ObjectsThatShareAPlaceInTurnDoNot) {
    TraceBuilder builder("t");
    read(builder, {0x1000, 0x1020});
    builder.newObject(object("n1", 0x1000, 24));
    builder.deleteObject(ByteAddress{0x1000});
    builder.newObject(object("n2", 0x1010, 24));
    EXPECT_EQ(regionsOf(builder.finish()), "memory 1000+48");
}

TEST(RegionInference, ObjectsWithinARegionDoNot) {
    TraceBuilder builder("t");
    read(builder, {0x1000, 0x1020});
    builder.newObject(object("n1", 0x1000, 16));
    builder.addRegion(region("pool", 0x1000, 0x1000));
    EXPECT_EQ(regionsOf(builder.finish()), "pool 1000+4096");
}

TEST(RegionInference, ManyObjectsDoNot) {
    TraceBuilder builder("many");
    for (std::uint64_t i = 0; i < 17; ++i) {
        builder.newObject(object("n", 0x1000 + i * 32, 32));
        builder.add(access(Op::read, 0x1000 + i * 32, 16));
    }
    EXPECT_EQ(regionsOf(builder.finish()), "memory 1000+528");
}

TEST(RegionInference, HoldsEveryTouchedByteOfRandomTraces) {
    std::mt19937_64 random(11);
    for (std::uint64_t round = 0; round < testRounds(200); ++round) {
        TraceBuilder builder("random");
        const unsigned spread = 6 + random() % 40;
        for (int i = 0; i < 30; ++i) {
            const std::uint64_t address = random() % (1ull << spread);
            if (i % 3 == 0) {
                builder.addRegion(region("r", address, 1 + random() % (1ull << spread / 2)));
            } else {
                builder.add(access(Op::read, address, static_cast<std::uint32_t>(1 + random() % 100)));
            }
        }
        expectValid(builder.finish());
        if (HasFatalFailure()) return;
    }
}

}  // namespace
}  // namespace whorl::sim::test
