// Finer sums of what is seen: asked for where they would be finer, used where they reach.
#include "app/views/seen_overview.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "app/tasks/queued_runner.h"
#include "sim/analysis/history_help.h"
#include "support/rounds.h"

namespace whorl::app {
namespace {

TEST(CloseRange, ContainsWhatIsSeenAndLittleElse) {
    std::mt19937_64 dice(3);
    for (std::uint64_t i = 0; i < testRounds(3000); ++i) {
        const std::uint64_t end = 1 + dice() % 100'000'000;
        const double a = static_cast<double>(dice() % end) + 0.25;
        const double b = a + 0.5 + static_cast<double>(dice() % (end - static_cast<std::uint64_t>(a)));
        const scene::TimeSpan seen{a, std::min(b, static_cast<double>(end))};
        const auto range = closeRangeOf(seen, end, ~std::uint64_t{0});
        ASSERT_TRUE(range);
        EXPECT_LE(static_cast<double>(range->from.value), seen.from);
        EXPECT_GE(static_cast<double>(range->to.value), seen.to);
        EXPECT_LE(range->to.value, end);
        EXPECT_LE(static_cast<double>(range->size()), 4 * (seen.length() + 2));
        // Only where the steps are finer.
        const std::uint64_t step = sim::overviewStep(range->size());
        EXPECT_TRUE(closeRangeOf(seen, end, step + 1));
        EXPECT_FALSE(closeRangeOf(seen, end, step));
    }
}

TEST(SeenOverview, IsThatOfTheRunUntilAFinerOneIsThere) {
    Session s;
    s.opened.run = std::const_pointer_cast<sim::Run>(
        sim::test::built(sim::test::traceOfProgram("mergesort:n=2048"), *sim::loadMachine("paper")));
    const sim::Overview whole = s.opened.run->overview();
    ASSERT_GT(whole.accessesPerBucket(), 1u);
    QueuedRunner runner;
    SeenOverview overview(s.opened.run, runner);
    overview.update(s, whole);
    EXPECT_FALSE(overview.working()) << "all is seen";
    s.seen = scene::TimeSpan{5000.5, 6000.5};
    overview.update(s, whole);
    EXPECT_TRUE(overview.working());
    EXPECT_EQ(&overview.of(s.seen, whole), &whole);
    runner.runAll();
    overview.update(s, whole);
    EXPECT_FALSE(overview.working());
    EXPECT_EQ(overview.of(s.seen, whole).accessesPerBucket(), 1u);
    EXPECT_EQ(&overview.of({}, whole), &whole);
    EXPECT_EQ(&overview.of(scene::TimeSpan{5000, 20000}, whole), &whole) << "it does not reach so far";
    // A short way to the side asks for nothing.
    s.seen = scene::TimeSpan{5001.5, 6001.5};
    overview.update(s, whole);
    EXPECT_FALSE(overview.working());
    EXPECT_EQ(overview.of(s.seen, whole).accessesPerBucket(), 1u);
}

}  // namespace
}  // namespace whorl::app
