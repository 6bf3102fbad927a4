// What stalls most, and what cures it: by hand, and against the tables of `whorl stats` and what-if.
#include "sim/analysis/why.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "rounds.h"
#include "sim/analysis/cycle_costs.h"
#include "sim/analysis/history_help.h"
#include "sim/analysis/what_if.h"
#include "sim/replay/measures.h"
#include "sim/report/json.h"
#include "sim/report/tables.h"
#include "sim/report/why_report.h"
#include "sim/trace/layout/mapped_trace.h"
#include "sim/trace/trace_help.h"

namespace whorl::sim {
namespace {

using SharedTrace = std::shared_ptr<const Trace>;

constexpr std::size_t kAll = 1000;

WhyReport why(const SharedTrace& trace, const MachineConfig& machine, std::size_t top = 5) {
    Progress progress;
    return whyOf(trace, machine, top, progress).value();
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

/// Every number is that of `whorl stats`, and every saving that of `whorl whatif`. Returns how many arrays have a cure.
std::size_t expectLaws(const SharedTrace& trace, const MachineConfig& machine) {
    Progress progress;
    const Measures measures = measure(trace, machine, {Tick{0}, Tick{trace->size()}}, true, progress).value();
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
            const double least = kLeastGain * static_cast<double>(row.lost);
            EXPECT_TRUE(!row.cure || static_cast<double>(row.cure->cycles) >= least);
            EXPECT_EQ(adviceFor(row, report).find('\n'), std::string::npos);
        }
    }
    std::size_t cures = 0;
    for (const StallRow& row : report.arrays) {
        if (!row.cure) continue;
        ++cures;
        const auto view = std::make_shared<const Trace>(mapped(trace, row.cure->changes, progress).value());
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

TEST(Why, AlsoOnRandomMachines) {
    const std::uint64_t rounds = testRounds(150);
    std::size_t cures = 0;
    for (std::uint64_t seed = 0; seed < rounds; ++seed) {
        SCOPED_TRACE(fmt::format("seed {}", seed));
        const test::RandomRun random(seed);
        cures += expectLaws(random.run->sharedTrace(), random.run->machine());
    }
    EXPECT_GE(cures, rounds / 30);
}

TEST(Why, IsTheSameEveryTime) {
    const test::RandomRun random(4);
    EXPECT_EQ(whyAsJson(why(random.run->sharedTrace(), random.run->machine())),
              whyAsJson(why(random.run->sharedTrace(), random.run->machine())));
}

/// A cache of 4 blocks of 32 bytes, and memory 100 cycles away.
MachineConfig small() {
    MachineConfig machine = parseGeometry("128/4/32").value();
    machine.name = "small";
    machine.levels[0].latency = 1;
    machine.memoryLatency = 100;
    return machine;
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
    for (std::uint64_t i = 0; i < n; ++i) {
        for (std::uint64_t j = 0; j < n; ++j) {
            for (std::uint64_t k = 0; k < n; ++k) {
                builder.add(test::access(Op::read, 0x1000 + (i * n + k) * 8, 8, 0, site));
                builder.add(test::access(Op::read, 0x1000 + bytes + (k * n + j) * 8, 8, 0, site));
            }
        }
    }
    return std::make_shared<const Trace>(builder.finish());
}

TEST(Why, BIsWalkedDownItsColumns) {
    // A row has 128 bytes, 4 blocks. A column of B has 16 blocks, more than the cache: all 16^3 accesses miss. A misses
    // once for each block of its rows and column of B: 16 * 16 * 4.
    const WhyReport report = why(product(16), small());
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
    EXPECT_EQ(b.missedThen, 1024u);
    EXPECT_EQ(b.cure->cycles, 3072 * 100);
    EXPECT_EQ(b.cure->padding, 0u);
    EXPECT_EQ(adviceFor(b, report),
              "B is walked down its columns: 4 096 of 4 096 accesses miss; stored transposed (--map transpose:B): 25 % "
              "of that, -60 % stall cycles");
    const StallRow& a = report.arrays[1];
    EXPECT_EQ(a.missesAt(0), 1024u);
    EXPECT_EQ(a.stride.stride, StrideClass::unit);
    EXPECT_FALSE(a.cure.has_value());
    EXPECT_EQ(adviceFor(a, report), "no layout change to try: strides unit, 100 % of the bytes fetched are used");
    // The line loses most for B, too.
    ASSERT_EQ(report.lines.size(), 1u);
    EXPECT_EQ(report.lines[0].name, "mm.c:5");
    EXPECT_EQ(report.lines[0].accesses, 8192u);
    EXPECT_EQ(report.lines[0].array.name, "B");
    EXPECT_EQ(report.lines[0].array.missed, 4096u);
    EXPECT_EQ(report.lines[0].stride.stride, StrideClass::irregular) << "half of it A's, half B's";
    EXPECT_EQ(adviceFor(report.lines[0], report), adviceFor(b, report));
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
    return std::make_shared<const Trace>(builder.finish());
}

TEST(Why, OneFieldOfFourIsRead) {
    const WhyReport report = why(particles(true), small());
    ASSERT_EQ(report.arrays.size(), 1u);
    const StallRow& p = report.arrays[0];
    EXPECT_EQ(p.missesAt(0), 128u);
    EXPECT_EQ(p.stride.bytes, 32);
    EXPECT_EQ(p.array.used, std::vector<std::string>{"x"});
    // The x of 64 particles are 16 blocks; each pass misses all.
    ASSERT_TRUE(p.cure.has_value());
    EXPECT_EQ(asText(p.cure->changes.at(0)), "split:p");
    EXPECT_EQ(p.missedThen, 32u);
    EXPECT_EQ(p.cure->cycles, 96 * 100);
    EXPECT_EQ(adviceFor(p, report),
              "75 % of the bytes fetched for p are never used: p.c:9 uses only x of its 4 fields, 128 of 128 accesses "
              "miss; split into an array for each field (--map split:p): 25 % of that, -75 % stall cycles");
    EXPECT_EQ(
        adviceFor(report.lines.at(0), report),
        "75 % of the bytes fetched for p are never used: only x of its 4 fields is used here, 128 of 128 accesses "
        "miss; split into an array for each field (--map split:p): 25 % of that, -75 % stall cycles");
    // Without a type, its fields are as large as the accesses.
    const WhyReport untyped = why(particles(false), small());
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
    const WhyReport report = why(std::make_shared<const Trace>(builder.finish()), small());
    const StallRow& row = report.arrays.at(0);
    EXPECT_FALSE(row.cure.has_value());
    EXPECT_EQ(adviceFor(row, report), "no layout change tried helps: of all stall cycles transpose:a 0 %");
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
    const SharedTrace trace = std::make_shared<const Trace>(builder.finish());
    MachineConfig machine = small();
    machine.levels[0].ways = 1;
    const WhyReport report = why(trace, machine);
    const StallRow& a = report.arrays.at(0);
    EXPECT_EQ(kindOf(a, 0, MissKind::conflict), 99u);
    ASSERT_TRUE(a.cure.has_value());
    EXPECT_EQ(a.cure->cycles, 198 * 100);
    EXPECT_EQ(a.missedThen, 1u);
    EXPECT_TRUE(adviceFor(a, report).starts_with("99 % of the misses of a are conflicts in a set: 100 of 100"));
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
    const WhyReport report = why(std::make_shared<const Trace>(builder.finish()), machine);
    const StallRow& row = report.arrays.at(0);
    EXPECT_EQ(kindOf(row, 0, MissKind::falseSharing), 98u);
    ASSERT_TRUE(row.cure.has_value());
    EXPECT_EQ(row.missedThen, 2u);
    EXPECT_NE(adviceFor(row, report).find("false sharing between CPUs"), std::string::npos);
}

/// Waiting is no stall, and no layout shortens it: it is told as costs over time have it.
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
    EXPECT_NE(whyAsText(report).find(words), std::string::npos);
    EXPECT_EQ(nlohmann::json::parse(whyAsJson(report))["lock_cycles"], report.waits.atLocks);
    EXPECT_EQ(waitsInWords(why(product(8), small())), "");
}

TEST(Why, IsTheSameInWordsAndAsJson) {
    const WhyReport report = why(product(8), small());
    const auto json = nlohmann::json::parse(whyAsJson(report));
    EXPECT_EQ(json["lost"], report.lost);
    EXPECT_EQ(json["arrays"].size(), report.arrays.size());
    EXPECT_EQ(json["arrays"][0]["advice"], adviceFor(report.arrays[0], report));
    EXPECT_EQ(json["arrays"][0]["levels"]["L1"]["misses"], report.arrays[0].missesAt(0));
    EXPECT_EQ(json["arrays"][0]["stride"]["class"], "constant");
    EXPECT_NE(whyAsText(report).find(adviceFor(report.arrays[0], report)), std::string::npos);
    Progress stopped;
    stopped.cancel();
    EXPECT_TRUE(whyOf(product(8), small(), 5, stopped).error().cancelled);
    EXPECT_NE(whyAsText(why(std::make_shared<const Trace>(), small())).find("Nothing stalls."), std::string::npos);
}

}  // namespace
}  // namespace whorl::sim
