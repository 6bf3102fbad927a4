// What stalls most, and what cures it: by hand, and against the tables of `whorl stats` and what-if.
#include "sim/analysis/why.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>
#include "support/json.h"

#include "sim/analysis/comparison.h"
#include "sim/analysis/cycle_costs.h"
#include "sim/analysis/history_help.h"
#include "sim/replay/measuring.h"
#include "sim/report/json.h"
#include "sim/report/tables.h"
#include "sim/report/why_report.h"
#include "sim/trace/layout/mapped_trace.h"
#include "sim/trace/region_file.h"
#include "sim/trace/source_lines.h"
#include "sim/trace/trace_help.h"
#include "support/machines.h"
#include "support/rounds.h"
#include "support/runs.h"

namespace whorl::sim {
namespace {

using test::SharedTrace;

constexpr std::size_t kAll = 1000;
/// A cache of 4 blocks of 32 bytes.
constexpr std::string_view kFourBlocks = "128/4/32";

WhyReport why(const SharedTrace& trace, const MachineConfig& machine, std::size_t top = 5) {
    Progress progress;
    return whyOf(trace, machine, {.top = top}, progress).value();
}

std::uint64_t kindOf(const StallRow& row, std::size_t level, MissKind kind) {
    return row.misses[level][static_cast<std::size_t>(kind)];
}

/// The count in a cell of a table.
std::uint64_t countIn(const Table& table, const std::string& name, const std::string& key) {
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        if (table.columns[c].key != key) continue;
        for (const auto& row : table.rows) {
            if (std::get<std::string>(row[0]) == name) return std::get<std::uint64_t>(row[c]);
        }
    }
    ADD_FAILURE() << "no " << key << " of " << name;
    return 0;
}

void expectRowsOf(const Table& table, const std::vector<StallRow>& rows, const MachineConfig& machine) {
    for (const StallRow& row : rows) {
        SCOPED_TRACE(row.name);
        EXPECT_EQ(row.accesses, countIn(table, row.name, "accesses"));
        EXPECT_EQ(row.cycles, countIn(table, row.name, "cycles"));
        EXPECT_EQ(row.lost, row.cycles - row.accesses * machine.levels[0].latency);
        for (std::size_t l = 0; l < machine.levels.size(); ++l) {
            const std::string& level = machine.levels[l].name;
            EXPECT_EQ(row.missesAt(l), countIn(table, row.name, level + "_misses"));
            EXPECT_EQ(row.stays[l].fills, countIn(table, row.name, level + "_fills"));
            EXPECT_EQ(row.stays[l].usedBytes, countIn(table, row.name, level + "_used_bytes"));
            for (std::size_t k = 0; k < kMissKinds; ++k) {
                EXPECT_EQ(row.misses[l][k], countIn(table, row.name, fmt::format("{}_{}", level, kMissKindKeys[k])));
            }
        }
    }
}

/// The number in the table of a report, as it stands there.
std::string shown(const Table& table, std::size_t row, const std::string& heading) {
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        if (table.columns[c].heading == heading) return grouped(std::get<std::uint64_t>(table.rows[row][c]));
    }
    ADD_FAILURE() << "no column " << heading;
    return {};
}

std::uint64_t number(std::string text) {
    std::erase(text, ' ');
    return std::stoull(text);
}

/// What a sentence says is in the table beside it: misses, accesses, and what share of the misses is of a kind.
void expectInTable(const std::string& advice, const Table& table, std::size_t row) {
    SCOPED_TRACE(advice);
    static const std::regex kMissing("([0-9][0-9 ]*) (\\S+) miss(?:es)? in ([0-9][0-9 ]*) access");
    static const std::regex kShare("([0-9.]+) % of the (\\S+) misses (?:of .*|here )are (false sharing|conflicts)");
    std::smatch found;
    if (std::regex_search(advice, found, kMissing)) {
        EXPECT_EQ(found[1], shown(table, row, found[2].str() + " misses"));
        EXPECT_EQ(found[3], shown(table, row, "accesses"));
    } else {
        EXPECT_EQ(advice.find("accesses"), std::string::npos);
    }
    if (std::regex_search(advice, found, kShare)) {
        const std::string level = found[2] == "L1" ? "" : found[2].str() + " ";
        const std::string kind = found[3] == "conflicts" ? "conflict" : found[3].str();
        const auto of = static_cast<double>(number(shown(table, row, level + kind)));
        const auto all = static_cast<double>(number(shown(table, row, found[2].str() + " misses")));
        EXPECT_NEAR(std::stod(found[1]), 100 * of / all, 0.5);
    }
    // No number is nothing, nor rounded to it.
    EXPECT_FALSE(std::regex_search(advice, std::regex("(^|[^0-9.:])[+-]?0(\\.0)?( |$|%)"))) << advice;
}

