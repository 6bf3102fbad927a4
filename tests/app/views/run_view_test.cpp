// The history of a run, requested when views need it, and again when they need another; and the list of the runs shown.
#include "app/views/run_views.h"

#include <gtest/gtest.h>

#include <thread>

#include "app/system/threads.h"
#include "app/tasks/queued_runner.h"
#include "sim/replay/measuring.h"
#include "support/sessions.h"
#include "support/sharing_trace.h"
#include "support/view_names.h"

namespace whorl::app {
namespace {

/// The view of a session's run; its background work runs when the test says so.
struct RunViewTest : testing::Test {
    Session s = sharingSession();
    QueuedRunner runner;

    /// As over several frames, until nothing is pending.
    void settle(RunView& view) {
        do {
            runner.runAll();
            view.update(s);
        } while (view.working());
    }
    static const sim::History* historyOf(const RunView& view) {
        return view.historyViews() == nullptr ? nullptr : &view.historyViews()->history();
    }
};

TEST_F(RunViewTest, AsksForTheHistoryOnlyWhenAViewNeedsIt) {
    RunView view(s.opened, runner);
    settle(view);
    EXPECT_EQ(historyOf(view), nullptr) << "the rings do without";
    s.viewSettings.toggle(kSources);
    view.update(s);
    EXPECT_TRUE(view.working());
    settle(view);
    ASSERT_NE(historyOf(view), nullptr);
    EXPECT_EQ(historyOf(view)->to, sim::Tick{7});
    EXPECT_TRUE(view.historyViews()->of({ViewId::Kind::blocks, 1}).has({ViewId::Kind::blocks, 1}));
    EXPECT_FALSE(view.historyViews()->of({ViewId::Kind::blocks, 2}).has({ViewId::Kind::blocks, 2}));
    EXPECT_TRUE(view.historyViews()->folded().wordsFit()) << "of four objects";
    const auto known = historyOf(view);
    s.viewSettings.toggle(kSources);
    settle(view);
    EXPECT_EQ(historyOf(view), known) << "it stays when they are put away";
}

TEST_F(RunViewTest, DoesNotWaitForWhatIsHidden) {
    s.viewSettings.place = sim::Place{.from = sim::ByteAddress{0x1000}, .bytes = 32};
    const auto frames = [&](RunView& view) {
        for (int i = 0; i < 3; ++i) {
            runner.beginRound();
            view.update(s);
        }
    };
    std::size_t computed = 0;
    for (const ViewId& shown : viewsOf(s.opened.run->machine())) {
        RunView view(s.opened, runner);
        s.viewSettings.shown = {shown};
        s.viewSettings.path = s.panels = true;
        frames(view);
        EXPECT_EQ(view.working(), runner.waiting() > 0) << wordOf(shown);
        computed += view.working() ? 1 : 0;
        s.viewSettings.shown = {ViewId{}};
        s.viewSettings.path = s.panels = false;
        frames(view);
        EXPECT_FALSE(view.working()) << wordOf(shown);
        runner.runAll();
        frames(view);
        EXPECT_FALSE(view.working()) << wordOf(shown);
    }
    EXPECT_GT(computed, 5U);
}

TEST_F(RunViewTest, WaitsForARunThatIsBeingBuilt) {
    s.opened.run = std::make_shared<sim::Run>(s.opened.run->sharedTrace(), s.opened.run->machine());
    s.viewSettings.toggle(kSources);
    RunView view(s.opened, runner);
    settle(view);
    EXPECT_EQ(historyOf(view), nullptr);
    sim::Progress progress;
    s.opened.run->build(progress);
    settle(view);
    EXPECT_NE(historyOf(view), nullptr);
}

/// Its pass through the accesses is its own: on two processors, neither waits for the other.
TEST_F(RunViewTest, MakesAHistoryBesideTheBuilding) {
    const Opened whole = openedFor({.input = "matmul:n=64", .machine = "paper"});
    const sim::Tick end{whole.run->trace().size()};
    s.opened = whole;
    s.opened.run = std::make_shared<sim::Run>(whole.run->sharedTrace(), whole.run->machine());
    s.viewSettings.toggle(kSources);
    sim::Progress progress;
    s.opened.run->buildUntil(sim::Tick{1}, progress);
    const sim::Tick built = s.opened.run->built();
    ASSERT_GT(built, sim::Tick{0});
    ASSERT_LT(built, end);
    RunView view(s.opened, runner);
    settle(view);
    ASSERT_NE(historyOf(view), nullptr);
    EXPECT_EQ(historyOf(view)->to, end);
    EXPECT_EQ(historyOf(view)->cycles(), sim::historyOf(*whole.run, {sim::Tick{0}, end}, progress)->cycles());
    EXPECT_EQ(s.opened.run->built(), built);
    // A range whose beginning is not built has no state to start from.
    s.range = sim::Range{sim::Tick{built.value + 1}, end};
    RunView later(s.opened, runner);
    settle(later);
    EXPECT_EQ(historyOf(later), nullptr);
    s.range = sim::Range{built, end};
    settle(later);
    ASSERT_NE(historyOf(later), nullptr);
    EXPECT_EQ(historyOf(later)->cycles(), sim::historyOf(*whole.run, *s.range, progress)->cycles());
}

/// Both at once, in threads of their own.
TEST_F(RunViewTest, MakesAHistoryWhileTheRunIsBuilt) {
    const Opened whole = openedFor({.input = "matmul:n=64", .machine = "paper"});
    s.opened = whole;
    s.opened.run = std::make_shared<sim::Run>(whole.run->sharedTrace(), whole.run->machine());
    s.viewSettings.toggle(kSources);
    sim::Progress progress;
    std::thread building([&] { s.opened.run->build(progress); });
    {
        ThreadPool pool;
        RunView view(s.opened, pool);
        while (historyOf(view) == nullptr) {
            view.update(s);
            std::this_thread::yield();
        }
        const sim::Range all{sim::Tick{0}, sim::Tick{whole.run->trace().size()}};
        EXPECT_EQ(historyOf(view)->cycles(), sim::historyOf(*whole.run, all, progress)->cycles());
    }
    building.join();
    EXPECT_EQ(s.opened.run->totals(), whole.run->totals());
}

TEST_F(RunViewTest, DoesNotWaitForARunWhoseTraceIsARecording) {
    sim::TraceParts parts = s.opened.run->trace().parts();
    sim::Recording recording;
    recording.blockSize = {32, 32};
    recording.caches = {2, 1};
    parts.recording = std::make_shared<const sim::Recording>(recording);
    s.opened.run =
        std::make_shared<sim::Run>(std::make_shared<const sim::Trace>(std::move(parts)), s.opened.run->machine());
    s.viewSettings.toggle(kSources);
    RunView view(s.opened, runner);
    settle(view);
    ASSERT_NE(historyOf(view), nullptr);
    s.viewSettings.recorded = false;
    settle(view);
    EXPECT_FALSE(s.opened.run->complete());
}

TEST_F(RunViewTest, HasTheHistoryOfTheRangeThatIsChosenLast) {
    s.viewSettings.toggle(kSources);
    ThreadPool pool;
    RunView view(s.opened, pool);
    const auto settleInThreads = [&] {
        do {
            view.update(s);
            std::this_thread::yield();
        } while (view.working());
    };
    settleInThreads();
    const auto all = historyOf(view);
    ASSERT_NE(all, nullptr);
    const sim::Cycles cycles = all->cycles();
    s.range = sim::Range{sim::Tick{0}, sim::Tick{3}};
    // As while a handle is dragged: requests that are no longer needed are cancelled.
    for (std::uint64_t from = 0; from < 6; ++from) {
        s.range = sim::Range{sim::Tick{from}, sim::Tick{7}};
        view.update(s);
        EXPECT_NE(historyOf(view), nullptr) << "the last one is shown until another is there";
    }
    settleInThreads();
    EXPECT_EQ(historyOf(view)->from, sim::Tick{5});
    s.range.reset();
    settleInThreads();
    EXPECT_EQ(historyOf(view)->from, sim::Tick{0});
    EXPECT_EQ(historyOf(view)->cycles(), cycles);
}

TEST_F(RunViewTest, BlockViewsShowAllOfTheTimeWhateverTheRange) {
    constexpr ViewId kBlocks{ViewId::Kind::blocks};
    s.viewSettings.toggle(kSources);
    s.viewSettings.toggle(kBlocks);
    RunView view(s.opened, runner);
    settle(view);
    const HistoryViews* const all = view.historyViews(kBlocks);
    ASSERT_NE(all, nullptr);
    EXPECT_EQ(view.historyViews(kSources), all) << "one history, while no range is selected";
    s.range = sim::Range{sim::Tick{1}, sim::Tick{3}};
    settle(view);
    EXPECT_EQ(view.historyViews(kBlocks), all) << "it is not computed again";
    EXPECT_EQ(view.historyViews(kSources)->history().from, sim::Tick{1});
    EXPECT_EQ(view.historyViews(), view.historyViews(kSources));
    s.range.reset();
    view.update(s);
    EXPECT_FALSE(view.working()) << "it is there";
    EXPECT_EQ(view.historyViews(kSources), all);
    // A run that is opened while a range is selected.
    s.range = sim::Range{sim::Tick{1}, sim::Tick{3}};
    RunView other(s.opened, runner);
    settle(other);
    EXPECT_EQ(other.historyViews(kBlocks)->history().to, sim::Tick{7});
    EXPECT_EQ(other.historyViews(kSources)->history().to, sim::Tick{3});
}

TEST_F(RunViewTest, WhatWasStoppedIsAskedAgainOnceAnotherHistoryIsNeeded) {
    s.viewSettings.toggle(kSources);
    RunView view(s.opened, runner);
    view.update(s);
    view.cancel();
    settle(view);
    s.range = sim::Range{sim::Tick{1}, sim::Tick{7}};
    settle(view);
    s.range.reset();
    settle(view);
    ASSERT_NE(historyOf(view), nullptr);
    EXPECT_EQ(historyOf(view)->from, sim::Tick{0});
}

TEST_F(RunViewTest, WhatIsStoppedIsNotAskedAgain) {
    s.viewSettings.toggle(kSources);
    RunView view(s.opened, runner);
    view.update(s);
    view.cancel();
    settle(view);
    view.update(s);
    EXPECT_FALSE(view.working());
    EXPECT_EQ(historyOf(view), nullptr);
    s.range = sim::Range{sim::Tick{1}, sim::Tick{7}};
    settle(view);
    ASSERT_NE(historyOf(view), nullptr);
    EXPECT_EQ(historyOf(view)->from, sim::Tick{1});
}

using RunViewsTest = RunViewTest;

TEST_F(RunViewsTest, FollowTheRunsOfTheSession) {
    RunViews views(runner);
    Session none;
    views.follow(none);
    EXPECT_EQ(views.size(), 0u);
    EXPECT_EQ(views.open(), nullptr);
    views.follow(s);
    ASSERT_EQ(views.size(), 1u);
    RunView* const before = views.open();
    EXPECT_EQ(before->run(), s.opened.run);
    views.follow(s);
    EXPECT_EQ(views.open(), before);
    // The open run becomes the baseline of the comparison.
    s.compared = {{.opened = s.opened, .unchanged = true}};
    s.opened = sharingSession().opened;
    views.follow(s);
    ASSERT_EQ(views.size(), 2u);
    EXPECT_EQ(views.at(1), before);
    EXPECT_EQ(views.open()->run(), s.opened.run);
    EXPECT_EQ(views.at(2), nullptr);
}

/// The counts beside a picture are those of `measure`, of a range and of what has been played.
TEST_F(RunViewsTest, CountWhatIsMeasured) {
    RunViews views(runner);
    views.follow(s);
    const gl::Rect canvas{0, 0, 600, 400};
    s.player.seek(5, s.end());
    views.update(s, tilesOn(s, canvas, 1), canvas, 1, scene::View::kAtRest);
    const auto measured = [&](sim::Range range) {
        sim::Progress progress;
        return measure(s.opened.run->sharedTrace(), s.opened.run->machine(), range, false, progress).value();
    };
    const auto expectCounts = [&](const sim::Measures& expected) {
        const auto counts = views.open()->countsOf(s);
        EXPECT_EQ(counts->counters, expected.counters);
        EXPECT_EQ(counts->cycles, expected.cycles);
    };
    expectCounts(measured({sim::Tick{0}, sim::Tick{5}}));
    for (const std::uint64_t from : {0, 2, 3}) {
        s.range = sim::Range{sim::Tick{from}, sim::Tick{from + 3}};
        expectCounts(measured(*s.range));
    }
}

TEST_F(RunViewsTest, HaveAPictureOfEachRunAndItsHistory) {
    s.compared = {{.opened = sharingSession().opened, .unchanged = true}};
    s.viewSettings.toggle(kSources);
    s.player.seek(3, s.end());
    const gl::Rect canvas{0, 0, 600, 400};
    const auto tiles = tilesOn(s, canvas, 1);
    RunViews views(runner);
    views.follow(s);
    views.update(s, tiles, canvas, 1, scene::View::kAtRest);
    EXPECT_TRUE(views.working());
    runner.runAll();
    views.update(s, tiles, canvas, 1, scene::View::kAtRest);
    EXPECT_FALSE(views.working());
    EXPECT_FALSE(views.takeError());
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_EQ(views.at(i)->composer().picture()->snapshot.t, 3) << i;
        EXPECT_NE(historyOf(*views.at(i)), nullptr) << i;
    }
}

TEST_F(RunViewsTest, CancelTheWorkOfAClosedRun) {
    s.viewSettings.toggle(kSources);
    RunViews views(runner);
    views.follow(s);
    views.open()->update(s);
    EXPECT_EQ(runner.waiting(), 1u);
    s.opened = sharingSession().opened;
    views.follow(s);
    runner.runAll();
    views.open()->update(s);
    EXPECT_TRUE(views.working()) << "for the run that is open now";
    EXPECT_EQ(views.open()->historyViews(), nullptr);
}

}  // namespace
}  // namespace whorl::app
