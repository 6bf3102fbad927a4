// What a sample says of a trace holds for the whole, as often as it claims; and the progress of parts.
#include "sim/analysis/loss_sample.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <thread>

#include "sim/analysis/history_help.h"
#include "sim/analysis/why.h"
#include "sim/reference/random_cases.h"
#include "sim/report/report.h"
#include "sim/report/why_report.h"
#include "sim/trace/region_file.h"
#include "sim/trace/trace_help.h"
#include "support/machines.h"
#include "support/rounds.h"

namespace whorl::sim {
namespace {

using test::SharedTrace;

/// A trace of two random programs, one after the other, whose memory has names.
SharedTrace randomPhases(const reference::Case& first, std::uint64_t seed, std::size_t accesses) {
    std::vector<Access> all = first.trace;
    for (Access a : reference::randomCase(seed + 100'000, accesses).trace) {
        a.cpu = static_cast<std::uint8_t>(a.cpu % first.machine.cpus);
        all.push_back(a);
    }
    const SharedTrace plain = test::decorated(all, seed);
    std::vector<Region> regions;
    for (const Region& r : plain->regions()) {
        if (r.origin == RegionOrigin::inferred) regions.push_back(r);
    }
    for (Region& r : regions) r.origin = RegionOrigin::declared;
    return test::shared(withRegions(*plain, std::move(regions), "names").value());
}

/// How many intervals hold the true values, of how many.
struct Held {
    std::size_t times = 0;
    std::size_t of = 0;

    void add(double value, double truth, double within) {
        ++of;
        if (std::abs(value - truth) <= within) ++times;
    }
    double share() const { return of == 0 ? 1 : static_cast<double>(times) / static_cast<double>(of); }
};

/// Counts each trial once, though it may have been made for several rows.
void compare(const WhyReport& sampled, const WhyReport& exact, Held& savings, Held& misses) {
    std::vector<LayoutChanges> counted;
    for (const auto& rows : {&WhyReport::lines, &WhyReport::arrays}) {
        ASSERT_EQ((sampled.*rows).size(), (exact.*rows).size());
        for (std::size_t r = 0; r < (exact.*rows).size(); ++r) {
            const StallRow& some = (sampled.*rows)[r];
            const StallRow& all = (exact.*rows)[r];
            // Tables are exact.
            EXPECT_EQ(some.name, all.name);
            EXPECT_EQ(some.lost, all.lost);
            EXPECT_EQ(some.accesses, all.accesses);
            EXPECT_EQ(some.misses, all.misses);
            ASSERT_EQ(some.tried.size(), all.tried.size());
            for (const Trial& trial : some.tried) {
                const auto same = std::find_if(all.tried.begin(), all.tried.end(),
                                               [&](const Trial& t) { return t.changes == trial.changes; });
                ASSERT_NE(same, all.tried.end());
                const std::size_t before = counted.size();
                addNew(counted, trial.changes);
                if (counted.size() == before) continue;
                savings.add(static_cast<double>(trial.cycles), static_cast<double>(same->cycles),
                            static_cast<double>(trial.within));
                EXPECT_EQ(trial.padding, same->padding);
            }
            if (!some.cure || !all.cure || some.cure->changes != all.cure->changes) continue;
            for (std::size_t l = 0; l < all.missesThen.size(); ++l) {
                misses.add(some.missesThen[l].value, all.missesThen[l].value, some.missesThen[l].within + 1);
            }
        }
    }
}

/// A built-in program on a machine that is random, too, or random phases.
SharedTrace randomProgram(const reference::Case& random, std::uint64_t seed, std::size_t accesses) {
    constexpr std::array<const char*, 5> kPrograms = {"matmul:n=20", "vecadd:n=2000", "conflict", "mpm:steps=1",
                                                      "nbody:bodies=16,steps=4"};
    if (seed % 3 != 0) return test::traceOfProgram(kPrograms[seed % kPrograms.size()]);
    return randomPhases(random, seed, accesses);
}

TEST(LossSample, IntervalsHold) {
    constexpr std::size_t kAccesses = 4000;
    const std::uint64_t rounds = testRounds(80);
    Held savings;
    Held misses;
    std::size_t cases = 0;
    for (std::uint64_t seed = 0; seed < rounds; ++seed) {
        SCOPED_TRACE(fmt::format("seed {}", seed));
        const reference::Case random = reference::randomCase(seed, kAccesses);
        const SharedTrace trace = randomProgram(random, seed, kAccesses);
        Progress progress;
        const SamplePlan plan{.segment = 32, .draws = 32, .warmUp = 64};
        const auto sampled = whyOf(trace, random.machine, {.plan = plan}, progress);
        if (!sampled || sampled->played == trace->size()) continue;
        EXPECT_LE(sampled->played, trace->size() / 2);
        Progress again;
        const WhyReport exact = whyOf(trace, random.machine, {.exact = true}, again).value();
        EXPECT_EQ(exact.played, trace->size());
        compare(*sampled, exact, savings, misses);
        ++cases;
    }
    // The trials of a case are alike, so that there are as many chances as cases: twice their deviation is allowed.
    const double chance = 2 * std::sqrt(0.95 * 0.05 / static_cast<double>(std::max<std::size_t>(cases, 1)));
    EXPECT_GE(savings.share(), 0.95 - chance) << savings.times << " of " << savings.of;
    EXPECT_GE(misses.share(), 0.95 - chance) << misses.times << " of " << misses.of;
    EXPECT_GE(cases, rounds / 4);
    RecordProperty("held", fmt::format("{} cases, savings {} of {}, misses {} of {}", cases, savings.times, savings.of,
                                       misses.times, misses.of));
}

TEST(LossSample, IsExactWhereEachWindowSavesTheSameShare) {
    const SharedTrace trace = test::traceOfProgram("matmul:n=12");
    Stalls stalls{.tallies = {}, .segment = 16, .lostBySegment = {}};
    for (std::uint64_t t = 0; t < trace->size(); t += 16) stalls.lostBySegment.push_back(t % 7 == 0 ? 1000 : t % 5);
    const LossSample sample(*trace, stalls, {.segment = 16, .draws = 20, .warmUp = 8});
    std::vector<double> before;
    std::vector<double> after;
    std::size_t draws = 0;
    Tick last;
    for (const SampleWindow& window : sample.windows()) {
        EXPECT_LE(last, window.from);
        EXPECT_LE(window.from, window.counted.from);
        EXPECT_EQ(window.counted.from.value % 16, 0u);
        last = window.counted.to;
        draws += window.draws;
        before.push_back(static_cast<double>(stalls.lostBySegment[window.counted.from.value / 16]));
        after.push_back(before.back() / 4);
    }
    EXPECT_EQ(draws, 20u);
    const Estimate quarter = sample.after(before, after, 400);
    EXPECT_DOUBLE_EQ(quarter.value, 100);
    EXPECT_NEAR(quarter.within, 0, 1e-9);
}

// In words.

TEST(LossSample, SaysHowFarOffItMayBe) {
    WhyReport report{.trace = "t", .machine = test::simplyTimed("128/4/32")};
    report.accesses = 1000;
    report.lost = 100'000;
    report.tried = 1;
    report.played = 250;
    StallRow row{.name = "B", .accesses = 500, .misses = {KindCounts{10, 90}}, .stays = {StaySum{}}, .lost = 90'000};
    row.array.name = "B";
    row.cure =
        Trial{.changes = {{.kind = LayoutChange::Kind::transpose, .thing = "B"}}, .cycles = 66'300, .within = 1'801};
    row.savesAt = 0;
    row.missesThen = {{.value = 25, .within = 3.2}};
    EXPECT_NE(adviceFor(row, report).find("25 ± 4.0 % of them, -66 ± 1.9 % stall cycles"), std::string::npos)
        << adviceFor(row, report);
    EXPECT_TRUE(trialsInWords(report).starts_with("1 other layout was tried on a sample of 250 of the 1 000 accesses"));
    // What rounds to nothing is shown, as it may be more; that of a whole trace is not.
    row.tried = {*std::exchange(row.cure, std::nullopt)};
    row.tried[0].cycles = -10;
    EXPECT_TRUE(adviceFor(row, report).ends_with("tried: transpose:B 0 ± 1.9 %")) << adviceFor(row, report);
    row.tried[0].cycles = -100;
    EXPECT_TRUE(adviceFor(row, report).ends_with("tried: transpose:B +0.1 ± 1.9 %")) << adviceFor(row, report);
    row.tried[0] = {.changes = row.tried[0].changes, .cycles = 10};
    EXPECT_TRUE(adviceFor(row, report).ends_with("tried: transpose:B")) << adviceFor(row, report);
}

TEST(LossSample, OfALongProgramAPartIsProposed) {
    EXPECT_EQ(
        partToRecord({.name = "longest_match", .share = 0.812}),
        "longest_match makes about 81 % of the accesses: whorl capture --start-at longest_match --max 20M records a "
        "part that has them");
    EXPECT_NE(partToRecord({.name = "f<int>", .share = 0.5}).find("--start-at 'f<int>'"), std::string::npos);
    EXPECT_EQ(partToRecord({.name = "f", .share = 0.1}), "");
    EXPECT_EQ(partToRecord({}), "");
}

// Progress.

TEST(Progress, OfPartsNeverRunsBackwards) {
    Progress job;
    job.split();
    {
        Progress half(job, 0.5);
        half.start(10);
        half.setDone(5);
        EXPECT_DOUBLE_EQ(job.fraction(), 0.25);
        // A second pass of the part.
        half.start(100);
        half.advance(10);
        EXPECT_DOUBLE_EQ(job.fraction(), 0.25);
        half.advance(80);
        EXPECT_NEAR(job.fraction(), 0.45, 1e-6);
    }
    EXPECT_NEAR(job.fraction(), 0.5, 1e-6);
    Progress rest(job, 0.5);
    rest.split();
    { const Progress part(rest, 0.5); }
    EXPECT_NEAR(job.fraction(), 0.75, 1e-6);
    EXPECT_FALSE(rest.cancelled());
    job.cancel();
    EXPECT_TRUE(rest.cancelled());
}

TEST(Progress, OfWhyNeverRunsBackwards) {
    for (const bool isExact : {true, false}) {
        Progress progress;
        std::atomic<bool> isDone{false};
        double most = -1;
        bool isBackwards = false;
        std::thread watching([&] {
            while (!isDone) {
                const double now = progress.fraction();
                isBackwards = isBackwards || now < most;
                most = std::max(most, now);
            }
        });
        const SamplePlan plan{.segment = 256, .draws = 32, .warmUp = 1024};
        const WhyRequest request{.exact = isExact, .plan = plan};
        const auto report = whyOf(test::traceOfProgram("matmul:n=48"), loadMachine("paper").value(), request, progress);
        isDone = true;
        watching.join();
        EXPECT_TRUE(report.has_value());
        EXPECT_FALSE(isBackwards);
        EXPECT_GT(progress.fraction(), 0.5);
        EXPECT_LE(progress.fraction(), 1 + 1e-6);
    }
}

}  // namespace
}  // namespace whorl::sim