/// Every number is that of `whorl stats`, and every saving that of `whorl whatif`. Returns how many arrays have a cure.
std::size_t expectLaws(const SharedTrace& trace, const MachineConfig& machine) {
    Progress progress;
    const Measures measures = measure(trace, machine, test::wholeOf(*trace), true, progress).value();
    const WhyReport report = why(trace, machine, kAll);
    EXPECT_EQ(report.cycles, measures.cyclesOfAll());
    expectRowsOf(tableBy(Grouping::line, measures, *trace), report.lines, measures.machine);
    expectRowsOf(tableBy(Grouping::region, measures, *trace), report.arrays, measures.machine);
    Cycles lost = 0;
    for (const StallRow& row : report.lines) lost += row.lost;
    EXPECT_EQ(report.lost, lost);
    for (const auto* rows : {&report.lines, &report.arrays}) {
        for (std::size_t r = 0; r < rows->size(); ++r) {
            const StallRow& row = (*rows)[r];
            EXPECT_GT(row.lost, 0u);
            EXPECT_LE(row.array.lost, row.lost);
            EXPECT_TRUE(r == 0 || row.lost <= (*rows)[r - 1].lost);
            const double least = kMinGain * static_cast<double>(report.lost);
            EXPECT_TRUE(!row.cure || static_cast<double>(row.cure->cycles) >= least);
            EXPECT_EQ(adviceFor(row, report).find('\n'), std::string::npos);
            expectInTable(adviceFor(row, report), stallTable("thing", *rows, report), r);
        }
    }
    std::size_t cures = 0;
    for (const StallRow& row : report.arrays) {
        if (!row.cure) continue;
        ++cures;
        const auto view = test::shared(mapped(trace, row.cure->changes, progress).value());
        const WhatIf again = whatIf(trace, view, machine, progress).value();
        for (const Difference& d : again.figures) {
            if (d.key != "cycles") continue;
            EXPECT_EQ(static_cast<std::int64_t>(d.before) - static_cast<std::int64_t>(d.after), row.cure->cycles);
        }
    }
    return cures;
}

TEST(Why, IsAsStatsAndWhatIfHaveIt) {
    for (const char* program : {"matmul:n=20", "conflict", "mpm:steps=1", "vecadd:n=24", "nbody:bodies=16,steps=1"}) {
        for (const char* machine : {"paper", "coherence", "tlb"}) {
            SCOPED_TRACE(fmt::format("{} on {}", program, machine));
            expectLaws(test::traceOfProgram(program), loadMachine(machine).value());
        }
    }
}

/// What has no name cannot be changed.
SharedTrace allNamed(const Trace& trace) {
    std::vector<Region> regions;
    for (const Region& r : trace.regions()) {
        if (r.origin == RegionOrigin::inferred) regions.push_back(r);
    }
    for (Region& r : regions) r.origin = RegionOrigin::declared;
    return test::shared(withRegions(trace, std::move(regions), "names").value());
}

TEST(Why, AlsoOnRandomMachines) {
    const std::uint64_t rounds = testRounds(150);
    std::size_t cures = 0;
    for (std::uint64_t seed = 0; seed < rounds; ++seed) {
        SCOPED_TRACE(fmt::format("seed {}", seed));
        const test::RandomRun random(seed);
        cures += expectLaws(allNamed(random.run->trace()), random.run->machine());
    }
    EXPECT_GE(cures, rounds / 30);
}

TEST(Why, IsTheSameEveryTime) {
    const test::RandomRun random(4);
    EXPECT_EQ(jsonText(whyDocument(why(random.run->sharedTrace(), random.run->machine()), nullptr).json()),
              jsonText(whyDocument(why(random.run->sharedTrace(), random.run->machine()), nullptr).json()));
}

/// C = A * B, of n * n doubles, row by row; B is read down its columns.
SharedTrace product(std::uint64_t n) {
    TraceBuilder builder("product");
    const std::uint64_t bytes = n * n * 8;
    for (const char* name : {"A", "B"}) {
        Region r = test::region(name, name[0] == 'A' ? 0x1000 : 0x1000 + bytes, bytes);
        r.elementSize = 8;
        r.rows = r.columns = n;
        builder.addRegion(r);
    }
    const SiteId site = builder.site("mm.c", 5);
    builder.sourceText("mm.c", "\n\n\n\nC[i][j] += A[i][k] * B[k][j];\n");
    for (std::uint64_t i = 0; i < n; ++i) {
        for (std::uint64_t j = 0; j < n; ++j) {
            for (std::uint64_t k = 0; k < n; ++k) {
                builder.add(test::access(Op::read, 0x1000 + (i * n + k) * 8, 8, 0, site));
                builder.add(test::access(Op::read, 0x1000 + bytes + (k * n + j) * 8, 8, 0, site));
            }
        }
    }
    return test::shared(builder);
}

