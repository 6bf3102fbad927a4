// Soundness of machines, and geometries as users write them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sim/machine/machine_config.h"
#include "support/refusal.h"

namespace whorl::sim {
namespace {

constexpr const char* kPattern =
    "; a geometry is size/ways/block for each level from the CPU outward, such as 32K/8/64, 1M/16/64";
constexpr const char* kSizes = "; a size is a number of bytes, or one with K, M or G, such as 32K";

std::string geometryRefusal(std::string_view geometry) {
    return test::refusalOf(parseGeometry(geometry));
}

std::string refusalHere(MachineConfig machine) {
    return test::refusalOf(checked(std::move(machine), "here"));
}

MachineConfig farLevels() {
    return {.name = "two",
            .levels = {{.name = "L1", .size = 32768, .ways = 8, .block = 64, .sharedBy = 1, .latency = 4},
                       {.name = "L2", .size = 1 << 20, .ways = 16, .block = 64, .sharedBy = 0, .latency = 14}}};
}

TEST(Geometry, ReadsWhatItWrites) {
    for (const std::string text : {"32K/8/64, 1M/16/64", "512/8/32, 2K/16/32", "48K/12/64", "1/1/1", "1G/16/4096"}) {
        const auto machine = parseGeometry(text);
        ASSERT_TRUE(machine.has_value()) << machine.error().sentence();
        EXPECT_EQ(geometryOf(*machine), text);
        EXPECT_EQ(machine->name, text);
    }
    const auto machine = parseGeometry(" 32k / 8/ 64B,1MiB/16/64 ");
    ASSERT_TRUE(machine.has_value()) << machine.error().sentence();
    EXPECT_EQ(machine->levels, farLevels().levels);
    EXPECT_EQ(machine->cpus, 1u);
    EXPECT_EQ(machine->levels[0].sets(), 64u);
}

TEST(Geometry, HasTheDefaultsOfAFile) {
    const auto fromFile = parseMachineJson(R"({"name": "1K/1/32, 2K/1/32, 4K/1/32", "levels": [
        {"size": "1K", "ways": 1, "block": 32}, {"size": "2K", "ways": 1, "block": 32},
        {"size": "4K", "ways": 1, "block": 32}]})",
                                           "my.json");
    ASSERT_TRUE(fromFile.has_value());
    EXPECT_EQ(parseGeometry("1K/1/32, 2K/1/32, 4K/1/32").value(), *fromFile);
    EXPECT_EQ(parseGeometry("1K/1/32").value().levels[0].sharedBy, 1u) << "the only level is a CPU's own";
    EXPECT_EQ(parseGeometry("1K/full/32, 4K/FULL/64").value(), parseGeometry("1K/32/32, 4K/64/64").value());
    // In the words of CS:APP: 16 sets, 2 ways, blocks of 16 bytes.
    EXPECT_EQ(parseGeometry("s4E2b4").value(), parseGeometry("512/2/16").value());
    EXPECT_EQ(loadMachine("s0E3b5, s6E8b6").value(), parseGeometry("96/3/32, 32K/8/64").value());
    EXPECT_EQ(parseGeometry("s4E2b4").value().name, "512/2/16");
    for (const char* const wrong : {"s4E2", "s4E2b", "E2b4s4", "s4E2b4x", "s-1E2b4", "s40E2b4", "s4E0b4"}) {
        EXPECT_FALSE(parseGeometry(wrong)) << wrong;
    }
}

TEST(Geometry, BytesAsWords) {
    EXPECT_EQ(formatBytes(0), "0");
    EXPECT_EQ(formatBytes(1), "1");
    EXPECT_EQ(formatBytes(1023), "1023");
    EXPECT_EQ(formatBytes(1024), "1K");
    EXPECT_EQ(formatBytes(1536), "1536");
    EXPECT_EQ(formatBytes(30u << 20), "30M");
    EXPECT_EQ(formatBytes(std::uint64_t{3} << 30), "3G");
}

TEST(Geometry, MissingParts) {
    EXPECT_EQ(geometryRefusal(""), std::string("the geometry is empty") + kPattern);
    EXPECT_EQ(geometryRefusal("32K"),
              std::string("level 1 of the geometry, \"32K\", has no number of ways") + kPattern);
    EXPECT_EQ(geometryRefusal("32K/8"),
              std::string("level 1 of the geometry, \"32K/8\", has no block size") + kPattern);
    EXPECT_EQ(geometryRefusal("/8/64"), std::string("level 1 of the geometry, \"/8/64\", has no size") + kPattern);
    EXPECT_EQ(geometryRefusal("32K//64"),
              std::string("level 1 of the geometry, \"32K//64\", has no number of ways") + kPattern);
    EXPECT_EQ(geometryRefusal("32K/8/64,"), std::string("level 2 of the geometry is empty") + kPattern);
    EXPECT_EQ(geometryRefusal("32K/8/64/2"),
              std::string("level 1 of the geometry, \"32K/8/64/2\", has 4 parts") + kPattern);
}

