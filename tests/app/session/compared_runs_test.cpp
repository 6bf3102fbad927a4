// Runs beside the open one: their playheads, their titles, their order.
#include "app/session/compared_runs.h"

#include <gtest/gtest.h>

#include "app/commands/commands.h"
#include "app/tours/presenting.h"
#include "support/sessions.h"

namespace whorl::app {
namespace {

Session sessionWith(const OpenRequest& first, const OpenRequest& second) {
    return comparedRuns({first, second});
}

TEST(TimeLock, IsMonotoneAndTheIdentityForEqualLengths) {
    for (const TimeLock lock : {TimeLock::access, TimeLock::share, TimeLock::line}) {
        const LockedTraces equal{100, 100, nullptr};
        const LockedTraces longer{100, 250, nullptr};
        const LockedTraces shorter{100, 40, nullptr};
        double last = 0;
        for (double t = 0; t <= 100; t += 0.5) {
            EXPECT_EQ(lockedTime(t, lock, equal), t);
            EXPECT_LE(lockedTime(t, lock, shorter), 40);
            EXPECT_GE(lockedTime(t, lock, longer), last);
            last = lockedTime(t, lock, longer);
        }
        EXPECT_EQ(last, lock == TimeLock::access ? 100 : 250);
        EXPECT_EQ(lockedTime(0, lock, {0, 5, nullptr}), 0);
    }
    EXPECT_EQ(possibleLock(TimeLock::line, {1, 1, nullptr}), TimeLock::share);
}

TEST(ComparedRun, SeesTheSessionAtItsOwnTime) {
    Session s = sessionWith({.input = "matmul:n=8"}, {.input = "matmul:n=8,variant=blocked"});
    const auto first = static_cast<double>(s.opened.run->trace().size());
    const auto second = static_cast<double>(s.compared[0].opened.run->trace().size());
    apply(s, command::Seek{first / 2});
    EXPECT_EQ(contextOf(s, 0).player.position(), first / 2);
    EXPECT_EQ(contextOf(s, 1).player.position(), first / 2) << "by access";
    s.lock = TimeLock::share;
    EXPECT_DOUBLE_EQ(contextOf(s, 1).player.position(), second / 2);
    s.range = sim::Range{sim::Tick{0}, sim::Tick{s.opened.run->trace().size()}};
    EXPECT_EQ(contextOf(s, 1).range->to.value, s.compared[0].opened.run->trace().size());
    EXPECT_EQ(contextOf(s, 1).opened.run, s.compared[0].opened.run);
}

TEST(ComparedRun, RegionsOfTheSameNameHaveTheSameHue) {
    Session s = sessionWith({.input = "matmul:n=8"}, {.input = "matmul:n=8,variant=blocked"});
    const scene::Rgba red{230, 25, 25, 255};
    s.ringView.hues[1] = red;
    const auto hues = contextOf(s, 1).ringView.hues;
    const std::string& name = s.opened.run->trace().regions()[1].name;
    const auto& regions = s.compared[0].opened.run->trace().regions();
    for (std::size_t i = 0; i < regions.size(); ++i) {
        if (regions[i].name != name) continue;
        ASSERT_TRUE(hues.contains(i));
        EXPECT_EQ(hues.at(i), red);
    }
}

TEST(ComparedRun, TitlesSayOnlyWhatDiffers) {
    using Titles = std::vector<std::string>;
    EXPECT_EQ(titlesOfRuns(sessionWith({.input = "matmul:n=8"}, {.input = "matmul:n=8,variant=blocked"})),
              (Titles{"plain loops", "in blocks"}));
    EXPECT_EQ(titlesOfRuns(sessionWith({.input = "matmul:n=8", .settings = {"L1.ways=1"}},
                                       {.input = "matmul:n=8", .settings = {"L1.ways=2"}})),
              (Titles{"1 way in L1", "2 ways in L1"}));
    EXPECT_EQ(titlesOfRuns(sessionWith({.input = "conflict:n=8", .machine = "256/1/32, 1K/4/32"},
                                       {.input = "conflict:n=8", .machine = "256/2/32, 1K/4/32"})),
              (Titles{"1 way in L1", "2 ways in L1"}));
    EXPECT_EQ(titlesOfRuns(sessionWith({.input = "matmul:n=8", .machine = "256/8/32", .settings = {"L1.write=through"}},
                                       {.input = "matmul:n=8", .machine = "256/8/32"})),
              (Titles{"write-through in L1", "write-back in L1"}));
    EXPECT_EQ(titlesOfRuns(sessionWith({.input = "matmul:n=8", .machine = "paper"},
                                       {.input = "matmul:n=8", .machine = "direct"})),
              (Titles{"paper", "direct"}));
}

TEST(ComparedRun, FullTitlesAndTheirCommonPart) {
    const Session programs = sessionWith({.input = "matmul:n=8", .machine = "paper"},
                                         {.input = "matmul:n=8,variant=blocked", .machine = "paper"});
    EXPECT_EQ(fullTitleOfRun(programs, 0), "matmul:n=8 on machine paper");
    EXPECT_EQ(fullTitleOfRun(programs, 1), "matmul:n=8,variant=blocked on machine paper");
    EXPECT_EQ(commonTitleOfRuns(programs), "matmul on machine paper");
    const Session alike = sessionWith({.input = "matmul:n=8", .machine = "256/8/32"},
                                      {.input = "matmul:n=8,variant=blocked", .machine = "256/8/32"});
    EXPECT_EQ(fullTitleOfRun(alike, 0), "matmul:n=8") << "what both have tells neither from the other";
    const Session machines =
        sessionWith({.input = "matmul:n=8", .machine = "paper"}, {.input = "matmul:n=8", .machine = "direct"});
    EXPECT_EQ(fullTitleOfRun(machines, 1), "matmul:n=8 on machine direct");
    EXPECT_EQ(commonTitleOfRuns(machines), "matmul:n=8 on 2 machines");
    const Session settings = sessionWith({.input = "matmul:n=8", .machine = "paper", .settings = {"L1.ways=1"}},
                                         {.input = "matmul:n=8", .machine = "paper", .settings = {"L1.ways=2"}});
    EXPECT_EQ(fullTitleOfRun(settings, 0), "1 way in L1: matmul:n=8 on machine paper, L1.ways=1");
    EXPECT_EQ(commonTitleOfRuns(settings), "matmul:n=8 on machine paper");
    const Session both = sessionWith({.input = "matmul:n=8", .machine = "paper", .settings = {"L1.write=through"}},
                                     {.input = "matmul:n=8", .machine = "direct"});
    EXPECT_EQ(fullTitleOfRun(both, 0), "write-through in L1: matmul:n=8 on machine paper, L1.write=through");
    EXPECT_EQ(fullTitleOfRun(both, 1), "write-back in L1: matmul:n=8 on machine direct") << "the machine once";
}

TEST(ComparedRun, TheUnchangedStandsFirstAndTheFirstTwoCanBeExchanged) {
    Session s = sessionWith({.input = "matmul:n=6"}, {.input = "matmul:n=6,variant=blocked"});
    EXPECT_EQ(orderOfRuns(s), (std::vector<std::size_t>{0, 1}));
    apply(s, command::Exchange{true});
    EXPECT_EQ(orderOfRuns(s), (std::vector<std::size_t>{1, 0}));
    apply(s, command::Exchange{false});
    s.compared[0].unchanged = true;
    EXPECT_EQ(orderOfRuns(s), (std::vector<std::size_t>{1, 0}));
    EXPECT_EQ(titlesOfRuns(s).front(), "plain loops, changed");
}

/// Comparing goes on when the machine changes, and ends when something else is opened.
TEST(ComparedRun, StaysWhileTheAccessesAreTheSame) {
    Session s = sessionWith({.input = "matmul:n=6"}, {.input = "matmul:n=6,variant=blocked"});
    sim::Progress progress;
    enterRun(s, open({.input = "matmul:n=6", .machine = "direct"}, s.opened.run->sharedTrace(), progress).value());
    EXPECT_EQ(s.compared.size(), 1u);
    enterRun(s, openedFor({.input = "bubblesort"}));
    EXPECT_TRUE(s.compared.empty());
}

}  // namespace
}  // namespace whorl::app
