// The table of shared blocks by offset: computed by hand, and its sums against the report and the trace.
#include "sim/report/sharing_table.h"

#include "support/json.h"

#include <map>

#include "sim/analysis/history_help.h"
#include "sim/report/json.h"
#include "sim/report/sharing_report.h"
#include "sim/trace/trace_help.h"
#include "support/machines.h"
#include "support/rounds.h"

namespace whorl::sim {
namespace {

struct SharedCounters {
    std::shared_ptr<const Trace> trace;
    SharingReport report;
};

/// Two CPUs write the halves of a block of an array of structures in turn, from two lines.
SharedCounters counters() {
    TraceBuilder b("counters");
    Region counters = test::region("counters", 0x1000, 32);
    counters.elementSize = 16;
    counters.rows = 2;
    counters.type = std::make_shared<const ElementType>(
        ElementType{.name = "Counter", .size = 16, .fields = {{"hits", 0, 8}, {"misses", 8, 8}}});
    b.addRegion(counters);
    for (int n = 0; n < 4; ++n) {
        b.add(test::access(Op::write, 0x1000, 8, 0, b.site("a.c", 7)));
        b.add(test::access(Op::write, 0x1018, 8, 1, b.site("a.c", 9)));
    }
    b.add(test::access(Op::read, 0x1018, 8, 1, b.site("a.c", 11)));
    SharedCounters out{.trace = test::shared(b), .report = {}};
    Progress progress;
    out.report = sharingOf(*test::built(out.trace, test::sharingMachine()), {Tick{0}, Tick{9}}, progress).value();
    return out;
}

TEST(SharingTable, HasARowForEachBlockAndOffset) {
    SharedCounters c = counters();
    // As by tryCures.
    c.report.groups[0].cures.push_back(
        {.changes = {*parseLayoutChange("spread:counters:32")}, .cycles = 600, .elapsed = 300});
    const SharingTable table = sharingTable(c.report, *c.trace);
    EXPECT_EQ(
        tableAsCsv(table.table),
        "level,block,offset,bytes,place,cpus,reads,writes,invalidations,false_sharing,true_sharing,lost,kind,lines,"
        "cure,saved_cycles,saved_elapsed\n"
        "L1,0x1000,,32,counters,0 1,1,8,7,6,0,600,false sharing,\"a.c:7, a.c:9, a.c:11\",spread:counters:32,600,300\n"
        "L1,0x1000,24,8,counters[1].misses,1,1,4,4,3,0,300,false sharing,\"a.c:9, a.c:11\",,,\n"
        "L1,0x1000,0,8,counters[0].hits,0,0,4,3,3,0,300,false sharing,a.c:7,,,\n");
    ASSERT_EQ(table.rows.size(), 3u);
    EXPECT_EQ(table.rows[0], (SharingRow{.block = 0, .field = {}}));
    EXPECT_EQ(table.rows[1], (SharingRow{.block = 0, .field = 1}));
    EXPECT_EQ(linesOf(c.report, table.rows[0]).size(), 3u);
    const std::string text = sharingTableAsText(table, 1);
    EXPECT_NE(text.find("counters[1].misses"), std::string::npos);
    EXPECT_EQ(text.find("that cost less"), std::string::npos);
    EXPECT_NE(sharingTableAsText(table, 0).find("… and 1 block that cost less"), std::string::npos);
}

/// How many accesses in a range touch a block, counted one after the other.
std::uint64_t accessesOf(const Run& run, Range range, const SharedBlock& block, bool writes) {
    const std::uint64_t size = run.machine().levels[block.level].block;
    std::uint64_t count = 0;
    run.trace().forEach(range.from, range.to, [&](Tick, const Access& a) {
        const bool touches =
            a.address.value / size <= block.block.value && (a.address.value + (a.size - 1)) / size >= block.block.value;
        count += touches && !a.unrecorded && a.isWrite() == writes ? 1 : 0;
    });
    return count;
}

/// The sums over the fields of a block are those of the block; of misses and invalidations, none is counted twice.
void expectSums(const SharedBlock& block, const std::string& seed) {
    Cycles lost = 0;
    std::uint64_t trueMisses = 0;
    std::uint64_t falseMisses = 0;
    std::uint64_t invalidations = 0;
    for (const SharedField& field : block.fields) {
        lost += field.lost;
        trueMisses += field.trueMisses;
        falseMisses += field.falseMisses;
        invalidations += field.invalidations;
        Cycles ofLines = 0;
        std::uint64_t accesses = 0;
        for (const FieldLine& line : field.lines) {
            ofLines += line.lost;
            accesses += line.reads + line.writes;
        }
        EXPECT_EQ(ofLines, field.lost) << seed;
        EXPECT_EQ(accesses, field.reads() + field.writes()) << seed;
        EXPECT_GT(accesses, 0u) << seed;
    }
    EXPECT_EQ(lost, block.lost) << seed;
    EXPECT_LE(trueMisses, block.trueMisses) << seed;
    EXPECT_LE(falseMisses, block.falseMisses) << seed;
    EXPECT_LE(invalidations, block.invalidations) << seed;
}

TEST(SharingTable, SumsOfOffsetsAreThoseOfTheirBlockAndTheTrace) {
    std::size_t blocks = 0;
    for (std::uint64_t i = 0; i < testRounds(60); ++i) {
        const test::RandomRun random(i);
        Progress progress;
        const auto report = sharingOf(*random.run, random.range, progress);
        const std::string seed = "seed " + std::to_string(i);
        for (const SharedBlock& block : report->blocks) {
            ++blocks;
            expectSums(block, seed);
            EXPECT_EQ(block.reads(), accessesOf(*random.run, random.range, block, false)) << seed;
            EXPECT_EQ(block.writes(), accessesOf(*random.run, random.range, block, true)) << seed;
        }
        ASSERT_FALSE(testing::Test::HasFailure()) << seed;
    }
    EXPECT_GT(blocks, 0u) << "the cases share nothing";
}

/// Table and JSON tell the same of every block and offset.
TEST(SharingTable, IsWhatJsonSays) {
    const SharedCounters c = counters();
    const SharingTable table = sharingTable(c.report, *c.trace);
    const test::Json json(jsonText(sharingDocument({c.report, c.trace}).json()));
    const auto numberIn = [&](std::size_t row, SharingColumn column) {
        return std::get<std::uint64_t>(table.table.rows[row][static_cast<std::size_t>(column)]);
    };
    const test::Json block = json["groups"][0]["blocks"][0];
    const std::map<std::size_t, test::Json> expected = {{0, block}, {1, block["fields"][1]}, {2, block["fields"][0]}};
    for (const auto& [row, of] : expected) {
        EXPECT_EQ(of["reads"], numberIn(row, SharingColumn::reads));
        EXPECT_EQ(of["writes"], numberIn(row, SharingColumn::writes));
        EXPECT_EQ(of["lost"], numberIn(row, SharingColumn::lost));
        EXPECT_EQ(of["false_sharing"], numberIn(row, SharingColumn::falseMisses));
        EXPECT_EQ(of["invalidations"], numberIn(row, SharingColumn::invalidations));
    }
    EXPECT_EQ(block["fields"][1]["offset"], numberIn(1, SharingColumn::offset));
    EXPECT_EQ(json["from"], 0);
    EXPECT_EQ(json["to"], 9);
}

}  // namespace
}  // namespace whorl::sim
