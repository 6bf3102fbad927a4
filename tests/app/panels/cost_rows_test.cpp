// The tables of what costs most: the numbers of `whorl stats` and `whorl sharing`, sorted and filtered; and what their
// rows pick.
#include "app/panels/cost_rows.h"

#include <gtest/gtest.h>

#include "app/tasks/background_queries.h"
#include "app/tasks/queued_runner.h"
#include "sim/analysis/history_of.h"
#include "sim/analysis/sharing_trials.h"
#include "sim/report/tables.h"
#include "sim/trace/source_lines.h"
#include "support/shared_trace.h"

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

/// Two blocks, each with two words: the first costs more; in it the second word.
class SharingRows : public testing::Test {
  protected:
    const Session session_ = sessionOn(text(), sharedMachine());
    const sim::Trace& trace_ = session_.opened.run->trace();
    const sim::SharingReport report_ = [&] {
        sim::Progress progress;
        return *sim::sharingOf(*session_.opened.run, {sim::Tick{0}, sim::Tick{trace_.size()}}, progress);
    }();
    const sim::SharingTable table_ = sim::sharingTable(report_, trace_);

    static std::string text() {
        std::string out = "region a 0x1000 4\nregion b 0x1004 4\nregion c 0x2000 4\nregion d 0x2008 4\n";
        for (int n = 0; n < 5; ++n) out += "W 0x1000 4 cpu=0\nW 0x1004 4 cpu=1\nR 0x1004 4 cpu=1\n";
        for (int n = 0; n < 2; ++n) out += "W 0x2000 4 cpu=0\nW 0x2008 4 cpu=1\n";
        return out;
    }
    /// The places of the rows that are shown.
    std::string shown(std::string_view filter, sim::SharingColumn column, bool isDescending) const {
        std::string out;
        const CostOrder order{.column = static_cast<std::size_t>(column), .isDescending = isDescending};
        for (const std::size_t r : sharingRows(table_, filter, order)) {
            const auto& cells = table_.table.rows[r];
            if (!table_.rows[r].field) out += std::get<std::string>(cells[0]) + ':';
            out += std::get<std::string>(cells[static_cast<std::size_t>(sim::SharingColumn::place)]) + ' ';
        }
        return out;
    }
};

TEST_F(SharingRows, OffsetsStayWithTheirBlock) {
    EXPECT_EQ(shown("", sim::SharingColumn::reads, true), "L1:a, b b a L1:c, d d c ");
    EXPECT_EQ(shown("", sim::SharingColumn::reads, false), "L1:c, d d c L1:a, b a b ");
    EXPECT_EQ(shown("", sim::SharingColumn::offset, false), "L1:a, b a b L1:c, d c d ");
}

TEST_F(SharingRows, AreFilteredByPlaceAndAddress) {
    EXPECT_EQ(shown("C, D", sim::SharingColumn::offset, false), "L1:c, d c d ");
    EXPECT_EQ(shown("0x2000", sim::SharingColumn::offset, false), "L1:c, d c d ");
    EXPECT_EQ(shown("nothing", sim::SharingColumn::lost, true), "");
}

TEST_F(SharingRows, PickTheirMemoryAndShowIt) {
    Session session = session_;
    const auto apply = [&](const sim::SharingRow& row, const sim::History* history) {
        for (const Command& command : picksOf(report_, row, history, session.viewSettings)) command.applyTo(session);
    };
    apply(table_.rows[1], nullptr);
    ASSERT_TRUE(session.viewSettings.object.has_value());
    EXPECT_EQ(session.viewSettings.object->address, sim::ByteAddress{0x1004});
    EXPECT_TRUE(session.viewSettings.shows({ViewId::Kind::blocks, 0}));
    // A second pick hides nothing.
    sim::Progress progress;
    const auto history = sim::historyOf(*session.opened.run, {sim::Tick{0}, sim::Tick{trace_.size()}}, progress);
    apply(table_.rows[0], history.get());
    EXPECT_TRUE(session.viewSettings.shows({ViewId::Kind::blocks, 0}));
    ASSERT_TRUE(session.viewSettings.stay.has_value());
    EXPECT_EQ(session.viewSettings.stay->block, sim::BlockAddress{0x1000 / 32});
    EXPECT_FALSE(session.viewSettings.object.has_value());
}

TEST_F(SharingRows, TheKeyOpensTheirTableAndClosesIt) {
    Session session = session_;
    command::apply(session, command::Costs{});
    command::apply(session, command::Sharing{});
    EXPECT_TRUE(session.overlays.showsCosts(CostTab::sharing)) << "another table was open";
    command::apply(session, command::Sharing{});
    EXPECT_FALSE(session.overlays.costs);
    command::apply(session, command::Sharing{true});
    command::apply(session, command::Sharing{true});
    EXPECT_TRUE(session.overlays.showsCosts(CostTab::sharing));
}

/// The window's report is the command's, and is found only while its table is seen.
TEST_F(SharingRows, AreFoundInTheBackground) {
    ImmediateRunner runner;
    BackgroundQueries queries(runner);
    Session session = session_;
    Commands commands;
    const sim::Overview overview = session.opened.run->overview();
    const auto update = [&] {
        for (int n = 0; n < 2; ++n) queries.update(session, overview, commands);
    };
    update();
    EXPECT_EQ(queries.results().sharing, nullptr);
    command::apply(session, command::Sharing{});
    update();
    ASSERT_NE(queries.results().sharing, nullptr);
    EXPECT_FALSE(queries.results().findingSharing);
    sim::SharingReport expected = report_;
    sim::Progress progress;
    ASSERT_TRUE(sim::tryCures(expected, *session.opened.run, progress));
    EXPECT_EQ(sim::tableAsCsv(sim::sharingTable(*queries.results().sharing, trace_).table),
              sim::tableAsCsv(sim::sharingTable(expected, trace_).table));
    session.range = sim::Range{sim::Tick{0}, sim::Tick{15}};
    update();
    EXPECT_EQ(queries.results().sharing->range, *session.range);
    EXPECT_EQ(queries.results().sharing->blocks.size(), 1u);
}

}  // namespace
}  // namespace whorl::app
