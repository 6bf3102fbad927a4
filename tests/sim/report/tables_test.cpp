// Tables of a trace small enough to be counted by hand.
#include "sim/report/tables.h"

#include <gtest/gtest.h>

#include "sim/analysis/history_of.h"
#include "sim/replay/measuring.h"
#include "sim/trace/trace_help.h"

namespace whorl::sim {
namespace {

/// Two regions that evict each other from a direct-mapped L1 of two blocks of 32 bytes, before an L2 that holds all.
class Tables : public testing::Test {
  protected:
    Tables() {
        TraceBuilder b("hand");
        b.addRegion(test::region("A", 0x1000, 64));
        b.addRegion(test::region("B", 0x2000, 64));
        b.newObject(test::object("node", 0x2000, 32));
        const auto add = [&](std::uint64_t address, Op op, std::uint32_t line, std::uint8_t cpu = 0) {
            b.add(test::access(op, address, 4, cpu, b.site("mm.c", line)));
        };
        add(0x1000, Op::read, 5);   // compulsory in both
        add(0x1004, Op::write, 6);  // hit
        add(0x2000, Op::read, 7);   // compulsory in both; evicts A, which is written back
        add(0x1000, Op::read, 5);   // conflict in L1; evicts B
        add(0x1020, Op::read, 6);   // compulsory in both
        b.add(test::access(Op::read, 0x1020, 4, 0, b.siteAt(ByteAddress{0x400})));  // hit
        trace_ = test::shared(b);
        MachineConfig machine = parseGeometry("64/1/32, 512/4/32").value();
        machine.levels[0].latency = 1;
        machine.levels[1].latency = 10;
        machine.memoryLatency = 100;
        Progress progress;
        figures_ = measure(trace_, machine, {Tick{0}, Tick{6}}, true, progress).value();
    }
    std::string by(Grouping grouping) const { return tableAsCsv(tableBy(grouping, *figures_, *trace_)); }

    static std::string heading(const std::string& what) {
        return what +
               ",accesses,cycles,cycles_per_access,L1_misses,L1_compulsory,L1_capacity,L1_conflict,L1_true_sharing,"
               "L1_false_sharing,L1_fills,L1_used_bytes,L1_used_percent,L2_misses,L2_compulsory,L2_capacity,"
               "L2_conflict,L2_true_sharing,L2_false_sharing,L2_fills,L2_used_bytes,L2_used_percent\n";
    }

