// The views of a history agree with the tables of `whorl stats`, which are computed independently.
#include <gtest/gtest.h>

#include <map>

#include "app/tasks/opening.h"
#include "app/views/space/histories.h"
#include "sim/analysis/cell_table.h"
#include "sim/analysis/collisions.h"
#include "sim/analysis/history_of.h"
#include "sim/report/tables.h"

namespace whorl::app {
namespace {

using sim::CostNode;
using sim::Tick;

/// Accesses and cycles.
using Sum = std::pair<std::uint64_t, std::uint64_t>;

struct Played {
    std::shared_ptr<sim::Run> run;
    std::shared_ptr<const sim::History> history;
};

/// A program with its machine, played once for all tests.
const Played& played(const std::string& input) {
    static std::map<std::string, Played> known;
    const auto [at, isNew] = known.try_emplace(input);
    if (!isNew) return at->second;
    sim::Progress progress;
    const auto opened = open({.input = input, .machine = {}, .reading = {}}, nullptr, progress);
    if (!opened || !opened->run->build(progress)) return at->second;
    at->second.run = opened->run;
    at->second.history = sim::historyOf(*opened->run, {Tick{0}, Tick{opened->run->trace().size()}}, progress);
    return at->second;
}

class Agreement : public testing::TestWithParam<const char*> {
  protected:
    void SetUp() override {
        run_ = played(GetParam()).run;
        history_ = played(GetParam()).history;
        ASSERT_NE(history_, nullptr);
    }
    const sim::Ledger& ledger() const { return *run_->measures()->ledger; }
    const sim::Trace& trace() const { return run_->trace(); }

    std::shared_ptr<sim::Run> run_;
    std::shared_ptr<const sim::History> history_;
};

Sum sumOf(const std::vector<CostNode>& nodes) {
    Sum sum;
    for (const CostNode& n : nodes) {
        sum.first += n.accesses;
        sum.second += n.cycles;
    }
    return sum;
}

TEST_P(Agreement, EachViewHasAllStallCycles) {
    Sum all{run_->totals().accesses(), 0};
    for (const sim::Cycles cycles : run_->measures()->cycles) all.second += cycles;
    EXPECT_EQ(history_->cycles(), all.second);
    EXPECT_EQ(sumOf(history_->sources), all);
    EXPECT_EQ(sumOf(history_->objects), all);
    EXPECT_EQ(sumOf(history_->words), all);
    for (const sim::HistoryLevel& level : history_->levels) {
        Sum blocks;
        for (const sim::HistoryBlock& b : level.blocks) {
            blocks.first += b.accesses;
            blocks.second += b.cost;
        }
        EXPECT_EQ(blocks, all) << level.name;
    }
}

TEST_P(Agreement, SourceLinesAreThoseOfTheLedger) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, Sum> lines;
    for (std::size_t s = 0; s < ledger().sites.rows(); ++s) {
        const sim::Site& site = trace().sites()[s];
        Sum& line = lines[{site.file, site.line}];
        line.first += ledger().sites.accesses(s);
        line.second += ledger().sites.cycles(s);
    }
    std::erase_if(lines, [](const auto& line) { return line.second == Sum{}; });
    std::map<std::pair<std::uint32_t, std::uint32_t>, Sum> shown;
    for (const CostNode& n : history_->sources) {
        const sim::Site& site = trace().site(sim::SiteId{n.id});
        if (n.accesses > 0 || n.cycles > 0) shown[{site.file, site.line}] = {n.accesses, n.cycles};
    }
    EXPECT_GT(shown.size(), 1u);
    EXPECT_EQ(shown, lines);
}

TEST_P(Agreement, ObjectsAndRegionsAreThoseOfTheLedger) {
    for (const CostNode& n : history_->objects) {
        if (n.kind == CostNode::Kind::word) continue;
        const bool isObject = n.kind == CostNode::Kind::object;
        const sim::TallyTable& table = isObject ? ledger().objects : ledger().owners;
        // A region may also be the owner of objects, which the view shows apart.
        if (!isObject && !trace().owners().objects(n.id).empty()) continue;
        EXPECT_EQ((Sum{n.accesses, n.cycles}), (Sum{table.accesses(n.id), table.cycles(n.id)})) << n.id;
    }
}

TEST_P(Agreement, BlocksAreThoseOfTheCells) {
    std::map<std::uint64_t, Sum> shown;
    const std::uint64_t size = history_->levels[0].blockSize;
    for (const sim::HistoryBlock& b : history_->levels[0].blocks) {
        if (b.accesses > 0 || b.cost > 0) shown[b.block.value * size] = {b.accesses, b.cost};
    }
    sim::Progress progress;
    const auto cells =
        sim::cellsOf(*run_, {.range = {sim::Tick{0}, sim::Tick{trace().size()}}, .grain = size}, progress);
    std::map<std::uint64_t, Sum> description;
    for (std::size_t i = 0; i < cells->size(); ++i) {
        const sim::CellSums sums = cells->sums(i);
        if (sums.accesses > 0 || sums.cycles > 0) description[cells->address(i).value] = {sums.accesses, sums.cycles};
    }
    EXPECT_EQ(shown, description);
}

/// Stays summed by how they ended equal the counts of the caches; unrecorded accesses end stays too, but do not count.
TEST_P(Agreement, ReplacedStaysAreTheEvictions) {
    const sim::Counters totals = run_->totals();
    std::vector<bool> counts;
    counts.reserve(trace().size());
    trace().forEach(Tick{0}, Tick{trace().size()},
                    [&](Tick, const sim::Access& a) { counts.push_back(!a.unrecorded); });
    for (std::size_t l = 0; l < history_->levels.size(); ++l) {
        const sim::HistoryLevel& level = history_->levels[l];
        ASSERT_EQ(level.leftOut, 0u);
        std::uint64_t replaced = 0;
        std::uint64_t invalidated = 0;
        for (const sim::Stay& s : level.stays) {
            if (s.out == sim::Stay::kNever || !counts[s.out.value]) continue;
            replaced += s.leaving == sim::Leaving::replaced ? 1 : 0;
            invalidated += s.leaving == sim::Leaving::invalidated ? 1 : 0;
        }
        EXPECT_EQ(replaced, totals.level(l).evictions) << level.name;
        EXPECT_EQ(invalidated, totals.level(l).invalidations) << level.name;
    }
}

/// The matrix of collisions between regions has the sums of the table of conflicts.
TEST_P(Agreement, CollisionsAreTheConflicts) {
    const sim::Collisions collisions = sim::collisionsOf(*history_, trace(), sim::CollisionsOf::region);
    std::map<std::uint32_t, std::uint64_t> shown;
    std::map<std::uint32_t, std::uint64_t> description;
    for (const sim::Collision& c : collisions.cells) shown[static_cast<std::uint32_t>(c.level)] += c.count();
    for (const auto& [pair, count] : ledger().regionConflicts) description[pair.level] += count;
    EXPECT_EQ(shown, description);
}

INSTANTIATE_TEST_SUITE_P(Programs, Agreement,
                         testing::Values("vecadd", "vecadd:chunk=1", "windtunnel:particles=40,steps=1"));

}  // namespace
}  // namespace whorl::app
