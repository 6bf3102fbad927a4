// The tables of what costs most: the numbers of `whorl stats`, sorted and filtered; and what their rows pick.
#include "app/panels/cost_rows.h"

#include <gtest/gtest.h>

#include "app/shared_trace.h"
#include "app/tasks/background_queries.h"
#include "app/tasks/queued_runner.h"
#include "sim/report/tables.h"
#include "sim/trace/source_lines.h"

namespace whorl::app {
namespace {

/// A run of a built-in program on a small machine, with its measures.
class CostRows : public testing::Test {
  protected:
    const Session session_ = sessionOn(kTrace, sharedMachine());
    const std::shared_ptr<const sim::Measures> measures_ = session_.opened.run->measures();
    const sim::Trace& trace_ = session_.opened.run->trace();

    static constexpr const char* kTrace =
        "region alpha 0x1000 4096 8 rows=512\nregion beta 0x4000 4096 8 rows=512\nregion ALPS 0x8000 64 8 rows=8\n"
        "R 4096 8 cpu=0\nR 4160 8 cpu=0\nR 4224 8 cpu=0\nW 16384 8 cpu=0\nW 16384 8 cpu=1\nR 32768 8 cpu=0\n";

    sim::Table regions() const { return *costTable(CostTab::regions, *measures_, nullptr, trace_); }
    static std::string namesOf(const sim::Table& table, const std::vector<std::size_t>& rows) {
        std::string out;
        for (const std::size_t r : rows) out += std::get<std::string>(table.rows[r].front()) + ' ';
        return out;
    }
};

TEST_F(CostRows, AreThoseOfStatsWithTheirShare) {
    const sim::Table table = regions();
    sim::Table without = table;
    ASSERT_EQ(table.columns[3].key, "cycles_percent");
    double shares = 0;
    for (auto& row : without.rows) {
        shares += std::get<double>(row[3]);
        row.erase(row.begin() + 3);
    }
    without.columns.erase(without.columns.begin() + 3);
    EXPECT_NEAR(shares, 100, 1e-9);
    const sim::Table expected = sim::tableBy(sim::Grouping::region, *measures_, trace_, true);
    EXPECT_EQ(without.rows, expected.rows);
    EXPECT_EQ(sim::tableAsCsv(without), sim::tableAsCsv(expected));
}

TEST_F(CostRows, AreSortedByAColumn) {
    const sim::Table table = regions();
    ASSERT_EQ(table.rows.size(), 3u);
    EXPECT_EQ(namesOf(table, costRows(table, "", {.column = 1, .isDescending = true})), "alpha beta ALPS ");
    EXPECT_EQ(namesOf(table, costRows(table, "", {.column = 1, .isDescending = false})), "ALPS beta alpha ");
    EXPECT_EQ(namesOf(table, costRows(table, "", {.column = 0, .isDescending = false})), "ALPS alpha beta ");
    // A column that is not there changes nothing.
    EXPECT_EQ(costRows(table, "", {.column = 1000, .isDescending = true}), (std::vector<std::size_t>{0, 1, 2}));
}

TEST_F(CostRows, AreFilteredByName) {
    const sim::Table table = regions();
    EXPECT_EQ(namesOf(table, costRows(table, "aLp", {.column = 0, .isDescending = false})), "ALPS alpha ");
    EXPECT_EQ(namesOf(table, costRows(table, "beta", {})), "beta ");
    EXPECT_TRUE(costRows(table, "gamma", {}).empty());
    const sim::Table only = onlyRows(table, costRows(table, "beta", {}));
    ASSERT_EQ(only.rows.size(), 1u);
    EXPECT_EQ(only.columns.size(), table.columns.size());
    EXPECT_NE(sim::tableAsCsv(only).find("\nbeta,2,"), std::string::npos);
}

TEST_F(CostRows, PickWhatTheyAreAbout) {
    const auto region = pickOf(CostTab::regions, "beta", *measures_, trace_);
    ASSERT_TRUE(region.has_value());
    Session session = session_;
    region->applyTo(session);
    EXPECT_EQ(session.region, std::optional<std::uint32_t>(1));
    EXPECT_FALSE(pickOf(CostTab::regions, "gamma", *measures_, trace_).has_value());
    EXPECT_FALSE(pickOf(CostTab::fields, "x", *measures_, trace_).has_value());
}

TEST_F(CostRows, ClassesNeedAHistory) {
    EXPECT_FALSE(costTable(CostTab::classes, *measures_, nullptr, trace_).has_value());
    EXPECT_FALSE(costTable(CostTab::why, *measures_, nullptr, trace_).has_value());
    Overlays overlays;
    overlays.costTab = CostTab::fields;
    EXPECT_FALSE(overlays.needsHistory());
    overlays.costs = true;
    EXPECT_TRUE(overlays.needsHistory());
}

TEST_F(CostRows, WhyIsFoundOnlyWhileItIsSeen) {
    ImmediateRunner runner;
    BackgroundQueries queries(runner);
    Session session = session_;
    Commands commands;
    const sim::Overview overview = session.opened.run->overview();
    queries.update(session, overview, commands);
    EXPECT_EQ(queries.results().why, nullptr);
    command::apply(session, command::CostsBy{CostTab::lines});
    queries.update(session, overview, commands);
    EXPECT_EQ(queries.results().why, nullptr);
    command::apply(session, command::CostsBy{CostTab::why});
    queries.update(session, overview, commands);
    ASSERT_NE(queries.results().why, nullptr);
    EXPECT_FALSE(queries.results().findingWhy);
    std::uint64_t cycles = 0;
    const sim::TallyTable& sums = measures_->ledger->regions;
    for (std::size_t r = 0; r < sums.rows(); ++r) cycles += sums.cycles(r);
    EXPECT_EQ(queries.results().why->cycles, cycles);
    EXPECT_TRUE(commands.empty());
}

TEST_F(CostRows, WhyIsTriedAgainAfterACancel) {
    QueuedRunner runner;
    BackgroundQueries queries(runner);
    Session session = session_;
    Commands commands;
    const sim::Overview overview = session.opened.run->overview();
    const auto update = [&] {
        queries.update(session, overview, commands);
        runner.runAll();
        queries.update(session, overview, commands);
    };
    command::apply(session, command::CostsBy{CostTab::why});
    queries.update(session, overview, commands);
    EXPECT_TRUE(queries.results().findingWhy);
    queries.cancel();
    update();
    EXPECT_EQ(queries.results().why, nullptr);
    EXPECT_FALSE(queries.results().findingWhy);
    command::apply(session, command::Costs{});
    update();
    command::apply(session, command::Costs{});
    update();
    EXPECT_NE(queries.results().why, nullptr);
}

}  // namespace
}  // namespace whorl::app