TEST(Why, BIsWalkedDownItsColumns) {
    // A row has 128 bytes, 4 blocks. A column of B has 16 blocks, more than the cache: all 16^3 accesses miss. A misses
    // once for each block of its rows and column of B: 16 * 16 * 4.
    const WhyReport report = why(product(16), test::simplyTimed(kFourBlocks));
    ASSERT_EQ(report.arrays.size(), 2u);
    const StallRow& b = report.arrays[0];
    EXPECT_EQ(b.name, "B");
    EXPECT_EQ(b.accesses, 4096u);
    EXPECT_EQ(b.missesAt(0), 4096u);
    EXPECT_EQ(kindOf(b, 0, MissKind::compulsory), 64u);
    EXPECT_EQ(kindOf(b, 0, MissKind::capacity), 4032u);
    EXPECT_EQ(b.lost, 409600u);
    EXPECT_EQ(b.stride.stride, StrideClass::constant);
    EXPECT_EQ(b.stride.bytes, 128);
    EXPECT_EQ(b.stride.ofThem, 16u * 16 * 15);
    EXPECT_DOUBLE_EQ(b.stays[0].utilization(32), 0.25);
    EXPECT_TRUE(b.array.isByColumns);
    // Stored transposed it misses once for each block of a row, as A does: a quarter.
    ASSERT_TRUE(b.cure.has_value());
    EXPECT_EQ(asText(b.cure->changes.at(0)), "transpose:B");
    EXPECT_EQ(b.missesThenAt(0), 1024u);
    EXPECT_EQ(b.cure->cycles, 3072 * 100);
    EXPECT_EQ(b.cure->padding, 0u);
    EXPECT_EQ(adviceFor(b, report),
              "B is walked down its columns: 4 096 L1 misses in 4 096 accesses; stored transposed (--map transpose:B): "
              "25 % of them, -60 % stall cycles");
    const StallRow& a = report.arrays[1];
    EXPECT_EQ(a.missesAt(0), 1024u);
    EXPECT_EQ(a.stride.stride, StrideClass::unit);
    EXPECT_FALSE(a.cure.has_value());
    EXPECT_EQ(adviceFor(a, report), "100 % of the bytes fetched into L1 are used; there is no layout to try");
    // The line loses most for B, too. Its figures are those of all that it accesses.
    ASSERT_EQ(report.lines.size(), 1u);
    EXPECT_EQ(report.lines[0].name, "mm.c:5");
    EXPECT_EQ(report.lines[0].accesses, 8192u);
    EXPECT_EQ(report.lines[0].array.name, "B");
    EXPECT_EQ(report.lines[0].missesThenAt(0), 2048u);
    EXPECT_EQ(report.lines[0].stride.bytes, 128) << "of the instruction that loses most";
    EXPECT_EQ(adviceFor(report.lines[0], report),
              "B is walked down its columns: 5 120 L1 misses in 8 192 accesses here; stored transposed (--map "
              "transpose:B): 40 % of them, -60 % stall cycles");
    EXPECT_EQ(report.tried, 1u);
}

/// 64 particles of 32 bytes, a block each, of which two passes read x and only x.
SharedTrace particles(bool typed) {
    TraceBuilder builder("particles");
    Region p = test::region("p", 0x1000, 64 * 32);
    p.elementSize = 32;
    p.rows = 64;
    if (typed) {
        p.type = std::make_shared<const ElementType>(
            ElementType{"P", 32, {{"x", 0, 8}, {"y", 8, 8}, {"vx", 16, 8}, {"vy", 24, 8}}});
    }
    builder.addRegion(p);
    const SiteId site = builder.site("p.c", 9);
    for (std::uint64_t i = 0; i < 128; ++i) {
        builder.add(test::access(Op::read, 0x1000 + 32 * (i % 64), 8, 0, site));
    }
    return test::shared(builder);
}

