// Machines as JSON files: what is read, and how each fault is told.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sim/machine/machine_config.h"

namespace whorl::sim {
namespace {

std::string refusal(std::string_view json) {
    const auto parsed = parseMachineJson(json, "my.json");
    return parsed ? "accepted" : parsed.error().sentence();
}

/// A machine of one level with these fields.
std::string level(std::string_view fields) {
    return fmt::format(R"({{"levels": [{{{}}}]}})", fields);
}

constexpr const char* kSizes = "; a size is a number of bytes, or one with K, M or G, such as 32K";

TEST(MachineJson, ReadsAMachine) {
    const auto machine = parseMachineJson(R"({
        "name": "mine", "note": "for tests", "source": "nowhere", "cpus": 4,
        "levels": [{"name": "near", "size": "32K", "ways": 8, "block": 64},
                   {"size": 1048576, "ways": 16, "block": "128"}]})",
                                          "my.json");
    ASSERT_TRUE(machine.has_value()) << machine.error().sentence();
    const MachineConfig expected{.name = "mine",
                                 .levels = {{.name = "near", .size = 32768, .ways = 8, .block = 64},
                                            {.name = "L2", .size = 1048576, .ways = 16, .block = 128}},
                                 .cpus = 4};
    EXPECT_EQ(*machine, expected);
}

TEST(MachineJson, SyntaxErrorsHaveLineAndColumn) {
    EXPECT_EQ(
        refusal(""),
        "my.json:1:1: this is not JSON: unexpected end of input; expected '[', '{', or a literal; mend it here or "
        "shortly before");
    EXPECT_EQ(
        refusal("{\n  \"levels\": [\n    {\"size\": 32K}\n]}"),
        "my.json:3:16: this is not JSON: invalid literal; last read: '32K'; expected '}'; mend it here or shortly "
        "before");
    EXPECT_EQ(
        refusal("{\"levels\": [],}"),
        "my.json:1:15: this is not JSON: unexpected '}'; expected string literal; mend it here or shortly before");
    EXPECT_EQ(refusal("{} {}").substr(0, 31), "my.json:1:4: this is not JSON: ");
    EXPECT_EQ(refusal("{\"name\": \"\xff\"}").substr(0, 32), "my.json:1:11: this is not JSON: ");
}

TEST(MachineJson, TheShapeOfTheWhole) {
    EXPECT_EQ(refusal("[]"), "my.json: a machine is an object, not a list; it opens with {\"levels\": [");
    EXPECT_EQ(refusal("3"), "my.json: a machine is an object, not 3; it opens with {\"levels\": [");
    EXPECT_EQ(refusal("{}"), "my.json: levels: is missing; give the levels from the CPU outward, as a list of objects");
    EXPECT_EQ(refusal(R"({"levels": "L1"})"),
              "my.json: levels: \"L1\" is not a list; give the levels from the CPU outward");
    EXPECT_EQ(refusal(R"({"levels": []})"), "my.json: levels: there is no level; a machine has 1 to 8 levels");
    EXPECT_EQ(
        refusal(R"({"levels": [8]})"),
        "my.json: levels[0]: 8 is not a level; a level is an object such as {\"name\": \"L1\", \"size\": \"32K\", "
        "\"ways\": 8, \"block\": 64}");
}

TEST(MachineJson, UnknownKeys) {
    EXPECT_EQ(
        refusal(R"({"nmae": "x", "levels": [{"size": 64, "ways": 1, "block": 64, "latency": 3}]})"),
        "my.json: the key \"nmae\" is not known; did you mean \"name\"? the keys here are name, note, source, cpus "
        "and levels\n"
        "my.json: levels[0]: the key \"latency\" is not known; the keys here are name, size, ways and block");
    EXPECT_EQ(refusal(level(R"("size": 64, "size": 128, "ways": 1, "block": 64)")),
              "my.json: the key \"size\" stands twice in one object; leave one of them out");
}