TEST(Geometry, Garbage) {
    EXPECT_EQ(geometryRefusal("32Q/8/64"), std::string("level 1 of the geometry: \"32Q\" is not a size") + kSizes);
    EXPECT_EQ(geometryRefusal("K/8/64"), std::string("level 1 of the geometry: \"K\" is not a size") + kSizes);
    EXPECT_EQ(geometryRefusal("32iB/8/64"), std::string("level 1 of the geometry: \"32iB\" is not a size") + kSizes);
    EXPECT_EQ(geometryRefusal("-1/8/64"), std::string("level 1 of the geometry: \"-1\" is not a size") + kSizes);
    EXPECT_EQ(geometryRefusal("99999999999G/8/64"),
              std::string("level 1 of the geometry: \"99999999999G\" is not a size") + kSizes);
    EXPECT_EQ(geometryRefusal("32K/8/64, 1M/many/64"),
              std::string("level 2 of the geometry: \"many\" is not a number of ways") + kPattern);
    EXPECT_EQ(geometryRefusal("32K/8/line"),
              std::string("level 1 of the geometry: \"line\" is not a block size") + kPattern);
    EXPECT_EQ(geometryRefusal("32K/8/8G"),
              std::string("level 1 of the geometry: \"8G\" is not a block size") + kPattern);
}

TEST(Validity, SoundMachinesStayAsTheyAre) {
    const auto machine = checked(farLevels(), "here");
    ASSERT_TRUE(machine.has_value());
    EXPECT_EQ(*machine, farLevels());
    EXPECT_EQ(geometryRefusal("32K/8/64, 16K/16/64"), "accepted");   // smaller than the nearer one
    EXPECT_EQ(geometryRefusal("32K/8/64, 1M/16/128"), "accepted");   // larger blocks outward
    EXPECT_EQ(geometryRefusal("48K/12/64, 16M/16/64"), "accepted");  // ways need not be a power of two
    EXPECT_EQ(geometryRefusal("1048544/32767/32"), "accepted");      // fully associative
    EXPECT_EQ(geometryRefusal("16M/1/1"), "accepted");
}

TEST(Validity, NumbersOfLevelsAndCpus) {
    MachineConfig machine = farLevels();
    machine.levels.clear();
    EXPECT_EQ(refusalHere(machine), "accepted");
    EXPECT_EQ(geometryRefusal("1/1/1,1/1/1,1/1/1,1/1/1,1/1/1,1/1/1,1/1/1,1/1/1,1/1/1"),
              "there are 9 levels; there can be 8 at most");
    machine = farLevels();
    machine.cpus = 65;
    EXPECT_EQ(refusalHere(machine), "here: there are 65 CPUs; a machine has 1 to 64");
    machine.cpus = 0;
    EXPECT_EQ(refusalHere(machine), "here: there are 0 CPUs; a machine has 1 to 64");
}

TEST(Validity, NumbersOfALevel) {
    EXPECT_EQ(geometryRefusal("0/8/64"), std::string("L1: the size is 0") + kSizes);
    EXPECT_EQ(geometryRefusal("32K/0/64"), "L1: 0 ways; a set has 1 to 32767 ways");
    EXPECT_EQ(geometryRefusal("32K/32768/64"), "L1: 32768 ways; a set has 1 to 32767 ways");
    const std::string blocks = "; a block is a power of two from 1 to 4096 bytes";
    EXPECT_EQ(geometryRefusal("32K/8/0"), "L1: a block of 0 bytes" + blocks);
    EXPECT_EQ(geometryRefusal("32K/8/48"), "L1: a block of 48 bytes" + blocks);
    EXPECT_EQ(geometryRefusal("32K/1/8K"), "L1: a block of 8192 bytes" + blocks);
    EXPECT_EQ(geometryRefusal("1G/1/1"),
              "L1: 1G in blocks of 1 byte are 1073741824 blocks; a level has at most 16777216");
}

TEST(Validity, NumbersOfSets) {
    for (const char* of : {"32K/8/64, 36M/12/64", "32K/8/64, 30M/20/64", "32K/8/64, 96M/16/64", "48K/1/64"}) {
        EXPECT_EQ(geometryRefusal(of), "accepted");
    }
    EXPECT_EQ(parseGeometry("32K/8/64, 36M/12/64")->levels[1].sets(), 49152u);
    EXPECT_EQ(
        geometryRefusal("32K/8/64, 30M/11/64"),
        "L2: 30M is not a whole number of sets of 11 ways of 64 bytes; with 11 ways of 64 bytes the nearest valid "
        "size is 31456832 (44683 sets) or 31457536 (44684 sets); 30M with 10 ways is valid too");
    EXPECT_EQ(geometryRefusal("1000/8/64"),
              "L1: 1000 is not a whole number of sets of 8 ways of 64 bytes; with 8 ways of 64 bytes the nearest valid "
              "size is 512 (1 set) or 1K (2 sets)");
    EXPECT_EQ(geometryRefusal("100/3/64"),
              "L1: 100 is not a whole number of sets of 3 ways of 64 bytes; with 3 ways of 64 bytes the nearest valid "
              "size is 192 (1 set)");
}

TEST(Validity, LevelsTogether) {
    EXPECT_EQ(geometryRefusal("32K/8/64, 1M/16/32"),
              "L2: blocks of 32 bytes are smaller than those of the level before (64 bytes); blocks stay the same or "
              "grow from the CPU outward");
    MachineConfig machine = farLevels();
    machine.levels[1].name = "L1";
    EXPECT_EQ(refusalHere(machine), "here: L1: level 1 is called \"L1\" too; levels need different names");
    machine.levels[1].name = "";
    EXPECT_EQ(refusalHere(machine), "here: level 2: the name is empty; give a name such as L1");
}

TEST(Validity, AllFaultsAtOnceALineEach) {
    EXPECT_EQ(geometryRefusal("32K/0/64, 1M/16/3"),
              "L1: 0 ways; a set has 1 to 32767 ways\n"
              "L2: a block of 3 bytes; a block is a power of two from 1 to 4096 bytes");
}

}  // namespace
}  // namespace whorl::sim
