// What a change of the layout saves: false sharing of two counters, and its cure, computed by hand.
#include "sim/analysis/comparison.h"

#include <gtest/gtest.h>

#include "support/json.h"

#include "sim/report/comparison_report.h"
#include "sim/report/json.h"
#include "sim/trace/layout/mapped_trace.h"
#include "sim/trace/trace_help.h"
#include "support/machines.h"

namespace whorl::sim::test {
namespace {

/// Two CPUs, each of which writes ten times to a counter of its own; both are in one block.
SharedTrace countersInABlock(bool timed) {
    TraceBuilder builder("counters");
    if (timed) builder.workBeforeEach(3);
    for (const std::uint64_t i : {0, 1}) {
        builder.newObject(object(i == 0 ? "first" : "second", 0x1000 + 4 * i, 4, "Counter"));
    }
    for (int i = 0; i < 10; ++i) {
        builder.add(access(Op::write, 0x1000, 4, 0));
        builder.add(access(Op::write, 0x1004, 4, 1));
    }
    return shared(builder);
}

MachineConfig twoCpus() {
    MachineConfig machine = sharedMachine();
    machine.name = "two";
    machine.memoryLatency = 50;
    return machine;
}

WhatIf whatIfChanged(const SharedTrace& trace, std::string_view change) {
    Progress progress;
    const auto changed = shared(mapped(trace, {parseLayoutChange(change).value()}, progress).value());
    return whatIf(trace, changed, twoCpus(), progress).value();
}

Difference figure(const WhatIf& result, const std::string& key) {
    for (const Difference& d : result.figures) {
        if (d.key == key) return d;
    }
    ADD_FAILURE() << "no " << key;
    return {};
}

TEST(WhatIf, TellsPageFaults) {
    MachineConfig paged = twoCpus();
    paged.memory = {.size = 128, .page = 64, .fault = 10};
    Progress progress;
    const SharedTrace before = countersInABlock(false);
    const auto after = shared(mapped(before, {parseLayoutChange("align:second:64").value()}, progress).value());
    const WhatIf result = whatIf(before, after, paged, progress).value();
    EXPECT_EQ(figure(result, "page_faults").before, 1u);
    EXPECT_EQ(figure(result, "page_faults").after, 2u) << "the counters are in two pages then";
    EXPECT_EQ(figure(result, "page_writebacks").after, 0u);
}

TEST(WhatIf, AligningACounterCuresFalseSharing) {
    const WhatIf result = whatIfChanged(countersInABlock(true), "align:second:32");
    EXPECT_EQ(result.trace, "counters, with second aligned to 32");
    const auto expect = [&](const std::string& key, std::uint64_t before, std::uint64_t after) {
        const Difference d = figure(result, key);
        EXPECT_EQ(d.before, before) << key;
        EXPECT_EQ(d.after, after) << key;
    };
    // Every write invalidates the block in the other CPU, which misses again on its own word.
    expect("L1_misses", 20, 2);
    expect("L1_compulsory", 2, 2);
    expect("L1_false_sharing", 18, 0);
    expect("L1_true_sharing", 0, 0);
    expect("L1_coherence", 18, 0);
    // Then one access to each counter goes to memory, the others take one cycle, after three of work.
    expect("cycles", figure(result, "cycles").before, 20 * 1 + 2 * (5 + 50));
    expect("elapsed", figure(result, "elapsed").before, 10 * (3 + 1) + 5 + 50);
    expect("memory_reads", 1, 2);
    EXPECT_GT(figure(result, "cycles").before, 20u * (1 + 5));
    EXPECT_GT(*figure(result, "cycles").savedShare(), 0.0);
    EXPECT_LT(*figure(result, "memory_reads").savedShare(), 0.0);
    EXPECT_EQ(figure(result, "L1_true_sharing").savedShare(), std::nullopt);
}

TEST(WhatIf, TellsWhoseCyclesChanged) {
    const WhatIf result = whatIfChanged(countersInABlock(false), "align:second:32");
    for (const Difference& d : result.figures) EXPECT_NE(d.key, "elapsed") << "the trace knows no timing";
    ASSERT_EQ(result.classes.size(), 1u);
    EXPECT_EQ(result.classes[0].key, "Counter");
    EXPECT_EQ(result.classes[0].before, figure(result, "cycles").before);
    EXPECT_EQ(result.classes[0].after, figure(result, "cycles").after);
    ASSERT_EQ(result.objects.size(), 2u);
    EXPECT_EQ(result.objects[0].before + result.objects[1].before, result.classes[0].before);
    EXPECT_EQ(result.objects[0].after, 10u * 1 + 5 + 50);
    EXPECT_EQ(result.regions.size(), 2u);
}

TEST(WhatIf, NothingChangesWhereNothingIsMovedApart) {
    const WhatIf result = whatIfChanged(countersInABlock(true), "shift:first:0");
    for (const Difference& d : result.figures) EXPECT_EQ(d.before, d.after) << d.key;
    EXPECT_TRUE(result.regions.empty() && result.objects.empty() && result.classes.empty());
}

TEST(WhatIf, IsTheSameInWordsAndAsJson) {
    const WhatIf result = whatIfChanged(countersInABlock(true), "align:second:32");
    const Json json(jsonText(whatIfDocument(result).json()));
    EXPECT_EQ(json["changes"].dump(), R"(["align:second:32"])");
    EXPECT_EQ(json["machine"], "two");
    EXPECT_EQ(json["figures"]["L1_coherence"].dump(), R"({"after":0,"before":18,"saved":18,"saved_percent":100.0})");
    EXPECT_EQ(json["figures"]["memory_reads"]["saved"], -1);
    EXPECT_EQ(json["figures"]["L1_true_sharing"]["saved_percent"], nullptr);
    EXPECT_EQ(json["classes"][0]["name"], "Counter");
    const std::string text = whatIfDocument(result).text(1);
    for (const char* words : {"counters, with second aligned to 32", "cycles elapsed", "false sharing", "100.0 %",
                              "-100.0 %", "cycles by class", "… and 1 more"}) {
        EXPECT_NE(text.find(words), std::string::npos) << words << " is not in\n" << text;
    }
}

}  // namespace
}  // namespace whorl::sim::test