TEST(MachineJson, FieldsOfTheWrongKind) {
    EXPECT_EQ(refusal(level(R"("size": "32Q", "ways": 1, "block": 64)")),
              std::string("my.json: levels[0].size: \"32Q\" is not a size") + kSizes);
    EXPECT_EQ(refusal(level(R"("size": 32.5, "ways": 1, "block": 64)")),
              std::string("my.json: levels[0].size: 32.5 is not a size") + kSizes);
    EXPECT_EQ(refusal(level(R"("size": -1, "ways": 1, "block": 64)")),
              std::string("my.json: levels[0].size: -1 is not a size") + kSizes);
    EXPECT_EQ(refusal(level(R"("size": {}, "ways": 1, "block": null)")),
              std::string("my.json: levels[0].size: an object is not a size") + kSizes +
                  "\nmy.json: levels[0].block: null is not a size" + kSizes);
    EXPECT_EQ(refusal(level(R"("size": 64, "ways": "1", "block": 64)")),
              "my.json: levels[0].ways: \"1\" is not a whole number that can stand here; give one such as 8");
    EXPECT_EQ(refusal(level(R"("size": 64, "ways": 99999999999, "block": 64)")),
              "my.json: levels[0].ways: 99999999999 is not a whole number that can stand here; give one such as 8");
    EXPECT_EQ(refusal(level(R"("size": 64, "ways": 1, "block": "8G")")),
              "my.json: levels[0].block: a block of 8589934592 bytes; a block is a power of two from 1 to 4096 bytes");
    EXPECT_EQ(refusal(level(R"("name": 1, "size": 64, "ways": 1, "block": 64)")),
              "my.json: levels[0].name: 1 is not a text; put it in quotes");
    EXPECT_EQ(refusal(R"({"name": [], "levels": [{"size": 64, "ways": 1, "block": 64}]})"),
              "my.json: name: a list is not a text; put it in quotes");
}

TEST(MachineJson, MissingFields) {
    const std::string hint = "; a level has a size, ways and a block";
    EXPECT_EQ(refusal(level("")), "my.json: levels[0].size: is missing" + hint +
                                      "\nmy.json: levels[0].ways: is missing" + hint +
                                      "\nmy.json: levels[0].block: is missing" + hint);
}

TEST(MachineJson, UnsoundMachinesNameTheirPlace) {
    EXPECT_EQ(refusal(R"({"cpus": 99, "levels": [{"size": "48K", "ways": 8, "block": 64},
                                                 {"size": "1M", "ways": 0, "block": 32, "name": "L1"}]})"),
              "my.json: cpus: there are 99 CPUs; a machine has 1 to 64\n"
              "my.json: levels[0].size: 48K comes to 96 sets, which is not a power of two; with 8 ways of 64 bytes the "
              "nearest sound size is 32K (64 sets) or 64K (128 sets); 48K with 6 ways is sound too\n"
              "my.json: levels[1].name: level 1 is called \"L1\" too; levels need different names\n"
              "my.json: levels[1].ways: 0 ways; a set has 1 to 32767 ways\n"
              "my.json: levels[1].block: blocks of 32 bytes are smaller than those of the level before (64 bytes); "
              "blocks stay the same or grow from the CPU outward");
}

TEST(MachineJson, FaultsOfOneLevelDoNotHideThoseOfAnother) {
    EXPECT_EQ(refusal(R"({"levels": [{"size": "x", "ways": 8, "block": 64}, {"size": "48K", "ways": 12, "block": 32},
                                     {"size": 0, "ways": 8, "block": 64}]})"),
              fmt::format("my.json: levels[0].size: \"x\" is not a size{0}\n"
                          "my.json: levels[2].size: the size is 0{0}",
                          kSizes));
}

TEST(MachineJson, VeryManyFaultsAreCut) {
    std::string json = R"({"levels": [)";
    for (int i = 0; i < 50; ++i) json += i == 0 ? "1" : ",1";
    const std::string words = refusal(json + "]}");
    EXPECT_TRUE(words.ends_with("\nand 31 faults more")) << words;
}

TEST(MachineJson, DeepNestingIsNoDanger) {
    const std::string open(100'000, '[');
    EXPECT_NE(refusal(open), "accepted");
    EXPECT_NE(refusal(open + std::string(100'000, ']')), "accepted");
}

}  // namespace
}  // namespace whorl::sim