TEST(Why, OneFieldOfFourIsRead) {
    const WhyReport report = why(particles(true), test::simplyTimed(kFourBlocks));
    ASSERT_EQ(report.arrays.size(), 1u);
    const StallRow& p = report.arrays[0];
    EXPECT_EQ(p.missesAt(0), 128u);
    EXPECT_EQ(p.stride.bytes, 32);
    EXPECT_EQ(p.array.used, std::vector<std::string>{"x"});
    // The x of 64 particles are 16 blocks; each pass misses all.
    ASSERT_TRUE(p.cure.has_value());
    EXPECT_EQ(asText(p.cure->changes.at(0)), "split:p");
    EXPECT_EQ(p.missesThenAt(0), 32u);
    EXPECT_EQ(p.cure->cycles, 96 * 100);
    EXPECT_EQ(adviceFor(p, report),
              "75 % of the bytes fetched into L1 for p are never used: p.c:9 uses only x of its 4 fields, 128 L1 "
              "misses in 128 accesses; split into an array for each field (--map split:p): 25 % of them, -75 % stall "
              "cycles");
    EXPECT_EQ(
        adviceFor(report.lines.at(0), report),
        "75 % of the bytes fetched into L1 here are never used: only x of its 4 fields is used here, 128 L1 misses in "
        "128 accesses here; split into an array for each field (--map split:p): 25 % of them, -75 % stall cycles");
    // Without a type, its fields are as large as the accesses.
    const WhyReport untyped = why(particles(false), test::simplyTimed(kFourBlocks));
    EXPECT_EQ(asText(untyped.arrays.at(0).cure.value().changes.at(0)), "split:p:8");
    EXPECT_EQ(untyped.arrays[0].cure->cycles, 96 * 100);
}

TEST(Why, SaysWhereNoLayoutHelps) {
    // One pass over everything: each block is fetched once, whatever the order.
    TraceBuilder builder("once");
    Region a = test::region("a", 0x1000, 64 * 64 * 8);
    a.elementSize = 8;
    a.rows = a.columns = 64;
    builder.addRegion(a);
    for (std::uint64_t i = 0; i < 4096; i += 4) {
        builder.add(test::access(Op::read, 0x1000 + (i % 64 * 64 + i / 64) * 8, 8, 0, builder.site("a.c", 1)));
    }
    const WhyReport report = why(test::shared(builder), test::simplyTimed(kFourBlocks));
    const StallRow& row = report.arrays.at(0);
    EXPECT_FALSE(row.cure.has_value());
    EXPECT_EQ(adviceFor(row, report), "no layout change saves 1 % of all stall cycles; tried: transpose:a");
    EXPECT_EQ(row.tried.size(), 1u);
}

TEST(Why, ConflictsAreShiftedApart) {
    // Two arrays a cache apart, direct-mapped: each access evicts the block of the other.
    TraceBuilder builder("apart");
    for (const std::uint64_t i : {0, 1}) builder.addRegion(test::region(i == 0 ? "a" : "b", 0x1000 + 4096 * i, 64));
    for (int i = 0; i < 100; ++i) {
        builder.add(test::access(Op::read, 0x1000 + i % 4 * 8, 8));
        builder.add(test::access(Op::read, 0x2000 + i % 4 * 8, 8));
    }
    const SharedTrace trace = test::shared(builder);
    MachineConfig machine = test::simplyTimed(kFourBlocks);
    machine.levels[0].ways = 1;
    const WhyReport report = why(trace, machine);
    const StallRow& a = report.arrays.at(0);
    EXPECT_EQ(kindOf(a, 0, MissKind::conflict), 99u);
    ASSERT_TRUE(a.cure.has_value());
    EXPECT_EQ(a.cure->cycles, 198 * 100);
    EXPECT_EQ(a.missesThenAt(0), 1u);
    EXPECT_TRUE(adviceFor(a, report).starts_with(
        "99 % of the L1 misses of a are conflicts in a set: 100 L1 misses in 100 accesses; "))
        << adviceFor(a, report);
}

TEST(Why, FalseSharingIsSpread) {
    TraceBuilder builder("counters");
    Region counts = test::region("counts", 0x1000, 32);
    counts.elementSize = 8;
    counts.rows = 4;
    builder.addRegion(counts);
    for (int i = 0; i < 50; ++i) {
        for (std::uint8_t cpu = 0; cpu < 2; ++cpu) {
            builder.add(test::access(Op::write, 0x1000 + std::uint64_t{cpu} * 8, 8, cpu));
        }
    }
    MachineConfig machine = parseGeometry("128/4/32, 1K/4/32").value();
    machine.cpus = 2;
    machine.levels[0].sharedBy = 1;
    machine.levels[1].sharedBy = 2;
    const WhyReport report = why(test::shared(builder), machine);
    const StallRow& row = report.arrays.at(0);
    EXPECT_EQ(kindOf(row, 0, MissKind::falseSharing), 98u);
    ASSERT_TRUE(row.cure.has_value());
    EXPECT_EQ(row.missesThenAt(0), 2u);
    EXPECT_TRUE(adviceFor(row, report).starts_with("98 % of the L1 misses of counts are false sharing between CPUs: "))
        << adviceFor(row, report);
}

