// Measures of ranges of a run against plain replay.
#include <gtest/gtest.h>

#include <random>

#include "sim/reference/random_cases.h"
#include "sim/replay/totals/ledger_builder.h"
#include "support/rounds.h"
#include "support/runs.h"

namespace whorl::sim {
namespace {

/// What a plain run through the whole trace measures in [from, to): with the final kinds of the misses, but only
/// counting the accesses within.
Measures plainly(const sim::Run& run, Tick from, Tick to) {
    const Trace& trace = run.trace();
    Progress progress;
    Simulator state(run.machine(), *futureOf(run.machine(), trace, progress));
    LedgerBuilder whole(run.machine(), trace);
    std::vector<std::pair<PackedAccess, EventList>> played;
    std::vector<std::vector<std::uint64_t>> missed;
    std::vector<Simulator> states;
    trace.forEach(Tick{0}, Tick{trace.size()}, [&](Tick t, const Access& a) {
        if (t == from || t == to) states.push_back(state);
        missed.push_back(whole.missed());
        EventList events;
        const PackedAccess access(a);
        state.play(std::span(&access, 1), &events);
        whole.take({t, std::span(&access, 1), events, state.sums(), state});
        played.emplace_back(access, std::move(events));
    });
    states.push_back(state);
    missed.push_back(whole.missed());
    const auto uses = std::make_shared<const std::vector<StayUseList>>(whole.uses());
    const auto kinds = std::make_shared<const std::vector<MissKindList>>(whole.kinds());
    LedgerBuilder ledgerBuilder(run.machine(), trace, MissKindReader(kinds, missed[from.value]),
                                StayUseReader(uses, states[0].counters()));
    for (std::uint64_t t = from.value; t < to.value; ++t) {
        ledgerBuilder.take({Tick{t}, std::span(&played[t].first, 1), played[t].second, state.sums(), state});
    }
    Measures out = measuresOf(states[1], false);
    out -= measuresOf(states[0], false);
    out.ledger = std::make_shared<const Ledger>(ledgerBuilder.ledger());
    return out;
}

void expectSame(const Measures& a, const Measures& b, const std::string& what) {
    EXPECT_EQ(a.counters, b.counters) << what;
    EXPECT_EQ(a.cycles, b.cycles) << what;
    EXPECT_EQ(a.elapsed, b.elapsed) << what;
    EXPECT_EQ(a.ledger->sites, b.ledger->sites) << what;
    EXPECT_EQ(a.ledger->owners, b.ledger->owners) << what;
    EXPECT_EQ(a.ledger->objects, b.ledger->objects) << what;
    EXPECT_EQ(a.ledger->sets, b.ledger->sets) << what;
    EXPECT_EQ(a.ledger->regionConflicts, b.ledger->regionConflicts) << what;
    EXPECT_EQ(a.ledger->stays, b.ledger->stays) << what;
}

TEST(RunRange, EqualsPlainReplay) {
    for (std::uint64_t seed = 0; seed < testRounds(60); ++seed) {
        const reference::Case random = reference::randomCase(seed, 120);
        const auto run = test::built(test::traceOf(random.trace, 3), random.machine);
        std::mt19937_64 dice(seed);
        for (int i = 0; i < 4; ++i) {
            std::uint64_t from = dice() % 361;
            std::uint64_t to = dice() % 361;
            if (from > to) std::swap(from, to);
            if (from == to) continue;
            Progress progress;
            const auto measures = run->between({Tick{from}, Tick{to}}, progress);
            ASSERT_TRUE(measures.has_value());
            expectSame(*measures, plainly(*run, Tick{from}, Tick{to}), "case " + std::to_string(seed));
            if (HasFailure()) return;
        }
    }
}

TEST(RunRange, TheUseOfBlocksSoFarIsThatOfTheRangeFromTheStart) {
    for (std::uint64_t seed = 0; seed < testRounds(60); ++seed) {
        const reference::Case random = reference::randomCase(seed, 150);
        const auto run = test::built(test::traceOf(random.trace, 30), random.machine);
        for (const std::uint64_t at : {std::uint64_t{0}, 1 + seed * 11, run->trace().size()}) {
            Progress progress;
            const auto range = run->between({Tick{0}, Tick{at}}, progress);
            for (std::size_t l = 0; l < run->machine().levels.size(); ++l) {
                const StaySum soFar = (*run->uses())[l].sumOf(run->stateAt(Tick{at}).counters().level(l).fills);
                ASSERT_EQ(soFar, range->ledger->staysAt(run->machine(), l)) << seed << ' ' << at;
            }
        }
    }
}

TEST(RunRange, TheWholeIsTheWhole) {
    const reference::Case random = reference::randomCase(5, 200);
    const auto run = test::built(test::traceOf(random.trace, 500), random.machine);
    Progress progress;
    const auto all = run->between({Tick{0}, Tick{run->trace().size()}}, progress);
    expectSame(*all, *run->measures(), "all");
    // Two parts make the whole, whether added or subtracted.
    for (const std::uint64_t at : {std::uint64_t{1}, std::uint64_t{70000}, run->trace().size() - 3}) {
        auto rest = *run->between({Tick{at}, Tick{run->trace().size()}}, progress);
        const auto first = *run->between({Tick{0}, Tick{at}}, progress);
        Measures left = *run->measures();
        left -= first;
        Ledger ledger = *run->measures()->ledger;
        ledger -= *first.ledger;
        left.ledger = std::make_shared<const Ledger>(std::move(ledger));
        expectSame(left, rest, std::to_string(at));
    }
}

TEST(RunRange, OverviewAgreesWithTheLedger) {
    for (const std::uint64_t seed : {1u, 6u, 38u, 69u}) {
        const reference::Case random = reference::randomCase(seed, 200);
        const auto run = test::built(test::traceOf(random.trace, 400), random.machine);
        const Overview overview = run->overview();
        const auto& m = run->machine();
        for (std::size_t l = 0; l < m.levels.size(); ++l) {
            const Overview::Share share = overview.share(l, 0, run->trace().size());
            for (std::size_t k = 0; k < kMissKinds; ++k) {
                EXPECT_EQ(share.misses[k], run->measures()->ledger->misses(m, l, static_cast<MissKind>(k)));
            }
        }
        std::uint64_t cycles = 0;
        for (const Cycles c : run->measures()->cycles) cycles += c;
        EXPECT_EQ(overview.cycles(0, run->trace().size()), cycles);
    }
}

}  // namespace
}  // namespace whorl::sim
