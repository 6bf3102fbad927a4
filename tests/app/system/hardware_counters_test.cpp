#include "app/system/hardware_counters.h"

#include <gtest/gtest.h>

#include "sim/report/hardware_report.h"

namespace whorl::app {
namespace {

TEST(HardwareCounters, AreReadAsPerfPrintsThem) {
    const HardwareCounts counts = countsIn(
        "# started on Tue\n\n"
        "1900000,,instructions:u,1000000,100.00,,\n"
        "<not supported>,,L1-dcache-stores:u,0,100.00,,\n"
        "<not counted>,,LLC-loads:u,0,0.00,,\n"
        "0,,LLC-load-misses:u,1000,50.00,,\n");
    EXPECT_EQ(counts, (HardwareCounts{{"instructions", 1'900'000}, {"LLC-load-misses", 0}}));
    EXPECT_TRUE(countsIn("").empty());
    EXPECT_TRUE(countsIn("Error: no permission to enable instructions:u event.").empty());
}

sim::Measures measuresOf(std::uint64_t reads, std::uint64_t misses) {
    const sim::MachineConfig machine = *sim::loadMachine("2K/2/64, 16K/4/64");
    sim::Measures measures = sim::measuresOf(sim::Simulator(machine), false);
    measures.counters.reads = reads;
    measures.counters.cache(0, 0).readMisses = misses;
    return measures;
}

TEST(HardwareReport, SaysWhyNumbersDiffer) {
    const auto counts =
        sim::checkedCounts(measuresOf(1000, 100), 500, {{"L1-dcache-loads", 1000}, {"L1-dcache-load-misses", 20}});
    ASSERT_EQ(counts.size(), 6u);
    EXPECT_EQ(counts[0].simulated, 500u);
    EXPECT_FALSE(counts[0].counted.has_value());
    EXPECT_TRUE(counts[1].differs.empty());
    EXPECT_EQ(counts[3].what, "L1 read misses");
    EXPECT_NE(counts[3].differs.find("prefetches blocks"), std::string::npos);
    const std::string text = sim::checkDocument(counts, "m").text(0);
    EXPECT_NE(text.find("5.00"), std::string::npos) << text;
    EXPECT_NE(text.find("not counted"), std::string::npos) << text;
}

TEST(HardwareReport, OtherSideOtherReason) {
    const auto counts = sim::checkedCounts(measuresOf(1000, 100), 500, {{"L1-dcache-load-misses", 300}});
    EXPECT_NE(counts[3].differs.find("displace"), std::string::npos);
}

}  // namespace
}  // namespace whorl::app