/// Two arrays that meet in L2 only, and the table that a sentence about L2 stands under.
TEST(Why, NamesTheLevelOfItsFigures) {
    TraceBuilder builder("beyond");
    for (const std::uint64_t i : {0, 1}) builder.addRegion(test::region(i == 0 ? "a" : "b", 0x1000 + 4096 * i, 256));
    for (std::uint64_t i = 0; i < 800; ++i) {
        for (const std::uint64_t base : {0x1000, 0x2000}) builder.add(test::access(Op::read, base + i % 8 * 32, 8));
    }
    MachineConfig machine = parseGeometry("128/4/32, 1K/1/32").value();
    machine.levels[1].latency = 10;
    machine.memoryLatency = 100;
    const WhyReport report = why(test::shared(builder), machine);
    const StallRow& a = report.arrays.at(0);
    EXPECT_EQ(kindOf(a, 0, MissKind::conflict), 0u);
    EXPECT_EQ(kindOf(a, 1, MissKind::conflict), 792u);
    ASSERT_TRUE(a.cure.has_value());
    EXPECT_EQ(a.savesAt, 1u);
    EXPECT_TRUE(adviceFor(a, report).starts_with(
        "99 % of the L2 misses of a are conflicts in a set: 800 L2 misses in 800 accesses; "))
        << adviceFor(a, report);
    EXPECT_EQ(shown(stallTable("array", report.arrays, report), 0, "L2 conflict"), "792");
    EXPECT_EQ(test::Json(jsonText(whyDocument(report, nullptr).json()))["arrays"][0]["cured_level"], "L2");
}

/// A cache of 4 sets of 2 blocks. The rows of m have as many bytes as a way: a column of 8 rows lies in one set. All
/// together are as many blocks as the cache has, and one more of `stream`: a fully associative cache misses as often.
TEST(Why, RowsAsLongAsAPowerOfTwoAreMadeLonger) {
    TraceBuilder builder("rows");
    Region m = test::region("m", 0x1000, 8 * 128);
    m.elementSize = 8;
    m.rows = 8;
    m.columns = 16;
    builder.addRegion(m);
    builder.addRegion(test::region("stream", 0x8000, 8 * 16 * 16));
    for (std::uint64_t j = 0; j < 16; ++j) {
        for (std::uint64_t i = 0; i < 8; ++i) {
            builder.add(test::access(Op::read, 0x1000 + 128 * i + 8 * j, 8, 0, builder.site("t.c", 1)));
            builder.add(test::access(Op::read, 0x8000 + 16 * (8 * j + i), 8, 0, builder.site("t.c", 2)));
        }
    }
    MachineConfig machine = test::simplyTimed(kFourBlocks);
    machine.levels[0].size = 256;
    machine.levels[0].ways = 2;
    const WhyReport report = why(test::shared(builder), machine);
    const auto& row = *std::find_if(report.arrays.begin(), report.arrays.end(), [](auto& r) { return r.name == "m"; });
    EXPECT_EQ(row.missesAt(0), 128u);
    EXPECT_EQ(kindOf(row, 0, MissKind::conflict), 0u);
    const auto& tried = row.tried;
    EXPECT_TRUE(std::any_of(tried.begin(), tried.end(),
                            [](const Trial& t) { return asText(t.changes[0]) == "spread:m:160:128"; }));
}

/// A hundred arrays of which one is walked down its columns: what saves little of all is no cure.
TEST(Why, ACureSavesAPercentOfAllStallCycles) {
    for (const std::uint64_t others : {1000, 20000}) {
        TraceBuilder builder("little");
        Region m = test::region("m", 0x1000, 16 * 128);
        m.elementSize = 8;
        m.rows = m.columns = 16;
        builder.addRegion(m);
        builder.addRegion(test::region("once", 0x100000, others * 32));
        for (std::uint64_t i = 0; i < 256; ++i) {
            builder.add(test::access(Op::read, 0x1000 + i % 16 * 128 + i / 16 * 8, 8, 0, builder.site("m.c", 1)));
        }
        for (std::uint64_t i = 0; i < others; ++i) {
            builder.add(test::access(Op::read, 0x100000 + 32 * i, 4, 0, builder.site("m.c", 2)));
        }
        const WhyReport report = why(test::shared(builder), test::simplyTimed(kFourBlocks));
        // Transposed it misses 64 times instead of 256: 192 of 1 256 misses, or of 20 256.
        const StallRow& row = report.arrays.at(1);
        ASSERT_EQ(row.name, "m");
        EXPECT_EQ(row.cure.has_value(), others == 1000);
        if (others == 1000) continue;
        EXPECT_EQ(adviceFor(row, report), "no layout change saves 1 % of all stall cycles; tried: transpose:m -0.9 %");
    }
}

