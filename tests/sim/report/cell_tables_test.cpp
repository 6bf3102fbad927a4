// Tables of blocks, pages, sets and ways, of a trace small enough to be counted by hand.
#include <gtest/gtest.h>

#include "sim/analysis/cache_cells.h"
#include "sim/analysis/cell_table.h"
#include "sim/analysis/history_help.h"
#include "sim/replay/measuring.h"
#include "sim/report/tables.h"
#include "sim/trace/trace_help.h"
#include "support/rounds.h"

namespace whorl::sim {
namespace {

/// Two regions that evict each other from a direct-mapped L1 of two blocks of 32 bytes, before an L2 that holds all.
class CellTables : public testing::Test {
  protected:
    CellTables() {
        TraceBuilder b("hand");
        b.addRegion(test::region("A", 0x1000, 64));
        b.addRegion(test::region("B", 0x2000, 64));
        b.add(test::access(Op::read, 0x1000, 4));   // compulsory in both
        b.add(test::access(Op::write, 0x1004, 4));  // hit
        b.add(test::access(Op::read, 0x2000, 4));   // compulsory in both; evicts A, which is written back
        b.add(test::access(Op::read, 0x1000, 4));   // conflict in L1; evicts B
        b.add(test::access(Op::read, 0x1020, 4));   // compulsory in both
        b.add(test::access(Op::read, 0x1020, 4));   // hit
        machine_ = parseGeometry("64/1/32, 512/4/32").value();
        machine_.levels[0].latency = 1;
        machine_.levels[1].latency = 10;
        machine_.memoryLatency = 100;
        trace_ = test::shared(b);
    }
    std::string byBlock(std::uint64_t bytes) {
        const auto run = test::built(trace_, machine_);
        const auto cells = cellsOf(*run, {.range = {Tick{0}, Tick{6}}, .grain = bytes}, progress_);
        return tableAsCsv(cellTable("block", *cells, run->machine(), *trace_));
    }

    static std::string heading() {
        return "block,region,accesses,reads,writes,cycles,cycles_per_access,penalty,miss_rate,mostly_served_by,"
               "L1_hits,L1_misses,L1_fills,L1_used_bytes,L1_used_percent,L1_conflicts,"
               "L2_hits,L2_misses,L2_fills,L2_used_bytes,L2_used_percent,L2_conflicts\n";
    }

