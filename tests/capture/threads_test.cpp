// Threads of recorded programs, in the order in which they were recorded and in virtual time.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

#include "capture/compiled.h"
#include "sim/analysis/orders.h"
#include "sim/analysis/why.h"
#include "sim/trace/virtual_time.h"

namespace whorl::sim {
namespace {

struct BothOrders {
    Trace recorded;
    Trace ordered;
};

BothOrders ofThreads(const std::string& way, const std::string& what) {
    test::Recorded captured = test::recorded({test::compiled("threads.cpp", way + "g++ -O1"), what});
    Progress progress;
    EXPECT_TRUE(goesByVirtualTime(captured.trace)) << "a recording knows where threads wait";
    auto ordered = inOrder(captured.trace, AccessOrder::automatic, what, progress);
    EXPECT_TRUE(ordered.has_value()) << ordered.error().sentence();
    return {std::move(captured.trace), ordered ? std::move(*ordered) : Trace()};
}

/// Calls f for each access to a global array, with the element's index.
void forEachOf(const Trace& trace, const std::string& name,
               const std::function<void(std::uint64_t, const Access&)>& f) {
    const Region* const region = test::regionNamed(trace, name);
    ASSERT_NE(region, nullptr);
    trace.forEach(Tick{0}, Tick{trace.size()}, [&](Tick, const Access& a) {
        if (region->contains(a.address)) f((a.address.value - region->base.value) / 4, a);
    });
}

/// How often the next access to an array is another CPU's.
std::uint64_t ownerChanges(const Trace& trace, const std::string& name) {
    std::uint64_t changes = 0;
    int owner = -1;
    forEachOf(trace, name, [&](std::uint64_t, const Access& a) {
        changes += owner >= 0 && owner != a.cpu ? 1 : 0;
        owner = a.cpu;
    });
    return changes;
}

class Threads : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Ways, Threads, testing::ValuesIn(test::kWays));

TEST_P(Threads, FalseSharingIsFoundInBothOrders) {
    const BothOrders run = ofThreads(GetParam(), "count");
    EXPECT_GE(ownerChanges(run.recorded, "counts"), 3u);
    // 20 000 modifications, each by another thread than the one before, save where threads begin and end.
    EXPECT_GT(ownerChanges(run.ordered, "counts"), 15'000u);
    for (const Trace* trace : {&run.recorded, &run.ordered}) {
        EXPECT_EQ(test::bytesOf(*trace, "counts"), (test::Bytes{4 * 20'000, 4 * 20'000}));
    }
}

/// The stall cycles of a row of `whorl why`; nothing if it is not among the first.
std::optional<StallRow> rowOf(const WhyReport& report, const std::string& array) {
    const auto row =
        std::find_if(report.arrays.begin(), report.arrays.end(), [&](const StallRow& r) { return r.name == array; });
    return row == report.arrays.end() ? std::nullopt : std::optional(*row);
}

TEST_P(Threads, CountersSideBySideLoseMostCyclesAndPaddingCuresThem) {
    const BothOrders run = ofThreads(GetParam(), "count");
    // As many CPUs as there are threads, each with an L1 of its own.
    const MachineConfig machine = loadMachine("laptop").value();
    Progress progress;
    const auto whyIn = [&](const Trace& trace) {
        return whyOf(std::make_shared<const Trace>(trace), machine, {}, progress).value();
    };
    const WhyReport report = whyIn(run.ordered);
    const auto counts = rowOf(report, "counts");
    ASSERT_TRUE(counts.has_value());
    EXPECT_GT(2 * counts->lost, report.lost) << "more than half of all";
    ASSERT_TRUE(counts->cure.has_value());
    EXPECT_EQ(asText(counts->cure->changes.back()), "spread:counts:64");
    EXPECT_GT(10 * counts->cure->cycles, static_cast<std::int64_t>(9 * counts->lost));
    if (!GetParam().empty()) return;  // on several processors the recorded order has some of it
    const auto recorded = rowOf(whyIn(run.recorded), "counts");
    EXPECT_LT(recorded ? 10 * recorded->lost : 0, counts->lost);
}

TEST_P(Threads, WaitingByReadingIsTold) {
    const BothOrders run = ofThreads(GetParam(), "spun");
    Progress progress;
    const OrderNote note = noteOnOrder(run.ordered, &run.recorded, loadMachine("laptop").value(), progress).value();
    EXPECT_GT(note.spinning->accesses, Spinning::kMinReads);
    EXPECT_NE(note.spinsAt.find("threads.cpp:"), std::string::npos) << note.spinsAt;
    const BothOrders counts = ofThreads(GetParam(), "count");
    EXPECT_EQ(spinningIn(counts.recorded, progress)->accesses, 0u) << "at a barrier nothing is read";
}

TEST_P(Threads, ALockIsHandedOn) {
    const BothOrders run = ofThreads(GetParam(), "locked");
    EXPECT_GE(ownerChanges(run.ordered, "counts"), 3u);
    // Between its read and its write nobody else comes.
    int holder = -1;
    forEachOf(run.ordered, "counts", [&](std::uint64_t, const Access& a) {
        if (a.isWrite()) {
            EXPECT_EQ(holder, a.cpu);
            holder = -1;
        } else {
            EXPECT_EQ(holder, -1);
            holder = a.cpu;
        }
    });
}

class ThreadsWaitForData : public testing::TestWithParam<std::tuple<std::string, std::string>> {};

TEST_P(ThreadsWaitForData, InBothOrders) {
    const auto& [way, what] = GetParam();
    const BothOrders run = ofThreads(way, what);
    for (const Trace* trace : {&run.recorded, &run.ordered}) {
        std::vector<bool> isWritten(64);
        std::uint64_t reads = 0;
        forEachOf(*trace, "turns", [&](std::uint64_t element, const Access& a) {
            if (a.isWrite()) {
                isWritten[element] = true;
            } else {
                EXPECT_TRUE(isWritten[element]) << element;
                ++reads;
            }
        });
        EXPECT_GE(reads, 64u);
    }
    if (what == "phases") {
        EXPECT_GT(ownerChanges(run.ordered, "turns"), 150u);
    }
}

INSTANTIATE_TEST_SUITE_P(Of, ThreadsWaitForData,
                         testing::Combine(testing::ValuesIn(test::kWays), testing::Values("phases", "handed")));

}  // namespace
}  // namespace whorl::sim