TEST(Why, ElementsWithoutFieldsAreNotSplit) {
    // The last is a class of the library.
    for (const std::optional<ElementType>& type :
         {std::optional<ElementType>(), std::optional(ElementType{"int", 4, {}}),
          std::optional(ElementType{"string", 16, {{"_M_p", 0, 8}, {"_M_size", 8, 8}}})}) {
        TraceBuilder builder("odd");
        Region words = test::region("words", 0x1000, 4096);
        words.elementSize = type ? type->size : 4;
        words.rows = 4096 / words.elementSize;
        if (type) words.type = std::make_shared<const ElementType>(*type);
        builder.addRegion(words);
        const std::uint32_t bytes = words.elementSize / 4;
        for (std::uint64_t i = 0; i < 4096; ++i) {
            builder.add(test::access(Op::read, 0x1000 + i * words.elementSize % 4096, bytes));
        }
        const WhyReport report = why(test::shared(builder), test::simplyTimed(kFourBlocks));
        EXPECT_EQ(report.tried, 0u);
        EXPECT_EQ(
            adviceFor(report.arrays.at(0), report),
            std::string(words.elementSize == 4 ? "25 % of the stall cycles are first touches of memory; a stride "
                                                 "prefetcher in L1 would hide 99 % of all"
                                               : "a stride prefetcher in L1 would hide 99 % of the stall cycles") +
                "; 25 % of the bytes fetched into L1 are used; there is no layout to try");
    }
}

/// In another recording an address is another's.
TEST(Why, WhatHasNoNameOfItsOwnHasNoCure) {
    for (const bool isAlone : {true, false}) {
        TraceBuilder builder("rows");
        for (const std::uint64_t i : {0, 1}) {
            Region r = test::region(i == 0 || isAlone ? fmt::format("m{}", i) : "m0", 0x1000 + 0x1000 * i, 16 * 128);
            r.elementSize = 8;
            r.rows = r.columns = 16;
            builder.addRegion(r);
        }
        for (std::uint64_t i = 0; i < 256; ++i) {
            builder.add(test::access(Op::read, 0x1000 + i % 16 * 128 + i / 16 * 8, 8));
        }
        const WhyReport report = why(test::shared(builder), test::simplyTimed(kFourBlocks));
        EXPECT_EQ(report.arrays.at(0).tried.empty(), !isAlone);
        EXPECT_EQ(adviceFor(report.arrays.at(0), report).find("no name of its own") == std::string::npos, isAlone);
    }
}

TEST(Why, BlocksOfNobodyGetNoPool) {
    for (const std::string owner : {"nodes of index", "heap of make", "heap", "heap of prog+0x1230"}) {
        std::vector<Object> blocks;
        TraceBuilder builder("nodes");
        for (std::uint64_t b = 0; b < 64; ++b) {
            blocks.push_back({.name = fmt::format("{}#{}", owner, b + 1),
                              .className = "Node",
                              .base = ByteAddress{0x1000 + 128 * b},
                              .size = 16,
                              .born = Tick{0}});
        }
        for (std::uint64_t i = 0; i < 256; ++i) builder.add(test::access(Op::read, 0x1000 + i % 64 * 128, 8));
        builder.keep(std::move(blocks));
        const WhyReport report = why(test::shared(builder), test::simplyTimed(kFourBlocks));
        EXPECT_EQ(report.arrays.at(0).name, owner);
        EXPECT_EQ(report.arrays.at(0).tried.empty(), owner == "heap" || owner.ends_with("+0x1230")) << owner;
    }
}

/// Elements dealt out one by one: the loop is wrong, not the layout.
TEST(Why, NeighboursOfDifferentThreadsBelongInChunks) {
    TraceBuilder builder("dealt");
    Region x = test::region("x", 0x1000, 512);
    x.elementSize = 8;
    x.rows = 64;
    builder.addRegion(x);
    for (int round = 0; round < 4; ++round) {
        for (std::uint64_t i = 0; i < 64; ++i) {
            builder.add(test::access(Op::write, 0x1000 + 8 * i, 8, i % 4, builder.site("x.c", 3)));
        }
    }
    MachineConfig machine = parseGeometry("512/4/32, 4K/4/32").value();
    machine.cpus = 4;
    machine.levels[0].sharedBy = 1;
    machine.levels[1].sharedBy = 4;
    machine.memoryLatency = 100;
    const WhyReport report = why(test::shared(builder), machine);
    const StallRow& row = report.arrays.at(0);
    EXPECT_TRUE(std::regex_match(
        adviceFor(row, report), std::regex("75 % of the L1 misses of x are false sharing between CPUs: .*; "
                                           "neighbours in x belong to different threads: give each a contiguous chunk; "
                                           ".*")))
        << adviceFor(row, report);
}

