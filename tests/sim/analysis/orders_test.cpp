// What is said about the order of the accesses: the figures of the other order are those of a report about it.
#include "sim/analysis/orders.h"

#include <gtest/gtest.h>

#include "sim/analysis/history_help.h"
#include "sim/analysis/why.h"
#include "sim/report/json.h"
#include "sim/report/order_words.h"
#include "sim/trace/trace_help.h"
#include "sim/trace/virtual_time.h"
#include "support/json.h"
#include "support/machines.h"
#include "support/rounds.h"
#include "support/waiting_trace.h"

namespace whorl::sim {
namespace {

TEST(SharingCosts, AreThoseOfTheReports) {
    std::uint64_t shared = 0;
    for (std::uint64_t seed = 0; seed < testRounds(150); ++seed) {
        SCOPED_TRACE(seed);
        const test::RandomRun random(seed);
        const auto trace = random.run->sharedTrace();
        const MachineConfig& machine = random.run->machine();
        Progress progress;
        const SharingCosts costs = sharingCostsOf(*trace, machine, progress).value();
        const SharingReport sharing = sharingOf(*random.run, test::wholeOf(*trace), progress).value();
        EXPECT_EQ(costs.cycles, sharing.cycles);
        EXPECT_EQ(costs.bySharing, sharing.lost);
        EXPECT_EQ(costs.stalls, whyOf(trace, machine, {.top = 1}, progress).value().lost);
        shared += costs.bySharing > 0 ? 1 : 0;
    }
    EXPECT_GT(shared, testRounds(20));
}

TEST(OrderNote, SaysWhatTheOtherOrderLoses) {
    Progress progress;
    const Trace recorded = test::waitingTrace();
    const Trace ordered = inOrder(recorded, AccessOrder::automatic, "t", progress).value();
    ASSERT_TRUE(hasOtherOrder(recorded));
    ASSERT_TRUE(hasOtherOrder(ordered));
    const MachineConfig machine = test::sharingMachine();
    const OrderNote note = noteOnOrder(ordered, &recorded, machine, progress).value();
    const OrderNote reverse = noteOnOrder(recorded, &ordered, machine, progress).value();
    // In turn, each write but the first of each CPU misses; one after the other, the only misses are the first ones.
    EXPECT_EQ(note.other->bySharing, 0u);
    EXPECT_EQ(reverse.other->bySharing, 1998u * 100);
    EXPECT_EQ(orderInWords(note, "cycles are lost by sharing", reverse.other->bySharing, &SharingCosts::bySharing),
              "The 2 CPUs run in virtual time: each at its own pace, waiting where its threads waited for others. In "
              "the recorded order 0 cycles are lost by sharing, not 199 800 (--interleaving recorded).");
    EXPECT_EQ(orderInWords(reverse, "stall cycles are lost", note.other->stalls, &SharingCosts::stalls),
              "The accesses of the 2 CPUs are in the order in which they were recorded. In virtual time 200 000 stall "
              "cycles are lost, not 200 (--interleaving virtual).");
    const OrderNote alone = noteOnOrder(ordered, nullptr, machine, progress).value();
    EXPECT_FALSE(alone.other);
    EXPECT_FALSE(alone.spinning);
    const test::Json json(jsonText(orderAsJson(note)));
    EXPECT_TRUE(json["name"] == "virtual");
    EXPECT_TRUE(json["other"]["lost"] == note.other->stalls);
    EXPECT_TRUE(json["spinning"]["accesses"] == std::uint64_t{0});
}

TEST(OrderNote, IsShortWhereBothOrdersAreAlike) {
    OrderNote note{.isVirtual = true, .cpus = 4, .accesses = 1000, .other = SharingCosts{.stalls = 1000}};
    for (const Cycles lost : {950u, 1000u, 1110u}) {
        EXPECT_EQ(
            orderInWords(note, "stall cycles are lost", lost, &SharingCosts::stalls),
            "The 4 CPUs run in virtual time: each at its own pace, waiting where its threads waited for others. In "
            "the recorded order about as many stall cycles are lost.");
    }
    EXPECT_NE(orderInWords(note, "stall cycles are lost", 1120, &SharingCosts::stalls).find("not 1 120"),
              std::string::npos);
    // Few of many: whatever their ratio.
    note.other->bySharing = 3;
    EXPECT_NE(orderInWords(note, "cycles are lost by sharing", 9, &SharingCosts::bySharing).find("about as many"),
              std::string::npos);
}

TEST(OrderNote, SaysHowFarSpinningMakesItUncertain) {
    OrderNote note{.isVirtual = true, .cpus = 2, .accesses = 1000, .spinning = Spinning{.accesses = 123}};
    const auto words = [&] { return orderInWords(note, "cycles are lost", 0, &SharingCosts::stalls); };
    const std::string uncertain = " virtual time does not know for what they wait, and the order there is uncertain.";
    EXPECT_TRUE(
        words().ends_with(" CPUs that wait by reading memory over and over make 12 % of the accesses:" + uncertain))
        << words();
    note.spinsAt = "a.c:7";
    note.spinning->accesses = 45;
    EXPECT_NE(words().find("over and over make 4.5 % of the accesses (mostly a.c:7):"), std::string::npos) << words();
    note.isVirtual = false;
    EXPECT_EQ(words().find("uncertain"), std::string::npos) << "the recorded order is what it is";
    note.isVirtual = true;
    note.spinning->accesses = 0;
    EXPECT_EQ(words().find("uncertain"), std::string::npos);
}

}  // namespace
}  // namespace whorl::sim
