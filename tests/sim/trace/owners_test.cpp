// Whose memory an access is to, by hand; and blocks of a variable gathered in one place, by hand and by a law.
#include "sim/trace/owners.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "sim/trace/changed_trace.h"

namespace whorl::sim::test {
namespace {

/// A vector that grows, with a block of another in memory that it has left.
constexpr std::string_view kGrowing =
    "new \"v#1\" int 0x1000 8\nW 0x1004 4\n"
    "new \"v#2\" int 0x2000 16\nR 0x1004 4\nW 0x2004 4\ndel 0x1000\n"
    "new \"w#1\" int 0x1000 8\nW 0x1004 4\nR 0x200c 4\n";

std::string ownersOf(const Trace& trace) {
    std::string out;
    trace.forEach(Tick{0}, Tick{trace.size()}, [&](Tick t, const Access& a) {
        out += (out.empty() ? "" : " ") + trace.owners().name(trace.ownerAt(a.address, t));
    });
    return out;
}

TEST(Owners, AreTheVariablesOfBlocks) {
    EXPECT_EQ(variableOf("orders#13"), "orders");
    EXPECT_EQ(variableOf("Quadrant 3"), "Quadrant");
    EXPECT_EQ(variableOf("sort::buffer#2"), "sort::buffer");
    EXPECT_EQ(variableOf("x2"), "x2");
    EXPECT_EQ(variableOf("m[17]"), "m");
    EXPECT_EQ(variableOf("m[n]"), "m[n]");
    EXPECT_EQ(variableOf("#3"), "#3");
    EXPECT_EQ(ownersOf(*shared(kGrowing)), "v v v w v");
}

TEST(Owners, AreRegionsThatHoldOtherObjects) {
    EXPECT_EQ(ownersOf(*shared("region pool 0x1000 64\nnew a Node 0x1000 8\nR 0x1000 4\nR 0x1020 4\n")), "pool pool");
    // A region that objects are called after is theirs.
    EXPECT_EQ(ownersOf(*shared("region a 0x1000 64\nnew \"a#1\" Node 0x1000 8\nR 0x1000 4\ndel 0x1000\n"
                               "new \"b#1\" Node 0x1000 8\nR 0x1000 4\nR 0x1020 4\n")),
              "a b a");
}

/// The bytes from the first access to each of the others.
std::vector<std::int64_t> distancesIn(const Trace& trace) {
    std::vector<std::int64_t> out;
    std::uint64_t first = 0;
    trace.forEach(Tick{0}, Tick{trace.size()}, [&](Tick t, const Access& a) {
        if (t == Tick{0}) first = a.address.value;
        out.push_back(static_cast<std::int64_t>(a.address.value - first));
    });
    return out;
}

TEST(Relocation, ReservesTheMemoryOfTheLargestBlock) {
    const auto before = shared(kGrowing);
    const auto trace = changed(before, {"reserve:v"});
    ASSERT_TRUE(trace.has_value()) << trace.error().sentence();
    const auto distances = distancesIn(*trace);
    EXPECT_EQ(distances[1], 0) << "the copy is where it was";
    EXPECT_EQ(distances[2], 0);
    EXPECT_EQ(distances[4], 8);
    EXPECT_EQ(ownersOf(*trace), "v v v w v");
    // Others stay.
    trace->forEach(Tick{3}, Tick{4}, [](Tick, const Access& a) { EXPECT_EQ(a.address.value, 0x1004u); });
}

/// The element that makes it grow is new; all before it are copied while both blocks live.
TEST(Relocation, WhatIsReservedIsNotCopied) {
    const auto trace = changed(shared("new \"v#1\" double 0x1000 128\nW 0x1000 8\nW 0x1078 8\n"
                                      "new \"v#2\" double 0x2000 256\nW 0x2080 8\nR 0x1070 8\nW 0x2070 8\n"
                                      "del 0x1000\nW 0x2070 8\nW 0x2088 8\n"),
                               {"reserve:v"});
    ASSERT_TRUE(trace.has_value()) << trace.error().sentence();
    EXPECT_EQ(distancesIn(*trace), (std::vector<std::int64_t>{0, 0x78, 0x80, 0, 0, 0x70, 0x88}));
}

TEST(Relocation, MakesBlocksOfOneSizeRows) {
    const auto before = shared("new \"m#1\" double 0x1000 32\nnew \"m#2\" double 0x1040 32\nW 0x1008 8\nW 0x1050 8\n");
    const auto trace = changed(before, {"pool:m"});
    ASSERT_TRUE(trace.has_value()) << trace.error().sentence();
    EXPECT_EQ(distancesIn(*trace)[1], 32 + 8);
    const auto error = changed(before, {"pool:n"});
    ASSERT_FALSE(error.has_value());
    EXPECT_NE(error.error().sentence().find("no variable \"n\" has blocks of the heap"), std::string::npos);
    EXPECT_FALSE(changed(before, {"shift:m#1:64", "pool:m"}).has_value()) << "relocations come first";
}

TEST(Relocation, KeepsEachBlockTogetherAndApartFromOthersThatLive) {
    std::mt19937 random(11);
    for (int round = 0; round < 20; ++round) {
        std::string text;
        std::map<std::uint64_t, std::uint64_t> live;  // sizes by base
        for (int i = 0; i < 60; ++i) {
            const std::uint64_t base = 0x1000 + random() % 16 * 64;
            if (live.contains(base)) {
                text += fmt::format("R {:#x} 1\ndel {:#x}\n", base + random() % live[base], base);
                live.erase(base);
                continue;
            }
            live[base] = 8 * (1 + random() % 8);
            text += fmt::format("new \"{}#{}\" T {:#x} {}\n", random() % 2 == 0 ? "a" : "b", i, base, live[base]);
            for (const auto& [at, size] : live) text += fmt::format("W {:#x} 1\n", at + random() % size);
        }
        const auto before = shared(text);
        const auto trace = changed(before, {"pool:a"});
        ASSERT_TRUE(trace.has_value()) << trace.error().sentence();
        std::map<const Object*, std::uint64_t> bases;
        TraceCursor then(*trace);
        before->forEach(Tick{0}, Tick{before->size()}, [&](Tick t, const Access& a) {
            const Object& object = *before->objectAt(a.address, t);
            const std::uint64_t now = then.at(t).address.value;
            if (object.name[0] == 'b') {
                EXPECT_EQ(now, a.address.value);
                return;
            }
            const std::uint64_t base = now - (a.address.value - object.base.value);
            EXPECT_EQ(bases.try_emplace(&object, base).first->second, base) << "a block moves as a whole";
            for (const auto& [other, at] : bases) {
                const bool isAlive = other != &object && other->born <= t && t < other->died;
                EXPECT_FALSE(isAlive && at < base + object.size && base < at + other->size)
                    << "two blocks in one place";
            }
        });
    }
}

}  // namespace
}  // namespace whorl::sim::test