/// Waiting is no stall, and no layout shortens it: it is told as costs over time have it.
TEST(Hints, TheLoopsOverTheDimensionsTheOtherWayRound) {
    const WhyReport report = why(product(16), test::simplyTimed(kFourBlocks));
    const StallRow& b = report.arrays[0];
    ASSERT_TRUE(b.hints.loop.has_value());
    EXPECT_EQ(b.hints.loop->step, 128);
    EXPECT_EQ(b.hints.loop->indices, std::pair(std::string("k"), std::string("j")));
    // 64 blocks of B are fetched 4096 times; half of the cache, 64 bytes, holds no row of 128.
    ASSERT_TRUE(b.hints.workingSet.has_value());
    EXPECT_EQ(b.hints.workingSet->bytes, 2048u);
    EXPECT_DOUBLE_EQ(b.hints.workingSet->times, 64);
    EXPECT_EQ(hintsInWords(b, report),
              (std::vector<std::string>{"mm.c:5 walks 128 bytes a step: the loops over k and j the other way round",
                                        "2 KB are fetched 64 times into L1, which has 128 bytes: loops over smaller "
                                        "blocks would keep them there"}));
    EXPECT_FALSE(report.arrays[1].hints.loop.has_value()) << "A is walked along its rows";
}

/// Three passes over 8 blocks, in a cache of 4.
TEST(Hints, WhatIsFetchedAgainAndAgain) {
    std::string text = "region a 0x1000 256 8 rows=32\n";
    for (int i = 0; i < 96; ++i) text += fmt::format("R {:#x} 8\n", 0x1000 + i % 32 * 8);
    const WhyReport report = why(test::shared(text), test::simplyTimed(kFourBlocks));
    const WhyHints& hints = report.arrays.at(0).hints;
    ASSERT_TRUE(hints.workingSet.has_value());
    EXPECT_EQ(hints.workingSet->bytes, 256u);
    EXPECT_DOUBLE_EQ(hints.workingSet->times, 3);
    EXPECT_EQ(hints.workingSet->fit, 8u) << "elements in half of the cache";
    EXPECT_FALSE(hints.loop.has_value());
    EXPECT_NEAR(hints.firstTouches.value_or(0), 1.0 / 3, 0.01);
    // What is read in order, a prefetcher hides; the first two blocks tell it the stride.
    ASSERT_TRUE(hints.prefetched.has_value());
    EXPECT_DOUBLE_EQ(*hints.prefetched, 0.875);
}

TEST(Hints, WhatGrowsByCopies) {
    std::string text;
    std::uint64_t size = 8;
    for (int i = 0; i < 5; ++i, size *= 2) {
        text += fmt::format("new \"v#{}\" long {:#x} {}\n", i + 1, 0x1000 * (i + 1), size);
        if (i > 0) text += fmt::format("R {:#x} 8\ndel {:#x}\n", 0x1000 * i, 0x1000 * i);
        for (std::uint64_t at = 0; at < size; at += 8) text += fmt::format("W {:#x} 8\n", 0x1000 * (i + 1) + at);
    }
    const WhyReport report = why(test::shared(text), test::simplyTimed(kFourBlocks));
    ASSERT_EQ(report.arrays.at(0).name, "v");
    const auto& growth = report.arrays[0].hints.growth;
    ASSERT_TRUE(growth.has_value());
    EXPECT_EQ(growth->blocks, 5u);
    EXPECT_EQ(growth->copied, 8u + 16 + 32 + 64);
    // The trial reserves 128 bytes: 4 blocks, each fetched once.
    ASSERT_TRUE(report.arrays[0].cure.has_value());
    EXPECT_EQ(asText(report.arrays[0].cure->changes.at(0)), "reserve:v");
    EXPECT_EQ(report.arrays[0].missesThenAt(0), 4u);
}

/// Rows on the heap, with 16 bytes between them, walked down their columns.
TEST(Why, RowsOnTheHeapAreOneArray) {
    std::string text = "region rows 0x100000 8 8\n";
    for (int r = 0; r < 16; ++r) text += fmt::format("new \"m[{}]\" double {:#x} 128\n", r, 0x1000 + 144 * r);
    for (int c = 0; c < 16; ++c) {
        for (int r = 0; r < 16; ++r) text += fmt::format("R {:#x} 8 mm.c:7\n", 0x1000 + 144 * r + 8 * c);
    }
    const WhyReport report = why(test::shared(text), test::simplyTimed(kFourBlocks));
    const StallRow& m = report.arrays.at(0);
    EXPECT_EQ(m.name, "m");
    EXPECT_EQ(m.accesses, 256u);
    EXPECT_EQ(m.stride.bytes, 144);
    ASSERT_FALSE(m.tried.empty());
    EXPECT_EQ(asText(m.tried[0].changes.at(0)), "pool:m");
}