    std::shared_ptr<const Trace> trace_;
    std::optional<Measures> figures_;
};

TEST_F(Tables, ByRegion) {
    EXPECT_EQ(by(Grouping::region), heading("region") +
                                        "A,5,235,47,3,2,0,1,0,0,3,16,16.666666666666664,2,2,0,0,0,0,2,12,18.75\n" +
                                        "B,1,111,111,1,1,0,0,0,0,1,4,12.5,1,1,0,0,0,0,1,4,12.5\n");
}

TEST_F(Tables, ByObject) {
    EXPECT_EQ(by(Grouping::object),
              heading("object") + "(no object),5,235,47,3,2,0,1,0,0,3,16,16.666666666666664,2,2,0,0,0,0,2,12,18.75\n" +
                  "node,1,111,111,1,1,0,0,0,0,1,4,12.5,1,1,0,0,0,0,1,4,12.5\n");
}

TEST_F(Tables, ByLine) {
    EXPECT_EQ(by(Grouping::line), heading("line") + "mm.c:5,2,122,61,2,1,0,1,0,0,2,12,18.75,1,1,0,0,0,0,1,8,25\n" +
                                      "mm.c:6,2,112,56,1,1,0,0,0,0,1,4,12.5,1,1,0,0,0,0,1,4,12.5\n" +
                                      "mm.c:7,1,111,111,1,1,0,0,0,0,1,4,12.5,1,1,0,0,0,0,1,4,12.5\n" +
                                      "0x400,1,1,1,0,0,0,0,0,0,0,0,,0,0,0,0,0,0,0,0,\n");
}

TEST_F(Tables, ByCpu) {
    EXPECT_EQ(
        by(Grouping::cpu),
        heading("cpu") + "0,6,346,57.666666666666664,4,3,0,1,0,0,4,20,15.625,3,3,0,0,0,0,3,16,16.666666666666664\n");
}

TEST_F(Tables, ByFunction) {
    const std::string all = "6,346,57.666666666666664,4,3,0,1,0,0,4,20,15.625,3,3,0,0,0,0,3,16,16.666666666666664\n";
    EXPECT_EQ(by(Grouping::function), heading("function") + "(not known)," + all);
    TraceBuilder b("named");
    for (std::uint32_t line = 1; line < 5; ++line) {
        const SiteId site = b.siteAt(ByteAddress{0x400 + line});
        b.locate(site, "mm.c", line, line < 3 ? "multiply" : line < 4 ? "main" : "");
        b.add(test::access(Op::read, 0x1000, 4, 0, site));
    }
    const auto trace = test::shared(b);
    Progress progress;
    const Measures measures = measure(trace, figures_->machine, {Tick{0}, Tick{4}}, true, progress).value();
    const Table table = tableBy(Grouping::function, measures, *trace);
    ASSERT_EQ(table.rows.size(), 3u);
    EXPECT_EQ(std::get<std::string>(table.rows[0][0]), "multiply");
    EXPECT_EQ(std::get<std::uint64_t>(table.rows[0][1]), 2u);
    EXPECT_EQ(std::get<std::string>(table.rows[1][0]), "main");
    EXPECT_EQ(std::get<std::string>(table.rows[2][0]), "(not known)");
}

TEST_F(Tables, ForPeopleTheyShowTheUseOfBlocksIfAsked) {
    EXPECT_EQ(tableAsText(tableBy(Grouping::region, *figures_, *trace_), 9).find("used"), std::string::npos);
    EXPECT_EQ(tableAsText(tableBy(Grouping::region, *figures_, *trace_, true), 9),
              "By region\n\n"
              "region  accesses  cycles  an access  L1 misses  L1 used %  L2 misses  L2 used %\n"
              "A              5     235         47          3      16.67          2      18.75\n"
              "B              1     111        111          1       12.5          1       12.5\n");
}

TEST_F(Tables, ConflictsListAPairOnce) {
    Progress progress;
    const auto run = builtRun(trace_, figures_->machine, progress).value();
    EXPECT_EQ(tableAsCsv(conflictTable(*figures_, *trace_)),
              "level,first,second,evictions,by_first,by_second\nL1,A,B,2,1,1\n");
    EXPECT_EQ(tableAsCsv(conflictTable(Grouping::object, *historyOf(*run, {Tick{0}, Tick{6}}, progress), *trace_)),
              "level,first,second,evictions,by_first,by_second\nL1,node,(no object),2,1,1\n");
}

TEST(Conflicts, ARegionThatEvictsItselfHasNoOther) {
    TraceBuilder b("self");
    b.addRegion(test::region("A", 0x1000, 256));
    for (const std::uint64_t address : {0x1000, 0x1080, 0x1000}) b.add(test::access(Op::read, address, 4));
    const auto trace = test::shared(b);
    Progress progress;
    const auto figures = measure(trace, parseGeometry("128/1/32").value(), {Tick{0}, Tick{3}}, true, progress);
    EXPECT_EQ(tableAsCsv(conflictTable(*figures, *trace)),
              "level,first,second,evictions,by_first,by_second\nL1,A,A,2,2,\n");
}

TEST(Grouping, GoesByItsName) {
    EXPECT_EQ(groupingNamed("region"), Grouping::region);
    EXPECT_EQ(groupingNamed("cpu"), Grouping::cpu);
    EXPECT_EQ(groupingNamed("source"), Grouping::line);
    EXPECT_EQ(groupingNamed("function"), Grouping::function);
    EXPECT_EQ(groupingNamed("CPU"), std::nullopt);
}

}  // namespace
}  // namespace whorl::sim
