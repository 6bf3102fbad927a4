#include "sim/report/table.h"

#include <gtest/gtest.h>

namespace whorl::sim {
namespace {

Table threeRows() {
    return {.name = "by_region",
            .title = "By region",
            .columns = {{"region", "region"}, {"cycles", "cycles"}, {"hidden", {}}, {"ratio", "ratio"}},
            .rows = {{"A", std::uint64_t{12345}, std::uint64_t{7}, 0.25},
                     {"größe", std::uint64_t{90}, std::uint64_t{8}, Cell{}},
                     {"C", std::uint64_t{1}, std::uint64_t{9}, 2.0}}};
}

TEST(Table, TextAlignsAndSaysHowManyAreLeftOut) {
    EXPECT_EQ(tableAsText(threeRows(), 2),
              "By region\n\n"
              "region  cycles  ratio\n"
              "A       12 345   0.25\n"
              "größe       90      -\n"
              "… and 1 more\n");
    EXPECT_EQ(tableAsText(threeRows(), 3).find("more"), std::string::npos);
}

TEST(Table, TextSaysWhatMissesCountWhereTheyAreMoreThanAccesses) {
    Table table{.name = {},
                .title = {},
                .columns = {{"line", "line"}, {"accesses", "accesses"}, {"L1_misses", "L1 misses"}},
                .rows = {{"a.c:1", std::uint64_t{3}, std::uint64_t{3}}}};
    EXPECT_EQ(tableAsText(table, 5).find("Misses are of blocks"), std::string::npos);
    table.rows.push_back({"a.c:2", std::uint64_t{1}, std::uint64_t{513}});
    EXPECT_TRUE(tableAsText(table, 5).ends_with(
        "Misses are of blocks: an access of several blocks has one for each that is not there.\n"));
}

TEST(Table, TextShortensLongNamesAtTheirStart) {
    Table table{.name = {}, .title = {}, .columns = {{"line", "line"}}, .rows = {}};
    table.rows.push_back({std::string(100, '/') + "a\tb.c:12"});
    EXPECT_EQ(tableAsText(table, 1), "line\n…" + std::string(31, '/') + "a?b.c:12\n");
}

TEST(Table, CsvHasAllRowsAndColumns) {
    EXPECT_EQ(tableAsCsv(threeRows()), "region,cycles,hidden,ratio\nA,12345,7,0.25\ngröße,90,8,\nC,1,9,2\n");
}

TEST(Csv, ReadsWhatItWrites) {
    const std::vector<std::string> odd = {"", "plain", "a,b", "say \"hi\"", "two\nlines", "\r\n", "\"", ",", "\"\""};
    std::string text;
    for (const std::string& first : odd) {
        for (const std::string& second : odd) text += csvField(first) + ",x," + csvField(second) + "\n";
    }
    const auto records = csvRecords(text);
    ASSERT_EQ(records.size(), odd.size() * odd.size());
    for (std::size_t i = 0; i < records.size(); ++i) {
        EXPECT_EQ(records[i].fields, (std::vector<std::string>{odd[i / odd.size()], "x", odd[i % odd.size()]}));
    }
}

TEST(Csv, TakesWhatOthersWrite) {
    const auto records = csvRecords("a,b\r\n\r\n1,2\r\n3,\"4\"");
    ASSERT_EQ(records.size(), 3u);
    EXPECT_EQ(records[1].text, "1,2");
    EXPECT_EQ(records[2].fields, (std::vector<std::string>{"3", "4"}));
    EXPECT_TRUE(csvRecords("").empty());
    const auto open = csvRecords("a,\"b\"\nc,\"never closed\nd,e\n");
    ASSERT_EQ(open.size(), 2u);
    EXPECT_TRUE(open[0].isWhole);
    EXPECT_FALSE(open[1].isWhole);
}

TEST(Table, RoughCountsHaveRoomInNarrowColumns) {
    EXPECT_EQ(roughCount(0), "0");
    EXPECT_EQ(roughCount(9999), "9 999");
    EXPECT_EQ(roughCount(10000), "10.0K");
    EXPECT_EQ(roughCount(99949), "99.9K");
    EXPECT_EQ(roughCount(99951), "100K");
    EXPECT_EQ(roughCount(999500), "1.00M");
    EXPECT_EQ(roughCount(1675941), "1.68M");
    EXPECT_EQ(roughCount(~std::uint64_t{0}), "18446744T");
}

}  // namespace
}  // namespace whorl::sim
