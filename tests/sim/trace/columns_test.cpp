// Tables of text are read by the columns that the user names.
#include "sim/trace/formats/columns.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "sim/trace/reader.h"
#include "support/rounds.h"

namespace whorl::sim::test {
namespace {

Expected<Trace> readTable(std::string_view columns, std::string_view text, TableColumns how = {},
                          ReadOptions options = {}) {
    how.kinds = columnsNamed(columns).value();
    options.columns = how;
    return parseTrace(text, "t", options);
}

/// "R0 1000:4" for a read of CPU 0.
std::vector<std::string> tableAccesses(const Trace& trace) {
    std::vector<std::string> out;
    trace.forEach(Tick{0}, Tick{trace.size()}, [&](Tick, const Access& a) {
        out.push_back(fmt::format("{}{} {:x}:{}", a.isWrite() ? 'W' : 'R', a.cpu, a.address.value, a.size));
    });
    return out;
}

using TableAccesses = std::vector<std::string>;

TEST(Columns, OfToolsThatNobodyKnows) {
    EXPECT_EQ(tableAccesses(readTable("addr", "0x0\n0x8\n0x10\n").value()),
              (TableAccesses{"R0 0:1", "R0 8:1", "R0 10:1"}));
    EXPECT_EQ(tableAccesses(readTable("addr,op", "0x1000 R\n0x1004 W\n").value()),
              (TableAccesses{"R0 1000:1", "W0 1004:1"}));
    EXPECT_EQ(tableAccesses(readTable("op,addr,size", "load 0x1000 4\nstore 0x1004 8 19ab\n").value()),
              (TableAccesses{"R0 1000:4", "W0 1004:8"}));
    EXPECT_EQ(tableAccesses(readTable("cpu,op,addr", "0 W 10 0\n1 R 10 0\n", {.hex = true}).value()),
              (TableAccesses{"W0 10:1", "R1 10:1"}));
    EXPECT_EQ(tableAccesses(readTable("addr,op", "1000,R\n1004,W\n", {.hex = true}).value()),
              (TableAccesses{"R0 1000:1", "W0 1004:1"}));
    EXPECT_EQ(tableAccesses(readTable("addr,op", "1000 , r\n1004;w\n").value()),
              (TableAccesses{"R0 3e8:1", "W0 3ec:1"}));
    EXPECT_EQ(tableAccesses(readTable("-,addr,-,op", ",16,,w\n,32,x,r\n").value()),
              (TableAccesses{"W0 10:1", "R0 20:1"}));
    const Trace counted =
        readTable("-,op,addr,instructions", "# 0 7fffed80 1\n# 1 10010060 30\n", {.hex = true}).value();
    EXPECT_EQ(tableAccesses(counted), (TableAccesses{"R0 7fffed80:1", "W0 10010060:1"}));
    EXPECT_EQ(counted.instructions(), 31U);
    const Trace withPc = readTable("pc,op,addr", "0x7f3c: R 0x1000\n0x7f40: W (nil)\n#eof\n").value();
    EXPECT_EQ(tableAccesses(withPc), (TableAccesses{"R0 1000:1", "W0 0:1"}));
    EXPECT_EQ(withPc.site(SiteId{1}).pc.value, 0x7f3cU);
}

TEST(Columns, HaveTheirWordsUnitsAndHeadings) {
    EXPECT_EQ(tableAccesses(readTable("op,addr", "op;address\nLS;1\nLW;2\n",
                                      {.skipped = 1, .unit = 8, .reads = {"ls"}, .writes = {"LW"}})
                                .value()),
              (TableAccesses{"R0 8:1", "W0 10:1"}));
    EXPECT_EQ(tableAccesses(readTable("op,addr,size", "M 16 4\ni 64 4\n").value()),
              (TableAccesses{"R0 10:4", "W0 10:4"}));
    // As a modify of lackey: a machine may count the two as one access.
    const Trace modified = readTable("op,addr,size", "M 16 4\n").value();
    const Trace same = parseTrace(" M 10,4\n", "t", {}).value();
    std::vector<Access> columns;
    std::vector<Access> lackey;
    modified.forEach(Tick{0}, Tick{9}, [&](Tick, const Access& a) { columns.push_back(a); });
    same.forEach(Tick{0}, Tick{9}, [&](Tick, const Access& a) { lackey.push_back(a); });
    EXPECT_EQ(columns, lackey);
    ReadOptions fetches;
    fetches.instructions = true;
    EXPECT_EQ(tableAccesses(readTable("op,addr,size", "i 64 4\n", {}, fetches).value()), TableAccesses{"R0 40:4"});
}

TEST(Columns, WhatIsWrongIsToldWithItsLine) {
    const auto errorOf = [](std::string_view columns, std::string_view text, const TableColumns& how = {}) {
        const auto trace = readTable(columns, text, how);
        return trace ? "read" : trace.error().sentence();
    };
    EXPECT_EQ(
        errorOf("op,addr,size", "R 16\n"),
        "t:1: 2 columns instead of 3: \"R 16\"; the table has fewer columns than --columns names; --lenient skips "
        "such lines");
    EXPECT_EQ(errorOf("op,addr", "R 1\nX 2\n"),
              "t:2: \"X\" is neither a read nor a write: \"X 2\"; --reads and --writes say which words are; --lenient "
              "skips such lines");
    EXPECT_EQ(errorOf("addr", "1f\n"),
              "t:1: \"1f\" is not an address: \"1f\"; --hex takes addresses without 0x as hex; --lenient skips such "
              "lines");
    EXPECT_NE(errorOf("addr,cpu", "1 64\n").find("expected a number from 0 to 63"), std::string::npos);
    EXPECT_NE(errorOf("addr,size", "1 99999999999\n").find("is not a size"), std::string::npos);
    EXPECT_NE(errorOf("addr,size", "1 0\n").find("an access of 0 bytes"), std::string::npos);
    EXPECT_NE(errorOf("addr", "0x8000000000000000\n", {.unit = 4}).find("past the end"), std::string::npos);
    EXPECT_EQ(errorOf("addr", ""), "t: the file is empty; expected a trace");
    for (const std::string_view names : {"", "op", "addr,addr", "addr,what", "addr,", "ADDR"}) {
        EXPECT_FALSE(columnsNamed(names)) << names;
    }
}

/// However its columns lie, a table is the trace that it was made of.
TEST(Columns, InAnyOrderAreTheSame) {
    std::mt19937 dice(1);
    const auto below = [&](unsigned end) { return static_cast<unsigned>(dice()) % end; };
    for (std::uint64_t round = 0; round < testRounds(100); ++round) {
        std::vector<std::string> columns{"op", "addr", "size", "cpu", "-"};
        std::shuffle(columns.begin(), columns.end(), dice);
        const bool hex = below(2) == 0;
        const char separator = std::array{' ', ',', ';', '|', '\t'}[below(5)];
        std::string text;
        TableAccesses expected;
        for (unsigned line = 1 + below(20); line-- > 0;) {
            const bool isWrite = below(2) == 0;
            const unsigned address = below(1 << 20);
            const unsigned size = 1 + below(64);
            const unsigned cpu = below(64);
            expected.push_back(fmt::format("{}{} {:x}:{}", isWrite ? 'W' : 'R', cpu, address, size));
            for (const std::string& column : columns) {
                text += column == "op"     ? (isWrite ? "store" : "Load")
                        : column == "addr" ? (hex ? fmt::format("{:X}", address) : std::to_string(address))
                        : column == "size" ? std::to_string(size)
                        : column == "cpu"  ? std::to_string(cpu)
                                           : "xyz";
                text += separator;
            }
            text += '\n';
        }
        const auto trace = readTable(fmt::format("{}", fmt::join(columns, ",")), text, {.hex = hex});
        ASSERT_TRUE(trace) << trace.error().sentence() << '\n' << text;
        EXPECT_EQ(tableAccesses(*trace), expected) << text;
        EXPECT_EQ(namesOf(columnsNamed(fmt::format("{}", fmt::join(columns, ","))).value()),
                  fmt::format("{}", fmt::join(columns, ",")));
    }
}

TEST(Sizes, ThatAreIgnoredLeaveTheBlockOfTheAddress) {
    ReadOptions options;
    options.ignoresSizes = true;
    EXPECT_EQ(tableAccesses(parseTrace(" L 10,8\n M 3c,8\n", "t", options).value()),
              (TableAccesses{"R0 10:1", "R0 3c:1", "W0 3c:1"}));
    std::uint64_t bytes = 0;
    ASSERT_TRUE(streamText("R 0x10 8\nW 0x3c 8\n", "t", options, [&](std::span<const PackedAccess> some) {
        for (const PackedAccess& a : some) bytes += a.size();
    }));
    EXPECT_EQ(bytes, 2U);
}

}  // namespace
}  // namespace whorl::sim::test
