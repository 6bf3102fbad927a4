// The tables of what costs most: the numbers of `whorl stats` and `whorl sharing`, and what their rows pick.
#include "app/commands/cost_tables.h"

#include <gtest/gtest.h>

#include "app/panels/table_rows.h"
#include "app/session/command.h"
#include "app/tasks/background_queries.h"
#include "app/tasks/queued_runner.h"
#include "app/views/space/highlights.h"
#include "sim/analysis/history_of.h"
#include "sim/analysis/sharing_trials.h"
#include "sim/report/tables.h"
#include "sim/trace/source_lines.h"
#include "support/shared_trace.h"

namespace whorl::app {
namespace {

/// A run of a built-in program on a small machine, with its measures.
class CostTables : public testing::Test {
  protected:
    const Session session_ = sessionOn(kTrace, sharedMachine());
    const std::shared_ptr<const sim::Measures> measures_ = session_.opened.run->measures();
    const sim::Trace& trace_ = session_.opened.run->trace();

    static constexpr const char* kTrace =
        "region alpha 0x1000 4096 8 rows=512\nregion beta 0x4000 4096 8 rows=512\nregion ALPS 0x8000 64 8 rows=8\n"
        "R 4096 8 cpu=0\nR 4160 8 cpu=0\nR 4224 8 cpu=0\nW 16384 8 cpu=0\nW 16384 8 cpu=1\nR 32768 8 cpu=0\n";

    const CostSources sources_{*measures_, nullptr, trace_};

    static CostTab tab(std::string_view word) { return *valueNamed<CostTab>(word); }
    sim::Table regions() const { return *tableFor(tab("regions"), sources_); }
    static std::string namesOf(const sim::Table& table, const std::vector<std::size_t>& rows) {
        std::string out;
        for (const std::size_t r : rows) out += std::get<std::string>(table.rows[r].front()) + ' ';
        return out;
    }
};

TEST_F(CostTables, AreThoseOfStatsWithTheirShare) {
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

TEST_F(CostTables, AreSortedByAColumn) {
    const sim::Table table = regions();
    const auto sorted = [&](std::size_t column, bool isDescending) {
        return rowsShown(table, {.order = TableOrder{column, isDescending}});
    };
    ASSERT_EQ(table.rows.size(), 3u);
    EXPECT_EQ(namesOf(table, sorted(1, true)), "alpha beta ALPS ");
    EXPECT_EQ(namesOf(table, sorted(1, false)), "ALPS beta alpha ");
    EXPECT_EQ(namesOf(table, sorted(0, false)), "ALPS alpha beta ");
    // A column that is not there changes nothing, nor does none.
    EXPECT_EQ(sorted(1000, true), (std::vector<std::size_t>{0, 1, 2}));
    EXPECT_EQ(rowsShown(table, {}), (std::vector<std::size_t>{0, 1, 2}));
}

TEST_F(CostTables, AreFilteredByName) {
    const sim::Table table = regions();
    EXPECT_EQ(namesOf(table, rowsShown(table, {.filter = "aLp", .order = TableOrder{0, false}})), "ALPS alpha ");
    EXPECT_EQ(namesOf(table, rowsShown(table, {.filter = "beta"})), "beta ");
    EXPECT_TRUE(rowsShown(table, {.filter = "gamma"}).empty());
}

TEST_F(CostTables, PickWhatTheyAreAbout) {
    const auto pick = costTable(tab("regions")).pick;
    const auto region = pick("beta", sources_);
    ASSERT_TRUE(region.has_value());
    Session session = session_;
    region->applyTo(session);
    EXPECT_EQ(session.region, std::optional<std::uint32_t>(1));
    EXPECT_FALSE(pick("gamma", sources_).has_value());
    EXPECT_EQ(costTable(tab("fields")).pick, nullptr);
}

TEST_F(CostTables, ClassesNeedAHistory) {
    EXPECT_FALSE(tableFor(tab("classes"), sources_).has_value());
    EXPECT_FALSE(tableFor(CostTab::why, sources_).has_value());
    Overlays overlays;
    overlays.costTab = tab("fields");
    EXPECT_FALSE(costsNeedHistory(overlays));
    overlays.costs = true;
    EXPECT_TRUE(costsNeedHistory(overlays));
}

/// What CostTab names is where it says.
TEST_F(CostTables, HaveTheirWords) {
    EXPECT_EQ(wordOf(CostTab::why), "why");
    EXPECT_EQ(wordOf(sharingTab()), "sharing");
    for (const CostTable& table : costTables()) {
        EXPECT_TRUE(parseCommand("costs-by " + std::string(table.word))) << table.word;
    }
}

TEST_F(CostTables, WhyIsFoundOnlyWhileItIsSeen) {
    ImmediateRunner runner;
    BackgroundQueries queries(runner);
    Session session = session_;
    Commands commands;
    const sim::Overview overview = session.opened.run->overview();
    queries.update(session, overview, commands);
    EXPECT_EQ(queries.results().why, nullptr);
    command::apply(session, command::CostsBy{tab("lines")});
    queries.update(session, overview, commands);
    EXPECT_EQ(queries.results().why, nullptr);
    command::apply(session, command::CostsBy{CostTab::why});
    queries.update(session, overview, commands);
    ASSERT_NE(queries.results().why, nullptr);
    EXPECT_FALSE(queries.results().findingWhy);
    std::uint64_t cycles = 0;
    const sim::TallyTable& sums = measures_->ledger->owners;
    for (std::size_t r = 0; r < sums.rows(); ++r) cycles += sums.cycles(r);
    EXPECT_EQ(queries.results().why->report.cycles, cycles);
    EXPECT_TRUE(commands.empty());
}

TEST_F(CostTables, WhyIsTriedAgainAfterACancel) {
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
        std::vector<std::uint8_t> depths;
        for (const sim::SharingRow& row : table_.rows) depths.push_back(row.field ? 1 : 0);
        const RowChoice choice{
            .filter = filter,
            .searched = {static_cast<std::size_t>(sim::SharingColumn::place),
                         static_cast<std::size_t>(sim::SharingColumn::block)},
            .order = TableOrder{.column = static_cast<std::size_t>(column), .isDescending = isDescending},
            .depths = depths};
        for (const std::size_t r : rowsShown(table_.table, choice)) {
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
    EXPECT_TRUE(session.overlays.showsCosts(sharingTab())) << "another table was open";
    command::apply(session, command::Sharing{});
    EXPECT_FALSE(session.overlays.costs);
    command::apply(session, command::Sharing{true});
    command::apply(session, command::Sharing{true});
    EXPECT_TRUE(session.overlays.showsCosts(sharingTab()));
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
