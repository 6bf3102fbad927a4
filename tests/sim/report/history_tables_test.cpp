// Tables of words and classes, of a trace small enough to be counted by hand, and their consistency with those of the
// ledger.
#include "sim/report/history_tables.h"
#include "sim/replay/measuring.h"

#include <map>

#include "sim/analysis/cell_table.h"
#include "sim/analysis/history_help.h"
#include "sim/analysis/history_of.h"
#include "sim/trace/trace_help.h"
#include "support/machines.h"
#include "support/rounds.h"

namespace whorl::sim {
namespace {

std::shared_ptr<const Trace> sixReads() {
    TraceBuilder b("hand");
    Region a = test::region("A", 0x1000, 64);
    a.elementSize = 4;
    a.rows = 16;
    b.addRegion(a);
    b.newObject(test::object("node", 0x2002, 32));
    for (const std::uint64_t address : {0x1000, 0x1004, 0x1000, 0x2002, 0x2004, 0x3000}) {
        b.add(test::access(Op::read, address, 2));
    }
    return test::shared(b);
}

TEST(HistoryTables, ByWord) {
    Progress progress;
    const auto trace = sixReads();
    const auto run = *builtRun(trace, test::simplyTimed("1K/2/32"), progress);
    const auto history = historyOf(*run, {Tick{0}, Tick{6}}, progress);
    EXPECT_EQ(tableAsCsv(wordTable(*history, *trace)),
              "word,place,accesses,cycles,cycles_per_access\n0x1000,A[0],2,102,51\n0x2000,node,1,101,101\n"
              "0x3000,0x3000,1,101,101\n0x1004,A[1],1,1,1\n0x2004,node+0x2,1,1,1\n");
}

TEST(HistoryTables, ByClass) {
    Progress progress;
    const auto trace = sixReads();
    const auto run = *builtRun(trace, test::simplyTimed("1K/2/32"), progress);
    const auto history = historyOf(*run, {Tick{0}, Tick{6}}, progress);
    EXPECT_EQ(tableAsCsv(classTable(*history)),
              "class,instances,words,accesses,cycles,cycles_per_access,cycles_per_instance,cycles_per_word\n"
              "A,1,2,3,103,34.333333333333336,103,51.5\nNode,1,2,2,102,51,102,51\n(no class),0,1,1,101,101,,101\n");
}

TEST(HistoryTables, ByField) {
    const auto pair = std::make_shared<const ElementType>(
        ElementType{.name = "Pair", .size = 16, .fields = {{"key", 0, 8}, {"value", 8, 4}}});
    TraceBuilder b("hand");
    Region pairs = test::region("pairs", 0x1000, 64);
    pairs.elementSize = 16;
    pairs.rows = 4;
    pairs.type = pair;
    b.addRegion(pairs);
    Object alone = test::object("alone", 0x2000, 16);
    alone.type = pair;
    b.newObject(alone);
    // Two keys, one of them in two words; two values; what lies between elements; and what is no structure.
    for (const std::uint64_t address : {0x1000, 0x1014, 0x1008, 0x1008, 0x2008, 0x100c, 0x3000}) {
        b.add(test::access(Op::read, address, 4));
    }
    const auto trace = test::shared(b);
    Progress progress;
    const auto run = *builtRun(trace, test::simplyTimed("1K/2/32"), progress);
    const auto history = historyOf(*run, {Tick{0}, Tick{7}}, progress);
    EXPECT_EQ(tableAsCsv(fieldTable(*history, *trace)),
              "field,words,accesses,cycles,cycles_per_access\nPair.value,2,3,103,34.333333333333336\n"
              "Pair.key,2,2,102,51\n(no field),1,1,101,101\n\"Pair, padding\",1,1,1,1\n");
}

TEST(BuiltRun, SaysWhenTheMachineIsUnsuitable) {
    MachineConfig groups = test::simplyTimed("1K/2/32");
    groups.cpus = 3;
    groups.levels[0].sharedBy = 3;
    Progress progress;
    TraceBuilder b("many");
    b.add(test::access(Op::read, 0, 4, 63));
    const auto run = builtRun(test::shared(b), groups, progress);
    ASSERT_FALSE(run.has_value());
    EXPECT_EQ(run.error().sentence(), "many: it names more CPUs than the machine can have");
}

/// The cycles of the blocks of all levels are those of the tables of cells.
TEST(HistoryTables, BlocksOfEveryLevelAreThoseOfTheCells) {
    for (std::uint64_t seed = 0; seed < testRounds(60); ++seed) {
        const test::RandomRun random(seed);
        Progress progress;
        const auto history = random.history();
        for (const HistoryLevel& level : history->levels) {
            const auto cells = cellsOf(*random.run, {.range = random.range, .grain = level.blockSize}, progress);
            using Sum = std::pair<std::uint64_t, std::uint64_t>;
            std::map<std::uint64_t, Sum> sums;
            for (std::size_t i = 0; i < cells->size(); ++i) {
                const CellSums of = cells->sums(i);
                if (of.accesses != 0 || of.cycles != 0) sums[cells->address(i).value] = {of.accesses, of.cycles};
            }
            std::map<std::uint64_t, Sum> blocks;
            for (const HistoryBlock& b : level.blocks) {
                if (b.accesses != 0 || b.cost != 0) blocks[b.block.value * level.blockSize] = {b.accesses, b.cost};
            }
            ASSERT_EQ(blocks, sums) << "seed " << seed;
        }
    }
}

/// The elapsed cycles shown in views are those measured.
TEST(HistoryTables, EndsWhenTheFiguresSay) {
    for (std::uint64_t seed = 0; seed < testRounds(60); seed += 2) {
        const test::RandomRun random(seed);
        Progress progress;
        const auto figures = measure(random.run->sharedTrace(), random.run->machine(), random.range, false, progress);
        EXPECT_EQ(random.history()->end, figures->elapsed) << "seed " << seed;
    }
}

}  // namespace
}  // namespace whorl::sim