TEST(Why, TellsWhatCpusWaitForEachOther) {
    const auto trace = test::traceOfProgram("windtunnel:particles=60,steps=1");
    const WhyReport report = why(trace, loadMachine("coherence").value());
    Progress progress;
    const auto run = builtRun(trace, report.machine, progress).value();
    const auto costs = costsOverTime(*run, progress);
    const auto sums = costs->all.sumsOfAll(0, costs->all.buckets());
    const CycleClasses& classes = costs->all.classes();
    EXPECT_GT(report.waits.atLocks, 0U);
    EXPECT_EQ(report.waits.atLocks, sums[classes.locks()]);
    EXPECT_EQ(report.waits.atBarriers, sums[classes.barriers()]);
    EXPECT_EQ(report.waits.ofAll, report.machine.cpus * costs->scale.end);
    const std::string words = waitsInWords(report);
    EXPECT_NE(words.find(fmt::format("CPUs wait at locks for {} cycles, ", grouped(report.waits.atLocks))),
              std::string::npos);
    EXPECT_NE(whyDocument(report, nullptr).text(0).find(words), std::string::npos);
    EXPECT_EQ(test::Json(jsonText(whyDocument(report, nullptr).json()))["lock_cycles"], report.waits.atLocks);
    EXPECT_EQ(waitsInWords(why(product(8), test::simplyTimed(kFourBlocks))), "");
}

/// An editor goes to the line, and to its first character.
TEST(Why, IsToldAsNotesOfACompiler) {
    const SharedTrace trace = test::shared(test::ran("matmul:n=16"));
    const WhyReport report = why(trace, test::simplyTimed(kFourBlocks));
    const std::string notes = whyDocument(report, trace).notes();
    std::istringstream lines(notes);
    std::size_t count = 0;
    for (std::string note; std::getline(lines, note); ++count) {
        const std::size_t end = note.find(": note: ");
        ASSERT_NE(end, std::string::npos) << note;
        const std::size_t column = note.rfind(':', end - 1);
        const std::string line = note.substr(0, column);
        const auto site = std::ranges::find(trace->sites(), line, [&](const Site& s) { return siteName(*trace, s); });
        ASSERT_NE(site, trace->sites().end()) << note;
        const std::string_view text = trace->files()[site->file].lines[site->line - 1];
        EXPECT_EQ(text.find_first_not_of(' ') + 1, std::stoul(note.substr(column + 1))) << note;
    }
    EXPECT_GE(count, 2U) << notes;
    EXPECT_NE(notes.find(": note: " + adviceFor(report.lines[0], report) + " ("), std::string::npos) << notes;
}

TEST(Why, AsCsvHasARowForEachLineAndArray) {
    const auto trace = product(8);
    const WhyReport report = why(trace, test::simplyTimed(kFourBlocks));
    const std::string csv = tableAsCsv(whyDocument(report, trace).csv());
    const std::vector<CsvRecord> records = csvRecords(csv);
    ASSERT_EQ(records.size(), 1 + report.lines.size() + report.arrays.size());
    EXPECT_EQ(records[0].fields.front(), "by");
    EXPECT_EQ(records[0].fields.back(), "advice");
    for (const CsvRecord& record : records) EXPECT_EQ(record.fields.size(), records[0].fields.size());
    EXPECT_EQ(records[1].fields[1], report.lines[0].name);
    EXPECT_EQ(records[1].fields[2], std::to_string(report.lines[0].lost));
    EXPECT_EQ(records.back().fields.back(), adviceFor(report.arrays.back(), report));
}

TEST(Why, IsTheSameInWordsAndAsJson) {
    const WhyReport report = why(product(8), test::simplyTimed(kFourBlocks));
    const test::Json json(jsonText(whyDocument(report, nullptr).json()));
    EXPECT_EQ(json["lost"], report.lost);
    EXPECT_EQ(json["arrays"].size(), report.arrays.size());
    EXPECT_EQ(json["arrays"][0]["advice"], adviceFor(report.arrays[0], report));
    EXPECT_EQ(json["arrays"][0]["levels"]["L1"]["misses"], report.arrays[0].missesAt(0));
    EXPECT_EQ(json["arrays"][0]["stride"]["class"], "constant");
    EXPECT_NE(whyDocument(report, nullptr).text(0).find(adviceFor(report.arrays[0], report)), std::string::npos);
    Progress stopped;
    stopped.cancel();
    EXPECT_TRUE(whyOf(product(8), test::simplyTimed(kFourBlocks), {}, stopped).error().cancelled);
    EXPECT_NE(whyDocument(why(test::shared(Trace()), test::simplyTimed(kFourBlocks)), nullptr)
                  .text(0)
                  .find("Nothing stalls."),
              std::string::npos);
}

}  // namespace
}  // namespace whorl::sim
