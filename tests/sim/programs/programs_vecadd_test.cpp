// Vector addition costs what the case study of Chiron states, and its trace is what the kernel accesses.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sim/programs/programs_costs.h"
#include "sim/programs/programs_support.h"

namespace whorl::sim {
namespace {

double ratio(Cycles a, Cycles b) {
    return static_cast<double>(a) / static_cast<double>(b);
}

// Table 1 of the thesis: access cycles for the arrays, with 1 and with 32 elements at a time.
TEST(VectorAddition, CostsWhatTheCaseStudyStates) {
    const Costs one = costsOf(ran("vecadd"));
    const Costs four = costsOf(ran("vecadd:chunk=4"));
    const Costs all = costsOf(ran("vecadd:chunk=32"));
    const auto near = [](Cycles ours, double theirs) { EXPECT_NEAR(static_cast<double>(ours), theirs, 0.3 * theirs); };
    near(one.objects.at("Global.ArrayA"), 1765);
    near(one.objects.at("Global.ArrayB"), 1798);
    near(one.objects.at("Global.ArrayC"), 5382);
    near(all.objects.at("Global.ArrayA"), 986);
    near(all.objects.at("Global.ArrayB"), 1007);
    near(all.objects.at("Global.ArrayC"), 1056);
    EXPECT_GE(ratio(one.objects.at("Global.GS"), four.objects.at("Global.GS")), 2.5);
    EXPECT_GE(ratio(one.objects.at("Global.GS"), all.objects.at("Global.GS")), 10);
    EXPECT_GE(ratio(four.objects.at("Global.ArrayC"), all.objects.at("Global.ArrayC")), 1.5)
        << "there is false sharing in L2";
    EXPECT_GT(one.elapsed, four.elapsed);
    EXPECT_GT(four.elapsed, all.elapsed);
    near(one.elapsed, 86108);
    near(all.elapsed, 78758);
    EXPECT_EQ(std::max_element(one.objects.begin(), one.objects.end(),
                               [](const auto& a, const auto& b) { return a.second < b.second; })
                  ->first,
              "Global.GS");
    const std::string addition = "            co_await (global.c(i) = co_await global.a(i) + co_await global.b(i));";
    for (const Costs* costs : {&one, &four, &all}) {
        for (const auto& [line, cycles] : costs->lines) EXPECT_LE(cycles, costs->lines.at(addition)) << line;
    }
}

// Without false sharing every block is filled once in each cache that uses it: 24 blocks of L1 and 3 of L2, filled by
// CPU 0. A third of them is then read by CPU 1, for 20 cycles each; the rest on the other side, for 57 once per block
// of L2.
TEST(VectorAddition, CostsWhatIsComputedByHand) {
    const Costs costs = costsOf(ran("vecadd:chunk=32"));
    const Cycles filled = 3 * 57 + 21 * 20;
    EXPECT_EQ(costs.objects.at("Global.ArrayA"), filled + 8 * 20 + 2 * (57 + 7 * 20));
    EXPECT_EQ(costs.objects.at("Global.ArrayB"), costs.objects.at("Global.ArrayA"));
    EXPECT_EQ(costs.objects.at("Global.ArrayC"), filled + 8 * 20 + 2 * (57 + 7 * 20));
}

TEST(VectorAddition, ItsObjectsLieOneAfterTheOther) {
    const Trace trace = ran("vecadd");
    std::vector<std::string> names;
    for (const Region& region : trace.regions()) {
        names.push_back(region.name);
        EXPECT_EQ(region.base.value % 128, 0u) << "as the blocks of L2 do";
    }
    EXPECT_EQ(names, (std::vector<std::string>{"Global.ArrayA", "Global.ArrayB", "Global.ArrayC", "Global.GS"}));
    ASSERT_EQ(trace.objects().size(), 4u);
    EXPECT_EQ(trace.objects()[3].name, "Global.GS");
    EXPECT_EQ(trace.objects()[3].className, "Monitor");
    EXPECT_EQ(trace.objects()[3].size, 2u * 16);
    EXPECT_EQ(trace.cpus(), 4u);
    // CPU 0 writes A, then B, and finally reads C; the others do the rest.
    std::vector<int> byCpu(4);
    trace.forEach(Tick{0}, Tick{trace.size()}, [&](Tick, const Access& a) {
        const std::string region = regionOf(trace, a);
        if (region == "Global.GS") return;
        EXPECT_EQ(a.isWrite(), (a.cpu == 0) != (region == "Global.ArrayC"));
        if (a.cpu != 0) ++byCpu[a.cpu];
    });
    EXPECT_EQ(byCpu[1] + byCpu[2] + byCpu[3], 3 * 96);
    for (const int cpu : {1, 2, 3}) EXPECT_NEAR(byCpu[static_cast<std::size_t>(cpu)], 96, 15) << "they share evenly";
}

TEST(VectorAddition, RunsAtTheEndsOfItsOptions) {
    for (const std::string spec : {"vecadd:n=1", "vecadd:n=2,chunk=100000", "vecadd:n=97,chunk=5", "vecadd:n=5000",
                                   "vecadd:n=33,spin=tas", "vecadd:n=33,spin=ttas"}) {
        EXPECT_GT(ran(spec).size(), 0u) << spec;
    }
}

TEST(VectorAddition, WhoSpinsDisturbs) {
    const Costs sleeping = costsOf(ran("vecadd"));
    const Costs testing = costsOf(ran("vecadd:spin=ttas"));
    const Costs setting = costsOf(ran("vecadd:spin=tas"));
    EXPECT_LT(sleeping.objects.at("Global.GS"), testing.objects.at("Global.GS"));
    EXPECT_LT(testing.objects.at("Global.GS"), setting.objects.at("Global.GS"));
}

TEST(VectorAddition, EveryAccessComesFromALineThatIsShown) {
    const Trace trace = ran("vecadd");
    EXPECT_EQ(listingOf(trace).path, "vecadd.h");
    for (const std::string_view line : listingOf(trace).lines) EXPECT_LE(line.size(), 85u) << line;
    trace.forEach(Tick{0}, Tick{trace.size()}, [&](Tick t, const Access& a) {
        const std::string line = lineOf(trace, a);
        const std::string region = regionOf(trace, a);
        const bool isMonitor = region == "Global.GS";
        const std::string called = isMonitor ? "global.GS." : fmt::format("global.{:c}(i)", region.back() - 'A' + 'a');
        ASSERT_NE(line.find(called), std::string::npos) << t.value << ": " << line;
        ASSERT_TRUE(isMonitor || a.isWrite() == (line.find(called + " = ") != std::string::npos)) << line;
    });
}

}  // namespace
}  // namespace whorl::sim
