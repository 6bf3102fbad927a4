// What is reported of a recording: by hand, and its sums against those of the recorded history, which the views show.
#include "sim/report/recorded_report.h"

#include "sim/analysis/history_help.h"
#include "sim/report/chiron_writer.h"
#include "sim/report/history_tables.h"
#include "sim/report/json.h"
#include "sim/trace/reader.h"
#include "sim/trace/trace_help.h"

namespace whorl::sim {
namespace {

constexpr std::string_view kTwoCpus = R"(i 16
i 32
i 2
i 1
c Counter 400 40 0
w 400 0 1000001
m 400 0 1 1000001
m 400 0 2 1000001
h 400 0 2 1000001 10
h 400 0 1 1000001 12
W 400 0 1000001 40
r 404 1 1000002
m 404 1 1 1000002
e 404 0 1 1000002 50
h 404 1 1 1000002 51
R 404 1 1000002 20
r 500 1 1000003
m 500 1 1 1000003
b 500 1 1 1000003 80 404
g 500 1 1 1000003 80
g 500 0 2 1000003 81
R 500 1 1000003 57
r 500 1 1000003
w 500 1 1000004
p 500 1 1 1000004 140
W 500 1 1000004 3
)";

RecordedCounts countsOf(const Trace& trace) {
    return recordedCounts(trace, *historyOf(trace));
}

TEST(RecordedReport, CountsWhatTheFileSays) {
    const Trace trace = test::parsed(kTwoCpus);
    const RecordedCounts counts = countsOf(trace);
    ASSERT_EQ(counts.levels.size(), 2u);
    EXPECT_EQ(counts.levels[0].caches[0],
              (RecordedCache{.loads = 1, .exclusiveLoads = 1, .invalidations = 1, .dirtyInvalidations = 1}));
    EXPECT_EQ(counts.levels[0].caches[1],
              (RecordedCache{.loads = 2, .exclusiveLoads = 1, .replacements = 1, .upgrades = 1}));
    EXPECT_EQ(counts.levels[1].caches[0], (RecordedCache{.loads = 2, .exclusiveLoads = 1}));
    EXPECT_EQ(counts.cpus[0], (RecordedCpu{.writes = 1, .waits = 1, .cycles = 40}));
    EXPECT_EQ(counts.cpus[1], (RecordedCpu{.reads = 3, .writes = 1, .waits = 3, .cycles = 80}));
    EXPECT_EQ(counts.elapsed, 130u);
}

TEST(RecordedReport, OfARangeCountsWhatItsAccessesDid) {
    const Trace trace = test::parsed(kTwoCpus);
    const RecordedCounts counts = recordedCounts(trace, *historyOf(trace, {Tick{1}, Tick{3}}));
    EXPECT_EQ(counts.levels[0].caches[1], (RecordedCache{.loads = 2, .exclusiveLoads = 1, .replacements = 1}));
    EXPECT_EQ(counts.ofAllCpus(), (RecordedCpu{.reads = 2, .waits = 2, .cycles = 77}));
}

TEST(RecordedReport, TablesHaveCostsAndLoads) {
    const Trace trace = test::parsed(kTwoCpus);
    const auto history = historyOf(trace);
    const RecordedCounts counts = recordedCounts(trace, *history);
    EXPECT_EQ(tableAsCsv(recordedTable(Grouping::line, counts, *history, trace)),
              "line,accesses,cycles,cycles_per_access,L1_loads,L2_loads\nfile 1:3,2,57,28.5,1,1\nfile 1:1,1,40,40,1,1\n"
              "file 1:2,1,20,20,1,0\nfile 1:4,1,3,3,0,0\n");
    EXPECT_EQ(tableAsCsv(recordedTable(Grouping::object, counts, *history, trace)),
              "object,accesses,cycles,cycles_per_access,L1_loads,L2_loads\n"
              "Counter,2,60,30,2,1\n(no object),3,60,20,1,1\n");
    EXPECT_EQ(tableAsCsv(recordedBlocks(0, *history, trace)),
              "block,region,accesses,cycles,cycles_per_access,loads,replacements,invalidations\n"
              "0x100,Counter,2,60,30,2,1,1\n0x140,memory,3,60,20,1,0,0\n");
    EXPECT_EQ(tableAsCsv(conflictTable(Grouping::object, *history, trace)),
              "level,first,second,evictions,by_first,by_second\nL1,(no object),Counter,1,1,0\n");
}

/// A column of counts of a table, summed up.
std::uint64_t sumOf(const Table& table, const std::string& key) {
    std::uint64_t sum = 0;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        if (table.columns[c].key != key) continue;
        for (const auto& row : table.rows) sum += std::get<std::uint64_t>(row[c]);
    }
    return sum;
}

