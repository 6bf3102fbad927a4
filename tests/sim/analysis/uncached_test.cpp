// A machine without any cache: every analysis has an answer, and all cycles are memory's.
#include <gtest/gtest.h>

#include "sim/analysis/causes.h"
#include "sim/analysis/cell_table.h"
#include "sim/analysis/collisions.h"
#include "sim/analysis/explain.h"
#include "sim/analysis/history_help.h"
#include "sim/analysis/place_history.h"
#include "sim/analysis/quiz/question.h"
#include "sim/analysis/reuse.h"
#include "sim/analysis/sharing.h"
#include "sim/analysis/why.h"
#include "sim/replay/run.h"
#include "sim/replay/snapshot.h"
#include "sim/report/sentence.h"
#include "support/rounds.h"

namespace whorl::sim {
namespace {

class Uncached : public testing::Test {
  protected:
    void make(std::uint64_t seed) {
        const reference::Case c = reference::uncachedCase(seed, 300);
        run_ = test::built(test::decorated(c.trace, seed), c.machine);
        all_ = {Tick{0}, Tick{run_->trace().size()}};
    }
    Cycles cycles() {
        Cycles sum = 0;
        const Measures measures = run_->between(all_, progress_).value();
        for (const Cycles of : measures.cycles) sum += of;
        return sum;
    }

    std::shared_ptr<const sim::Run> run_;
    Range all_;
    Progress progress_;
};

TEST_F(Uncached, TablesAddUp) {
    for (std::uint64_t seed = 0; seed < testRounds(60); ++seed) {
        make(seed);
        const Measures measures = run_->between(all_, progress_).value();
        Cycles ofRegions = 0;
        for (std::size_t r = 0; r < measures.ledger->owners.rows(); ++r) ofRegions += measures.ledger->owners.cycles(r);
        EXPECT_EQ(ofRegions, cycles()) << "seed " << seed;
        EXPECT_GE(measures.counters.memory.reads + measures.counters.memory.writes, measures.counters.accesses());
        const auto cells = cellsOf(*run_, {.range = all_, .grain = 16}, progress_);
        CellSums sums = cells->total();
        EXPECT_EQ(sums.cycles, cycles());
        EXPECT_EQ(sums.accesses, measures.counters.accesses());
        EXPECT_TRUE(usableParts(run_->trace(), run_->machine(), progress_)->blocks.empty());
    }
}

TEST_F(Uncached, NothingIsEvictedAndAllIsLost) {
    for (std::uint64_t seed = 0; seed < testRounds(20); ++seed) {
        make(seed);
        const auto history = historyOf(*run_, all_, progress_, {});
        ASSERT_NE(history, nullptr);
        EXPECT_TRUE(history->levels.empty());
        EXPECT_TRUE(collisionsOf(*history, run_->trace(), CollisionsOf::region).cells.empty());
        EXPECT_TRUE(sharingOf(*run_, all_, progress_)->blocks.empty());
        EXPECT_TRUE(causesOf(*run_, all_, 0, ByteAddress{0}, 1 << 20, 8, progress_)->misses.empty());
        const WhyReport why = whyOf(run_->sharedTrace(), run_->machine(), {}, progress_).value();
        EXPECT_EQ(why.lost, why.cycles);
        EXPECT_EQ(why.cycles, cycles());
        for (const StallRow& row : why.lines) EXPECT_FALSE(row.cure);
    }
}

TEST_F(Uncached, EveryAccessIsServedByMemory) {
    make(2);
    SnapshotReader reader(run_);
    std::size_t recorded = 0;
    for (std::uint64_t t = 1; t <= all_.to.value; ++t) {
        const Snapshot snapshot = reader.at(static_cast<double>(t), {.steps = 1});
        const Step& step = snapshot.recent.back();
        EXPECT_FALSE(questionAt(*run_, 0, step.tick));
        EXPECT_TRUE(explainAccess(step, run_->machine()).empty());
        EXPECT_TRUE(factsOf(step, run_->trace(), run_->machine()).empty());
        if (step.access.unrecorded) continue;
        ++recorded;
        const std::string words = sentenceFor(step, run_->trace(), run_->machine());
        EXPECT_NE(words.find("served by memory"), std::string::npos) << words;
        EXPECT_EQ(servedBy(step, run_->machine()), 0u);
    }
    EXPECT_GT(recorded, 50u);
    const auto history =
        placeHistoryOf(*run_, {.kind = Place::Kind::memory, .from = ByteAddress{0}, .bytes = 1 << 14}, all_, progress_);
    for (const PlaceAccess& access : history->accesses) {
        EXPECT_EQ(access.served, 0u);
        EXPECT_FALSE(access.hit);
    }
}

}  // namespace
}  // namespace whorl::sim
