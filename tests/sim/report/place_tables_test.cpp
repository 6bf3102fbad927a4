// The history of a place as text, CSV and JSON.
#include "sim/report/place_tables.h"

#include <gtest/gtest.h>

#include "support/json.h"

#include "sim/analysis/history_help.h"
#include "sim/report/json.h"
#include "sim/trace/trace_help.h"

namespace whorl::sim {
namespace {

/// Two arrays in the same set of a direct-mapped L1 before a large L2.
class PlaceTables : public testing::Test {
  protected:
    PlaceTables() {
        TraceBuilder b("hand");
        Region a = test::region("A", 0x1000, 64);
        a.elementSize = 4;
        a.rows = 16;
        b.addRegion(a);
        b.addRegion(test::region("B", 0x2000, 64));
        const SiteId one = b.site("p.c", 1);
        b.add(test::access(Op::read, 0x1000, 4, 0, one));
        b.add(test::access(Op::write, 0x1004, 4, 0, one));
        b.add(test::access(Op::read, 0x2000, 4));
        b.add(test::access(Op::read, 0x1002, 4, 0, one));
        machine_ = parseGeometry("64/1/32, 1K/2/32").value();
        machine_.levels[0].latency = 1;
        machine_.levels[1].latency = 10;
        machine_.memoryLatency = 100;
        run_ = test::built(b, machine_);
    }
    PlaceHistory of(const std::string& words) {
        Progress progress;
        return *placeHistoryOf(*run_, *placeNamed(words, run_->trace(), machine_), {Tick{0}, Tick{4}}, progress);
    }
    Document documentOf(const std::string& words) {
        return placeDocument(std::make_shared<const PlaceHistory>(of(words)), run_);
    }
    std::string text(const std::string& words, std::size_t top = 9) { return documentOf(words).text(top); }

    MachineConfig machine_;
    std::shared_ptr<const sim::Run> run_;
};

TEST_F(PlaceTables, OfMemory) {
    EXPECT_EQ(text("A[1]"),
              "A[1]: 2 accesses\n\n"
              "tick  line   address  place  R/W  size  served by  penalty\n"
              "   1  p.c:1  0x1004   A[1]   W       4  L1               0\n"
              "   3  p.c:1  0x1002   A[1]   R       4  L2              10\n"
              "\nBy name\n\n"
              "name  first  last  accesses  writes  L1  L2  memory  penalty\n"
              "A         1     3         2       1   1   1       0       10\n"
              "\nBy line\n\n"
              "line   first  last  accesses  writes  L1  L2  memory  penalty\n"
              "p.c:1      1     3         2       1   1   1       0       10\n");
    EXPECT_EQ(text("0x5000"), "0x5000: 0 accesses\n");
    EXPECT_TRUE(text("0x2000").starts_with("B+0x0: 1 access\n"));
    EXPECT_NE(text("A", 1).find("… and 2 more"), std::string::npos);
}

TEST_F(PlaceTables, OfACellOfACache) {
    const std::string words = text("L2:0:0");
    EXPECT_NE(words.find("L2:0:0: 3 requests\n\n"
                         "tick  line         address  place  R/W  size  result  served by  penalty\n"
                         "   0  p.c:1        0x1000   A[0]   R       4  miss    memory         110\n"
                         "   2  (not known)  0x2000   A[0]   W       4  hit     L2               0\n"
                         "   3  p.c:1        0x1002   A[0]   R       4  hit     L2              10\n"),
              std::string::npos)
        << words;
    EXPECT_NE(words.find("Blocks that lived there\n\nblock   place  in  out\n0x1000  A[0]    0    -\n"),
              std::string::npos)
        << words;
}

TEST_F(PlaceTables, AsCsvAndJson) {
    EXPECT_EQ(tableAsCsv(placeAccessTable(of("A[1]"), run_->trace(), machine_)),
              "tick,cpu,line,address,place,op,size,served_by,penalty\n"
              "1,0,p.c:1,0x1004,A[1],W,4,L1,0\n"
              "3,0,p.c:1,0x1002,A[1],R,4,L2,10\n");
    const test::Json json(jsonText(documentOf("L2:0:0").json()));
    EXPECT_EQ(json["place"], "L2:0:0");
    EXPECT_EQ(json["to"], 4);
    EXPECT_EQ(json["left_out"], 0);
    EXPECT_EQ(json["accesses"].size(), 3u);
    EXPECT_EQ(json["accesses"][1]["demand"], nullptr);
    EXPECT_EQ(json["accesses"][2]["demand"], "yes");
    EXPECT_EQ(json["accesses"][2]["block"], "0x1000");
    EXPECT_EQ(json["names"][0]["served_by_memory"], 1);
    EXPECT_EQ(json["lines"].size(), 2u);
    EXPECT_EQ(json["stays"][0]["out"], nullptr);
}

TEST_F(PlaceTables, HaveTlbMissesWhereThereIsATlb) {
    machine_.tlb = {.entries = 1, .ways = 1, .page = 4096, .walk = 5};
    run_ = test::built(run_->sharedTrace(), machine_);
    EXPECT_EQ(tableAsCsv(placeAccessTable(of("A[1]"), run_->trace(), machine_)),
              "tick,cpu,line,address,place,op,size,served_by,penalty,tlb_miss\n"
              "1,0,p.c:1,0x1004,A[1],W,4,L1,0,\n"
              "3,0,p.c:1,0x1002,A[1],R,4,L2,15,yes\n");
}

}  // namespace
}  // namespace whorl::sim