/// A program as Chiron's trace, read back: with its recording.
Trace recordedTrace(const std::string& words) {
    Progress progress;
    const auto spec = parseProgramSpec(words);
    const Trace trace = *runProgram(*spec, progress);
    const std::string path = testing::TempDir() + "/recorded_report.chiron";
    if (!writeChiron(trace, *loadMachine(spec->program->machine), path, progress)) throw std::runtime_error(path);
    return *readTrace(path, {}, progress);
}

TEST(RecordedReport, SumsAreThoseOfTheRecordedHistory) {
    for (const std::string words : {"vecadd:chunk=1", "vecadd:chunk=4,spin=ttas", "nbody:bodies=16,steps=2"}) {
        SCOPED_TRACE(words);
        const Trace trace = recordedTrace(words);
        for (const Range range : {test::wholeOf(trace), Range{Tick{100}, Tick{500}}}) {
            const auto history = historyOf(trace, range);
            const RecordedCounts counts = recordedCounts(trace, *history);
            const RecordedCpu all = counts.ofAllCpus();
            EXPECT_EQ(all.cycles, history->cycles());
            EXPECT_EQ(all.accesses(), range.size());
            EXPECT_EQ(counts.elapsed, history->end - history->begin);
            for (const Grouping by :
                 {Grouping::region, Grouping::object, Grouping::line, Grouping::cpu, Grouping::function}) {
                const Table table = recordedTable(by, counts, *history, trace);
                EXPECT_EQ(sumOf(table, "accesses"), all.accesses()) << table.title;
                EXPECT_EQ(sumOf(table, "cycles"), all.cycles) << table.title;
                for (const RecordedLevel& level : counts.levels) {
                    EXPECT_EQ(sumOf(table, level.name + "_loads"), level.ofAll().loads) << table.title;
                }
            }
            for (const Table& table : {wordTable(*history, trace), classTable(*history), fieldTable(*history, trace)}) {
                EXPECT_EQ(sumOf(table, "cycles"), all.cycles) << table.title;
            }
            for (std::size_t l = 0; l < counts.levels.size(); ++l) {
                const RecordedCache sum = counts.levels[l].ofAll();
                const Table blocks = recordedBlocks(l, *history, trace);
                EXPECT_EQ(sumOf(blocks, "cycles"), all.cycles);
                EXPECT_EQ(sumOf(blocks, "loads"), sum.loads);
                EXPECT_EQ(sumOf(blocks, "replacements"), sum.replacements);
                EXPECT_EQ(sumOf(blocks, "invalidations"), sum.invalidations);
            }
        }
    }
}

/// What Whorl records of its own machine is what it counts when it simulates that.
TEST(RecordedReport, OfWhatWhorlWritesIsWhatItSimulates) {
    const Trace trace = recordedTrace("vecadd:chunk=1");
    const RecordedCounts counts = countsOf(trace);
    const auto run = test::built(trace, *parseMachineJson(trace.machine(), "its machine"));
    const Measures& measures = *run->measures();
    EXPECT_EQ(counts.ofAllCpus().cycles, measures.cyclesOfAll());
    for (std::size_t l = 0; l < 2; ++l) {
        for (std::size_t i = 0; i < counts.levels[l].caches.size(); ++i) {
            const CacheCounters& simulated = measures.counters.cache(l, i);
            EXPECT_EQ(counts.levels[l].caches[i].loads, simulated.fills);
            EXPECT_EQ(counts.levels[l].caches[i].replacements, simulated.evictions);
            EXPECT_EQ(counts.levels[l].caches[i].invalidations, simulated.invalidations + simulated.backInvalidations);
        }
    }
}

TEST(RecordedReport, TextCsvAndJsonHaveTheSameCounts) {
    const Trace trace = test::parsed(kTwoCpus);
    const RecordedReport report{.counts = countsOf(trace), .tables = {}};
    const std::string text = recordedDocument(report).text(20);
    EXPECT_NE(text.find("as recorded: 5 accesses: 3 reads, 2 writes\n"), std::string::npos) << text;
    EXPECT_NE(text.find("L1          2     16      3          2         1      0            1      1         1\n"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("cycles: 120, 24.00 an access; 4 waited\n  CPU 0: 40\n  CPU 1: 80\nelapsed: 130\n"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("not hits, kinds of misses"), std::string::npos);
    const std::string csv = tableAsCsv(recordedDocument(report).csv());
    EXPECT_NE(csv.find("as recorded,L1,1,loads,2\n"), std::string::npos) << csv;
    const std::string json = jsonText(recordedDocument(report).json());
    EXPECT_NE(json.find("\"loads\": 2,\n          \"exclusive_loads\": 1,"), std::string::npos) << json;
    EXPECT_NE(json.find("\"elapsed_cycles\": 130"), std::string::npos) << json;
}

}  // namespace
}  // namespace whorl::sim
