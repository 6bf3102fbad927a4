// Two measurements side by side: every figure is that of `measure`, and both are found by name.
#include "sim/analysis/comparison.h"
#include "sim/replay/measuring.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/json.h"

#include "sim/report/comparison_report.h"
#include "sim/report/json.h"
#include "support/runs.h"

namespace whorl::sim::test {
namespace {

struct Side {
    std::shared_ptr<const Trace> trace;
    Measures measures;
};

Side measuredSide(const std::string& program, const std::string& machine) {
    Progress progress;
    auto trace = shared(ran(program));
    Measures measures = measure(trace, loadMachine(machine).value(), wholeOf(*trace), true, progress).value();
    return {trace, std::move(measures)};
}

Comparison compared(const Side& a, const Side& b) {
    return comparison({*a.trace, a.measures}, {*b.trace, b.measures});
}

const ComparedFigure* find(const std::vector<ComparedFigure>& figures, const std::string& key) {
    for (const ComparedFigure& f : figures) {
        if (f.key == key) return &f;
    }
    return nullptr;
}

TEST(Comparison, HasTheFiguresOfBoth) {
    const Side a = measuredSide("matmul:n=8", "256/2/32, 1K/4/32");
    const Side b = measuredSide("matmul:n=8,variant=blocked", "256/2/32, 1K/4/32");
    const Comparison c = compared(a, b);
    for (std::size_t l = 0; l < 2; ++l) {
        const std::string name = l == 0 ? "L1" : "L2";
        const ComparedFigure* const misses = find(c.figures, name + "_misses");
        ASSERT_NE(misses, nullptr);
        EXPECT_EQ(misses->a, a.measures.counters.level(l).misses());
        EXPECT_EQ(misses->b, b.measures.counters.level(l).misses());
        EXPECT_EQ(find(c.figures, name + "_writebacks")->b, b.measures.counters.level(l).writebacks);
        // Those of the things of each kind add up to those of the level, and so do those by kind.
        for (const Grouping grouping : {Grouping::region, Grouping::line, Grouping::function, Grouping::cpu}) {
            const ComparedThings things = comparedBy(grouping, {*a.trace, a.measures}, {*b.trace, b.measures});
            for (const char* const key : {"misses", "compulsory", "capacity", "conflict"}) {
                const ComparedRows* const rows = things.rowsOf(fmt::format("{}_{}", name, key));
                ASSERT_NE(rows, nullptr);
                const ComparedFigure* const all = find(c.figures, rows->key);
                std::uint64_t sumA = 0;
                std::uint64_t sumB = 0;
                for (const ComparedFigure& thing : rows->rows) sumA += thing.a.value_or(0);
                for (const ComparedFigure& thing : rows->rows) sumB += thing.b.value_or(0);
                EXPECT_EQ(sumA, all->a) << rows->key << " by " << things.kind;
                EXPECT_EQ(sumB, all->b) << rows->key << " by " << things.kind;
            }
        }
    }
    EXPECT_EQ(find(c.figures, "cycles")->a, a.measures.cyclesOfAll());
    EXPECT_EQ(find(c.figures, "accesses")->b, b.trace->size());
}

TEST(Comparison, ExchangedItIsTheNegative) {
    const Side a = measuredSide("matmul:n=8", "256/2/32, 1K/4/32");
    const Side b = measuredSide("matmul:n=8", "512/2/32");
    const Comparison there = compared(a, b);
    const Comparison back = compared(b, a);
    ASSERT_EQ(there.figures.size(), back.figures.size());
    for (const ComparedFigure& f : there.figures) {
        const ComparedFigure* const other = find(back.figures, f.key);
        ASSERT_NE(other, nullptr) << f.key;
        EXPECT_EQ(f.a, other->b) << f.key;
        EXPECT_EQ(f.b, other->a) << f.key;
        if (f.difference()) {
            EXPECT_EQ(*f.difference(), -*other->difference()) << f.key;
        }
    }
}

TEST(Comparison, WithItselfIsZero) {
    const Side a = measuredSide("matmul:n=6", "paper");
    for (const ComparedFigure& f : compared(a, a).figures) {
        EXPECT_EQ(f.difference(), 0) << f.key;
        EXPECT_EQ(differenceOf(f), "=");
    }
}

/// What only one machine has stands in its place, and has no difference.
TEST(Comparison, SaysWhatOnlyOneHas) {
    const Side a = measuredSide("matmul:n=8", "512/2/32");
    const Side b = measuredSide("matmul:n=8", "256/2/32, 1K/4/32");
    const Comparison c = compared(a, b);
    const ComparedFigure* const misses = find(c.figures, "L2_misses");
    ASSERT_NE(misses, nullptr);
    EXPECT_EQ(misses->a, std::nullopt);
    EXPECT_EQ(misses->difference(), std::nullopt);
    EXPECT_LT(find(c.figures, "L1_misses"), misses);
    EXPECT_LT(misses, find(c.figures, "memory_reads"));
    const ComparedThings regions = comparedBy(Grouping::region, {*a.trace, a.measures}, {*b.trace, b.measures});
    ASSERT_NE(regions.rowsOf("L2_misses"), nullptr);
    for (const ComparedFigure& region : regions.rowsOf("L2_misses")->rows) EXPECT_EQ(region.a, std::nullopt);
    const Json json(jsonText(comparisonDocument(c, {regions}).json()));
    EXPECT_EQ(json["figures"]["L2_misses"]["a"], nullptr);
    EXPECT_EQ(json["figures"]["L1_misses"]["a"], a.measures.counters.level(0).misses());
    EXPECT_EQ(json["figures"]["L1_misses"]["difference"],
              static_cast<std::int64_t>(b.measures.counters.level(0).misses()) -
                  static_cast<std::int64_t>(a.measures.counters.level(0).misses()));
    EXPECT_EQ(json["b"]["machine"], b.measures.machine.name);
}

TEST(Comparison, DifferencesAreSignedAndRelatedToTheFirst) {
    EXPECT_EQ(differenceOf({"x", "x", 4096, 1024}), "-3 072 (-75.0 %)");
    EXPECT_EQ(differenceOf({"x", "x", 1000, 2500}), "+1 500 (+150.0 %)");
    EXPECT_EQ(differenceOf({"x", "x", 0, 7}), "+7");
    EXPECT_EQ(differenceOf({"x", "x", std::nullopt, 7}), "");
}

}  // namespace
}  // namespace whorl::sim::test
