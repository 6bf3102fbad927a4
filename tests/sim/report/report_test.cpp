#include "sim/report/report.h"
#include "sim/replay/measuring.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include "support/json.h"

#include "sim/report/json.h"
#include "sim/trace/trace_help.h"

namespace whorl::sim {
namespace {

MachineConfig paper() {
    return loadMachine("paper").value();
}

Report paperReport() {
    Counters counters(paper());
    counters.reads = 8192;
    counters.writes = 256;
    counters.cache(0, 0) = {
        .reads = 8192, .writes = 256, .readMisses = 1000, .writeMisses = 56, .evictions = 1040, .writebacks = 64};
    counters.cache(1, 0) = {
        .reads = 1056, .writes = 64, .readMisses = 200, .writeMisses = 0, .evictions = 136, .writebacks = 32};
    counters.memory = {.reads = 200, .writes = 32};
    return {.measures = {.machine = paper(), .counters = counters, .cycles = {42240}, .ledger = nullptr}};
}

TEST(Report, JsonHasEveryCountInTheOrderOfTheHeader) {
    const std::string text = jsonText(reportAsJson(paperReport()));
    const test::Json json(text);
    EXPECT_EQ(json.keys(), (std::vector<std::string>{"accesses", "reads", "writes", "cycles", "cycles_per_access",
                                                     "machine", "cpus", "levels", "memory"}));
    EXPECT_EQ(json["accesses"], 8448);
    ASSERT_EQ(json["levels"].size(), 2u);
    EXPECT_EQ(json["levels"][0].dumpInOrder(),
              R"({"name":"L1","sets":2,"ways":8,"block":32,"size":512,"caches":[{"cpus":[0],"accesses":8448,)"
              R"("hits":7392,"misses":1056,"read_misses":1000,"write_misses":56,"evictions":1040,"writebacks":64,)"
              R"("write_throughs":0,"reads":8192,"writes":256,"fills":0,"invalidations":0,"downgrades":0,"upgrades":0,)"
              R"("back_invalidations":0,"paged_out":0,"moves":0,"prefetches":0,"useful_prefetches":0}]})");
    EXPECT_EQ(json["cycles"], 42240);
    EXPECT_EQ(json["cycles_per_access"], 5.0);
    EXPECT_EQ(json["memory"].dumpInOrder(), R"({"reads":200,"writes":32,"read_bytes":6400,"written_bytes":1024})");
    EXPECT_EQ(json["levels"][1]["read_bytes"], 1056 * 32);
    EXPECT_EQ(json["levels"][1]["written_bytes"], 64 * 32);
    EXPECT_NE(text.find("\n  \"accesses\": 8448"), std::string::npos) << text;
}

TEST(Report, TellsWhatWindowsSayOfTheWholeProgram) {
    Report report = paperReport();
    report.windows = WindowEstimate{.windows = 120,
                                    .length = 10'000,
                                    .every = 1'000'000,
                                    .between = 118'800'000,
                                    .levels = {{.missRatio = 0.125, .plusMinus = 0.01, .least = 0.12, .most = 0.13},
                                               {.missRatio = 0.2, .plusMinus = {}, .least = {}, .most = {}}}};
    EXPECT_NE(reportDocument(report).text(20).find(
                  "\nWindows: 120 of 10 000 accesses, one in every 1 000 000\n"
                  "Misses of the whole program, in percent of the requests to the level:\n"
                  "  L1: 12.500 ± 1.000 (95 %); 12.000 to 13.000 by what the caches held where windows begin\n"
                  "  L2: 20.000\n"),
              std::string::npos)
        << reportDocument(report).text(20);
    EXPECT_EQ(reportDocument(report).text(20).find("are short"), std::string::npos);
    const test::Json json(jsonText(reportAsJson(report)));
    EXPECT_EQ(json["windows"].dumpInOrder(),
              R"({"count":120,"accesses":10000,"every":1000000,"between":118800000,"whole_program":[{"level":"L1",)"
              R"("miss_ratio":0.125,"plus_minus":0.01,"least_miss_ratio":0.12,"most_miss_ratio":0.13},{"level":"L2",)"
              R"("miss_ratio":0.2,"plus_minus":null,"least_miss_ratio":null,"most_miss_ratio":null}]})");
    const std::string csv = tableAsCsv(countsTable(report));
    EXPECT_NE(csv.find(",L1,,whole_program_miss_ratio,0.125"), std::string::npos) << csv;
    EXPECT_NE(csv.find(",L1,,whole_program_most_miss_ratio,0.13"), std::string::npos) << csv;
    EXPECT_NE(csv.find(",L2,,whole_program_plus_minus,\n"), std::string::npos) << csv;
    report.windows->levels[0].most = 0.2;
    EXPECT_NE(reportDocument(report).text(20).find("\nThe windows are short for L1: longer ones say more\n"),
              std::string::npos);
}

TEST(Report, ReportsTheElapsedCyclesWhereKnown) {
    Report report = paperReport();
    report.measures.elapsed = 5000;
    EXPECT_NE(reportDocument(report).text(20).find("elapsed: 5 000\n"), std::string::npos);
    EXPECT_NE(tableAsCsv(countsTable(report)).find(",elapsed_cycles,5000\n"), std::string::npos);
    const test::Json json(jsonText(reportAsJson(report)));
    EXPECT_EQ(json["elapsed_cycles"], 5000);
    report.measures.elapsed = 42240;  // all access cycles, of one CPU
    EXPECT_EQ(reportDocument(report).text(20).find("elapsed"), std::string::npos);
}

TEST(Report, TellsMissesPerInstructionWhereTheyAreCounted) {
    Report report = paperReport();
    report.instructions = 16000;
    const std::string text = reportDocument(report).text(20);
    EXPECT_NE(text.find("8 448 accesses: 8 192 reads, 256 writes; 16 000 instructions\n"), std::string::npos) << text;
    EXPECT_NE(text.find("misses/1000 instr.  66.000  12.500\n"), std::string::npos) << text;
    const test::Json json(jsonText(reportAsJson(report)));
    EXPECT_EQ(json["instructions"], 16000);
    EXPECT_EQ(json["levels"][0]["caches"][0]["misses_per_1000_instructions"], 66.0);
    EXPECT_NE(tableAsCsv(countsTable(report)).find(",L2,0,misses_per_1000_instructions,12.5\n"), std::string::npos);
}

TEST(Report, TellsTheUseOfBlocks) {
    Report report = paperReport();
    auto ledger = std::make_shared<Ledger>(paper(), Trace());
    ledger->stays = {{.fills = 1000, .usedBytes = 8000}, {.fills = 0, .usedBytes = 0}};
    report.measures.ledger = ledger;
    report.use = true;
    const std::string text = reportDocument(report).text(20);
    EXPECT_NE(text.find("utilization                25.0 %       -\n"
                        "bytes used                  8 000       0\n"
                        "bytes unused               24 000       0\n"
                        "fills full use would save     750       0\n"),
              std::string::npos)
        << text;
    const test::Json json(jsonText(reportAsJson(report)));
    EXPECT_EQ(json["levels"][0]["caches"][0]["use"].dumpInOrder(),
              R"({"utilization":0.25,"used_bytes":8000,"unused_bytes":24000,"saved_by_full_use":750})");
    EXPECT_NE(tableAsCsv(countsTable(report)).find(",L1,0,saved_by_full_use,750\n"), std::string::npos);
}

TEST(Report, JsonSurvivesANameThatIsNotUtf8) {
    Report report = paperReport();
    report.measures.machine.levels[0].name = "L\xff";
    EXPECT_NE(jsonText(reportAsJson(report)).find("\"accesses\""), std::string::npos);
    EXPECT_EQ(jsonLine(reportAsJson(report)).find('\n'), std::string::npos);
}

TEST(Report, TableReads) {
    EXPECT_EQ(reportDocument(paperReport()).text(20),
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
              "L2: 1 056 blocks read, 33 792 bytes; 64 writes, 2 048 bytes\n"
              "memory: 200 blocks read, 6 400 bytes; 32 writes, 1 024 bytes\n"
              "cycles: 42 240, 5.00 an access\n");
}

TEST(Report, TableStaysWithinEightyColumns) {
    MachineConfig machine{.name = "deep", .levels = {}};
    for (int i = 1; i <= 8; ++i) {
        machine.levels.push_back({.name = fmt::format("L{}", i), .size = 32768, .ways = 8, .block = 64});
    }
    Counters counters(machine);
    for (std::size_t l = 0; l < 8; ++l) counters.cache(l, 0).reads = 123'456'789'012;
    const std::string table =
        reportDocument({.measures = {.machine = machine, .counters = counters, .cycles = {0}}}).text(20);
    std::istringstream lines(table);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
    EXPECT_NE(table.find("L8"), std::string::npos);
    EXPECT_NE(table.find("123 456 789 012"), std::string::npos);
}

TEST(Report, NoAccessesNoRate) {
    const std::string table =
        reportDocument({.measures = {.machine = paper(), .counters = Counters(paper()), .cycles = {0}}}).text(20);
    EXPECT_EQ(table.find('%'), std::string::npos) << table;
    EXPECT_EQ(table.find("an access"), std::string::npos) << table;
}

/// Two CPUs with private caches that write the same words in turn.
Report twoCpus(bool kinds) {
    TraceBuilder builder("turns");
    for (int i = 0; i < 10; ++i) builder.add(test::access(Op::write, 0x1000, 4, static_cast<std::uint8_t>(i % 2)));
    const auto trace = test::shared(builder);
    MachineConfig machine = parseGeometry("1K/2/32, 8K/4/32").value();
    machine = withValue(machine, "tlb.entries=4").value();
    Progress progress;
    return {.measures = measure(trace, machine, {Tick{0}, Tick{10}}, kinds, progress).value(), .kinds = kinds};
}

TEST(Report, ListsEachCacheWhereThereAreSeveral) {
    const test::Json json(jsonText(reportAsJson(twoCpus(true))));
    const test::Json caches = json["levels"][0]["caches"];
    ASSERT_EQ(caches.size(), 2u);
    EXPECT_EQ(caches[0]["cpus"].dump(), "[0]");
    EXPECT_EQ(caches[1]["cpus"].dump(), "[1]");
    EXPECT_EQ(caches[0]["invalidations"], 5);
    EXPECT_EQ(caches[1]["invalidations"], 4);
    EXPECT_EQ(caches[0]["kinds"]["compulsory"], 1);
    EXPECT_EQ(caches[0]["kinds"]["true_sharing"], 4);
    EXPECT_EQ(json["levels"][1]["caches"][0]["cpus"].dump(), "[0,1]");
    EXPECT_EQ(json["tlb"]["misses"], 2);
    const std::string text = reportDocument(twoCpus(true)).text(20);
    for (const char* words :
         {"\ninvalidations ", "\ntrue sharing ", "cache  of CPU", "\nTLB: 2 misses\n", "  CPU 1: "}) {
        EXPECT_NE(text.find(words), std::string::npos) << words << " is not in\n" << text;
    }
    EXPECT_EQ(text.find("prefetches"), std::string::npos) << text;
}

/// Two CPUs that walk over three pages, of which memory holds two.
Report pages() {
    TraceBuilder builder("pages");
    for (std::uint64_t i = 0; i < 4; ++i) {
        builder.add(test::access(Op::write, 0x1000 * (i % 3), 4, static_cast<std::uint8_t>(i % 2)));
    }
    const auto trace = test::shared(builder);
    MachineConfig machine = parseGeometry("1K/2/32, 8K/4/32").value();
    machine = withCpus(withValue(machine, "memory.size=8K").value(), 2);
    Progress progress;
    return {.measures = measure(trace, machine, {Tick{0}, Tick{4}}, false, progress).value(), .kinds = false};
}

TEST(Report, TellsPageFaults) {
    const test::Json json(jsonText(reportAsJson(pages())));
    EXPECT_EQ(json["pages"].dump(),
              R"({"cpus":[{"faults":2,"writebacks":1},{"faults":2,"writebacks":1}],"faults":4,"writebacks":2})");
    EXPECT_EQ(json["levels"][0]["caches"][0]["paged_out"], 1);
    const std::string text = reportDocument(pages()).text(20);
    EXPECT_NE(text.find("\npages: 4 faults, 2 written back\n"), std::string::npos) << text;
    EXPECT_NE(text.find("\nleft with their page "), std::string::npos) << text;
    const std::string csv = tableAsCsv(countsTable(pages()));
    for (const char* row : {",pages,0,faults,2\n", ",pages,1,writebacks,1\n", ",L2,0,paged_out,2\n"}) {
        EXPECT_NE(csv.find(row), std::string::npos) << row << " is not in\n" << csv;
    }
    EXPECT_EQ(reportDocument(twoCpus(false)).text(20).find("page"), std::string::npos)
        << "not where memory is not bounded";
}

TEST(Report, KindsAreReportedOnlyWhenRequested) {
    EXPECT_EQ(reportDocument(twoCpus(false)).text(20).find("compulsory"), std::string::npos);
    EXPECT_EQ(jsonText(reportAsJson(twoCpus(false))).find("compulsory"), std::string::npos);
}

TEST(Report, CountsInLongForm) {
    const std::string csv = tableAsCsv(countsTable(twoCpus(true)));
    EXPECT_TRUE(csv.starts_with("machine,level,cache,counter,value\n")) << csv;
    for (const char* row : {",,,accesses,10\n", ",L1,1,writes,5\n", ",L1,0,true_sharing,4\n", ",TLB,1,misses,1\n",
                            ",memory,,reads,1\n", ",CPU,0,cycles,"}) {
        EXPECT_NE(csv.find(row), std::string::npos) << row << " is not in\n" << csv;
    }
}

TEST(Report, SheetsComeAfterTheCounts) {
    Report report = paperReport();
    report.tables.push_back({.name = "by_region",
                             .title = "By region",
                             .columns = {{"region", "region"}, {"n", "n"}},
                             .rows = {{"A", std::uint64_t{2}}, {"B", Cell{}}}});
    EXPECT_TRUE(reportDocument(report).text(1).ends_with("\nBy region\n\nregion  n\nA       2\n… and 1 more\n"));
    const test::Json json(jsonText(reportAsJson(report)));
    EXPECT_EQ(json["tables"]["by_region"].dumpInOrder(), R"([{"region":"A","n":2},{"region":"B","n":null}])");
}

}  // namespace
}  // namespace whorl::sim
