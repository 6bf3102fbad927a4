// The history of a run, asked for when views need it, and again when they want another.
#include "app/tasks/history_keeper.h"

#include <gtest/gtest.h>

#include <thread>

#include "app/views/run_view.h"
#include "app/views/sharing_trace.h"

namespace whorl::app {
namespace {

constexpr ViewId kSources{ViewId::Kind::sources};

/// Asks until there is nothing to wait for.
void settle(HistoryKeeper& keeper, const Session& s) {
    do {
        keeper.update(s.opened.run, s);
        std::this_thread::yield();
    } while (keeper.working());
}

TEST(HistoryKeeper, AsksOnlyWhenAViewNeedsIt) {
    Session s = sharingSession();
    HistoryKeeper keeper;
    settle(keeper, s);
    EXPECT_EQ(keeper.history(), nullptr) << "the rings do without";
    s.viewSettings.toggle(kSources);
    keeper.update(s.opened.run, s);
    EXPECT_TRUE(keeper.working());
    settle(keeper, s);
    ASSERT_NE(keeper.history(), nullptr);
    EXPECT_EQ(keeper.history()->to, sim::Tick{7});
    const auto known = keeper.history();
    s.viewSettings.toggle(kSources);
    settle(keeper, s);
    EXPECT_EQ(keeper.history(), known) << "it stays when they are put away";
}

TEST(HistoryKeeper, WaitsForARunThatIsBeingBuilt) {
    Session s = sharingSession();
    s.opened.run = std::make_shared<sim::Run>(s.opened.run->sharedTrace(), s.opened.run->machine());
    s.viewSettings.toggle(kSources);
    HistoryKeeper keeper;
    settle(keeper, s);
    EXPECT_EQ(keeper.history(), nullptr);
    sim::Progress progress;
    s.opened.run->build(progress);
    settle(keeper, s);
    EXPECT_NE(keeper.history(), nullptr);
    keeper.update(nullptr, Session{});
    EXPECT_EQ(keeper.history(), nullptr);
}

TEST(HistoryKeeper, DoesNotWaitForARunWhereTheTraceTellsItself) {
    Session s = sharingSession();
    sim::TraceParts parts = s.opened.run->trace().parts();
    sim::Recording recording;
    recording.blockSize = {32, 32};
    recording.caches = {2, 1};
    parts.recording = std::make_shared<const sim::Recording>(recording);
    s.opened.run =
        std::make_shared<sim::Run>(std::make_shared<const sim::Trace>(std::move(parts)), s.opened.run->machine());
    s.viewSettings.toggle(kSources);
    HistoryKeeper keeper;
    settle(keeper, s);
    ASSERT_NE(keeper.history(), nullptr);
    s.viewSettings.recorded = false;
    settle(keeper, s);
    EXPECT_FALSE(s.opened.run->complete());
}

TEST(HistoryKeeper, TellsOfTheRangeThatIsChosenLast) {
    Session s = sharingSession();
    s.viewSettings.toggle(kSources);
    HistoryKeeper keeper;
    settle(keeper, s);
    const auto all = keeper.history();
    s.range = Range{sim::Tick{0}, sim::Tick{3}};
    keeper.update(s.opened.run, s);
    EXPECT_EQ(keeper.history(), all) << "until the other is there";
    // As while a handle is dragged: what is no longer wanted is given up.
    for (std::uint64_t from = 0; from < 6; ++from) {
        s.range = Range{sim::Tick{from}, sim::Tick{7}};
        keeper.update(s.opened.run, s);
    }
    settle(keeper, s);
    EXPECT_EQ(keeper.history()->from, sim::Tick{5});
    s.range.reset();
    settle(keeper, s);
    EXPECT_EQ(keeper.history()->from, sim::Tick{0});
    EXPECT_EQ(keeper.history()->cycles(), all->cycles());
}

TEST(HistoryKeeper, HasNothingOfAnotherRun) {
    Session s = sharingSession();
    s.viewSettings.toggle(kSources);
    HistoryKeeper keeper;
    settle(keeper, s);
    ASSERT_NE(keeper.history(), nullptr);
    Session other = sharingSession();
    other.viewSettings.toggle(kSources);
    keeper.update(other.opened.run, other);
    EXPECT_EQ(keeper.history(), nullptr);
    settle(keeper, other);
    EXPECT_NE(keeper.history(), nullptr);
}

TEST(HistoryKeeper, WhatIsStoppedIsNotAskedAgain) {
    Session s = sharingSession();
    s.viewSettings.toggle(kSources);
    HistoryKeeper keeper;
    keeper.update(s.opened.run, s);
    keeper.cancel();
    settle(keeper, s);
    const auto known = keeper.history();  // it may have been quicker
    settle(keeper, s);
    EXPECT_EQ(keeper.history(), known);
    s.range = Range{sim::Tick{1}, sim::Tick{7}};
    settle(keeper, s);
    ASSERT_NE(keeper.history(), nullptr);
    EXPECT_EQ(keeper.history()->from, sim::Tick{1});
}

TEST(RunView, HasAGalleryAsSoonAsThereIsAHistory) {
    Session s = sharingSession();
    RunView runView(s.opened);
    runView.update(s);
    EXPECT_EQ(runView.historyViews(), nullptr);
    s.viewSettings.toggle(kSources);
    do {
        runView.update(s);
        std::this_thread::yield();
    } while (runView.history().working());
    runView.update(s);
    ASSERT_NE(runView.historyViews(), nullptr);
    EXPECT_EQ(runView.historyViews()->shared(), runView.history().history());
    EXPECT_TRUE(runView.historyViews()->has({ViewId::Kind::blocks, 1}));
    EXPECT_FALSE(runView.historyViews()->has({ViewId::Kind::blocks, 2}));
    EXPECT_TRUE(runView.historyViews()->wordsFit()) << "of four objects";
}

}  // namespace
}  // namespace whorl::app