    std::shared_ptr<const Trace> trace_;
    MachineConfig machine_;
    Progress progress_;
};

TEST_F(CellTables, ByBlock) {
    EXPECT_EQ(byBlock(32), heading() +
                               "0x1000,A,3,2,1,123,41,120,0.6666666666666666,L1,1,2,2,12,18.75,1,2,1,1,8,25,0\n"
                               "0x1020,A,2,2,0,112,56,110,0.5,L1,1,1,1,4,12.5,0,0,1,1,4,12.5,0\n"
                               "0x2000,B,1,1,0,111,111,110,1,memory,0,1,1,4,12.5,1,0,1,1,4,12.5,0\n");
}

TEST_F(CellTables, ByLargerBlocks) {
    machine_.levels[1].block = 64;
    EXPECT_EQ(byBlock(64), heading() +
                               "0x1000,A,5,4,1,135,27,130,0.6,L1,2,3,3,16,16.666666666666664,1,3,1,1,12,18.75,0\n"
                               "0x2000,B,1,1,0,111,111,110,1,memory,0,1,1,4,12.5,1,0,1,1,4,6.25,0\n");
}

TEST_F(CellTables, HaveTlbMissesWhereThereIsATlb) {
    machine_.tlb = {.entries = 1, .ways = 1, .page = 4096, .walk = 5};
    const auto run = test::built(trace_, machine_);
    const auto cells = cellsOf(*run, {.range = {Tick{0}, Tick{6}}, .grain = 4096}, progress_);
    const Table table = cellTable("page", *cells, run->machine(), *trace_);
    EXPECT_EQ(table.name, "by_page");
    EXPECT_EQ(tableAsText(table, 9),
              "By page\n\n"
              "page    region  accesses  cycles  penalty  miss rate  mostly  TLB misses  L1 misses  L2 misses\n"
              "0x1000  A              5     245      240        0.6  L1               2          3          2\n"
              "0x2000  B              1     116      115          1  memory           1          1          1\n");
}

TEST_F(CellTables, ForPeopleTheyShowTheUseOfBlocksIfAsked) {
    const auto run = test::built(trace_, machine_);
    const auto cells = cellsOf(*run, {.range = {Tick{0}, Tick{6}}, .grain = 32}, progress_);
    EXPECT_EQ(tableAsText(cellTable("block", *cells, run->machine(), *trace_), 9).find("used"), std::string::npos);
    EXPECT_NE(tableAsText(cellTable("block", *cells, run->machine(), *trace_, true), 9).find("L1 used %"),
              std::string::npos);
}

TEST_F(CellTables, BySetAndByWay) {
    const auto run = test::built(trace_, machine_);
    const Range range{Tick{0}, Tick{6}};
    std::vector<std::shared_ptr<const CacheCellTable>> levels;
    for (const std::size_t l : {0, 1}) levels.push_back(cacheCellsOf(*run, {.range = range, .level = l}, progress_));
    EXPECT_EQ(tableAsCsv(setTable(levels, *run->measures())),
              "level,cache,set,requests,hits,misses,evictions,writebacks,distinct_blocks,penalty,compulsory,capacity,"
              "conflict,true_sharing,false_sharing\n"
              "L1,0,0,4,1,3,2,1,2,230,2,0,1,0,0\n"
              "L2,0,0,4,2,2,0,0,2,220,2,0,0,0,0\n"
              "L1,0,1,2,1,1,0,0,1,110,1,0,0,0,0\n"
              "L2,0,1,1,0,1,0,0,1,110,1,0,0,0,0\n");
    EXPECT_EQ(tableAsCsv(wayTable(*levels[1], run->machine())),
              "level,cache,set,way,requests,hits,misses,evictions,writebacks,distinct_blocks,penalty\n"
              "L2,0,0,0,3,2,1,0,0,1,110\n"
              "L2,0,0,1,1,0,1,0,0,1,110\n"
              "L2,0,1,0,1,0,1,0,0,1,110\n");
}

/// A write that does not allocate fills no way.
TEST_F(CellTables, HaveARowForWhatFillsNoWay) {
    machine_.levels.resize(1);
    machine_.levels[0].allocate = false;
    TraceBuilder b("write");
    b.add(test::access(Op::write, 0x1000, 4));
    const auto run = test::built(b, machine_);
    const auto cells = cacheCellsOf(*run, {.range = {Tick{0}, Tick{1}}, .level = 0}, progress_);
    EXPECT_EQ(tableAsCsv(wayTable(*cells, run->machine())),
              "level,cache,set,way,requests,hits,misses,evictions,writebacks,distinct_blocks,penalty\n"
              "L1,0,0,,1,0,1,0,0,0,0\n");
}

std::uint64_t columnSum(const Table& table, const std::string& key) {
    std::uint64_t sum = 0;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        if (table.columns[c].key != key) continue;
        for (const auto& row : table.rows) sum += std::get<std::uint64_t>(row[c]);
    }
    return sum;
}

/// Whatever the machine, the columns add up to what the report says above them.
TEST(CellTableSums, AreTheCounts) {
    for (std::uint64_t seed = 0; seed < testRounds(60); ++seed) {
        const test::RandomRun random(seed);
        const MachineConfig& machine = random.run->machine();
        Progress progress;
        const auto measures = measure(*random.run, random.range, progress);
        const auto cells = cellsOf(*random.run, {.range = random.range, .grain = 16}, progress);
        const Table blocks = cellTable("block", *cells, machine, random.run->trace());
        EXPECT_EQ(columnSum(blocks, "reads"), measures->counters.reads);
        EXPECT_EQ(columnSum(blocks, "writes"), measures->counters.writes);
        EXPECT_EQ(columnSum(blocks, "cycles"), measures->cyclesOfAll());
        std::vector<std::shared_ptr<const CacheCellTable>> levels;
        for (std::size_t l = 0; l < machine.levels.size(); ++l) {
            const std::string& name = machine.levels[l].name;
            const CacheCounters counters = measures->counters.level(l);
            EXPECT_EQ(columnSum(blocks, name + "_hits"), counters.hits());
            EXPECT_EQ(columnSum(blocks, name + "_misses"), counters.misses());
            EXPECT_EQ(columnSum(blocks, name + "_fills"), counters.fills);
            levels.push_back(cacheCellsOf(*random.run, {.range = random.range, .level = l}, progress));
            const Table ways = wayTable(*levels.back(), machine);
            EXPECT_EQ(columnSum(ways, "evictions"), counters.evictions);
            const Table sets = setTable({levels.back()}, *measures);
            for (const char* const key : {"requests", "hits", "misses", "evictions", "writebacks", "penalty"}) {
                EXPECT_EQ(columnSum(ways, key), columnSum(sets, key)) << key;
            }
        }
        EXPECT_EQ(columnSum(setTable(levels, *measures), "true_sharing"), [&] {
            std::uint64_t sum = 0;
            for (std::size_t l = 0; l < machine.levels.size(); ++l) {
                sum += measures->ledger->misses(machine, l, MissKind::trueSharing);
            }
            return sum;
        }());
        ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
    }
}

}  // namespace
}  // namespace whorl::sim
