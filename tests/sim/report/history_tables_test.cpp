// Tables of words and classes, of a trace small enough to be counted by hand, and their consistency with those of the
// ledger.
#include "sim/report/history_tables.h"

#include <fmt/format.h>

#include <map>

#include "rounds.h"
#include "sim/analysis/history_help.h"
#include "sim/analysis/history_of.h"
#include "sim/report/tables.h"
#include "sim/trace/trace_help.h"

namespace whorl::sim {
namespace {

std::shared_ptr<const Trace> example() {
    TraceBuilder b("hand");
    Region a = test::region("A", 0x1000, 64);
    a.elementSize = 4;
    a.rows = 16;
    b.addRegion(a);
    b.newObject(test::object("node", 0x2002, 32));
    for (const std::uint64_t address : {0x1000, 0x1004, 0x1000, 0x2002, 0x2004, 0x3000}) {
        b.add(test::access(Op::read, address, 2));
    }
    return std::make_shared<const Trace>(b.finish());
}

MachineConfig machine() {
    MachineConfig machine = parseGeometry("1K/2/32").value();
    machine.levels[0].latency = 1;
    machine.memoryLatency = 100;
    return machine;
}

TEST(HistoryTables, ByWord) {
    Progress progress;
    const auto trace = example();
    const auto history = historyFor(trace, machine(), {Tick{0}, Tick{6}}, progress);
    EXPECT_EQ(tableAsCsv(wordTable(**history, *trace)),
              "word,place,accesses,cycles,cycles_per_access\n0x1000,A[0],2,102,51\n0x2000,node,1,101,101\n"
              "0x3000,0x3000,1,101,101\n0x1004,A[1],1,1,1\n0x2004,node+0x2,1,1,1\n");
}

TEST(HistoryTables, ByClass) {
    Progress progress;
    const auto trace = example();
    const auto history = historyFor(trace, machine(), {Tick{0}, Tick{6}}, progress);
    EXPECT_EQ(tableAsCsv(classTable(**history)),
              "class,instances,words,accesses,cycles,cycles_per_access\nA,1,2,3,103,34.333333333333336\n"
              "Node,1,2,2,102,51\n(no class),0,1,1,101,101\n");
}

TEST(HistoryTables, SayWhenTheMachineIsUnsuitable) {
    MachineConfig groups = machine();
    groups.cpus = 3;
    groups.levels[0].sharedBy = 3;
    Progress progress;
    TraceBuilder b("many");
    b.add(test::access(Op::read, 0, 4, 63));
    const auto history = historyFor(std::make_shared<const Trace>(b.finish()), groups, {Tick{0}, Tick{1}}, progress);
    ASSERT_FALSE(history.has_value());
    EXPECT_EQ(history.error().sentence(), "many: it names more CPUs than the machine can have");
}

/// The cycles of the blocks of all levels are those of the tables.
TEST(HistoryTables, BlocksOfEveryLevelAreThoseOfTheTables) {
    for (std::uint64_t seed = 0; seed < testRounds(60); ++seed) {
        const test::RandomRun random(seed);
        const auto& trace = random.run->sharedTrace();
        Progress progress;
        const auto figures = measure(trace, random.run->machine(), random.range, true, progress);
        const auto history = random.history();
        for (std::size_t l = 0; l < history->levels.size(); ++l) {
            const Table table = blockTable(l, *figures, *trace);
            std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> rows;
            for (const auto& row : table.rows) {
                const auto sum = std::pair(std::get<std::uint64_t>(row[2]), std::get<std::uint64_t>(row[3]));
                if (sum != std::pair<std::uint64_t, std::uint64_t>()) rows[std::get<std::string>(row[0])] = sum;
            }
            std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> blocks;
            for (const HistoryBlock& b : history->levels[l].blocks) {
                if (b.accesses == 0 && b.cost == 0) continue;
                blocks[fmt::format("{:#x}", b.block.value * history->levels[l].blockSize)] = {b.accesses, b.cost};
            }
            ASSERT_EQ(blocks, rows) << "seed " << seed;
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
