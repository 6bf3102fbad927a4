#include "sim/measure/report.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

namespace whorl::sim {
namespace {

MachineConfig paper() {
    return machineFrom("paper").value();
}

Counters example() {
    Counters counters(paper());
    counters.reads = 8192;
    counters.writes = 256;
    counters.cache(0, 0) = {
        .reads = 8192, .writes = 256, .readMisses = 1000, .writeMisses = 56, .evictions = 1040, .writebacks = 64};
    counters.cache(1, 0) = {
        .reads = 1056, .writes = 64, .readMisses = 200, .writeMisses = 0, .evictions = 136, .writebacks = 32};
    counters.memory = {.reads = 200, .writes = 32};
    return counters;
}

TEST(Report, JsonHasEveryCountInTheOrderOfTheHeader) {
    MachineConfig machine = paper();
    machine.cpus = 2;
    const std::string text = countersAsJson(example(), machine);
    const auto json = nlohmann::ordered_json::parse(text);
    std::vector<std::string> keys;
    for (const auto& [key, value] : json.items()) keys.push_back(key);
    EXPECT_EQ(keys, (std::vector<std::string>{"accesses", "reads", "writes", "levels", "memory"}));
    EXPECT_EQ(json["accesses"], 8448);
    ASSERT_EQ(json["levels"].size(), 2u);
    EXPECT_EQ(json["levels"][0].dump(),
              R"({"name":"L1","sets":2,"ways":8,"block":32,"caches":[{"cpus":[0,1],"accesses":8448,"hits":7392,)"
              R"("misses":1056,"read_misses":1000,"write_misses":56,"evictions":1040,"writebacks":64}]})");
    EXPECT_EQ(json["memory"].dump(), R"({"reads":200,"writes":32})");
    EXPECT_NE(text.find("\n  \"accesses\": 8448"), std::string::npos) << text;
}

TEST(Report, JsonSurvivesANameThatIsNotUtf8) {
    MachineConfig machine = paper();
    machine.levels[0].name = "L\xff";
    EXPECT_NE(countersAsJson(example(), machine).find("\"accesses\""), std::string::npos);
}

TEST(Report, TableReads) {
    EXPECT_EQ(countersAsTable(example(), paper()),
              "8 448 accesses: 8 192 reads, 256 writes\n"
              "\n"
              "                  L1      L2\n"
              "size             512      2K\n"
              "ways               8      16\n"
              "block             32      32\n"
              "sets               2       4\n"
              "accesses       8 448   1 120\n"
              "hits           7 392     920\n"
              "misses         1 056     200\n"
              "hit rate      87.5 %  82.1 %\n"
              "read misses    1 000     200\n"
              "write misses      56       0\n"
              "evictions      1 040     136\n"
              "write-backs       64      32\n"
              "\n"
              "memory: 200 blocks read, 32 written\n");
}

TEST(Report, TableStaysWithinEightyColumns) {
    MachineConfig machine{.name = "deep", .levels = {}};
    for (int i = 1; i <= 8; ++i) {
        machine.levels.push_back({.name = fmt::format("L{}", i), .size = 32768, .ways = 8, .block = 64});
    }
    Counters counters(machine);
    for (std::size_t l = 0; l < 8; ++l) counters.cache(l, 0).reads = 123'456'789'012;
    const std::string table = countersAsTable(counters, machine);
    std::istringstream lines(table);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
    EXPECT_NE(table.find("L8"), std::string::npos);
    EXPECT_NE(table.find("123 456 789 012"), std::string::npos);
}

TEST(Report, NoAccessesNoRate) {
    const std::string table = countersAsTable(Counters(paper()), paper());
    EXPECT_EQ(table.find('%'), std::string::npos) << table;
}

}  // namespace
}  // namespace whorl::sim
