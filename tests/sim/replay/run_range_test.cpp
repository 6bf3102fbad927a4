// Ranges of a run, and what is found in it, against plain replay.
#include <gtest/gtest.h>

#include <random>

#include "sim/reference/random_cases.h"
#include "sim/replay/run.h"
#include "sim/replay/totals/ledger_builder.h"
#include "sim/trace/trace_builder.h"

namespace whorl::sim {
namespace {

std::shared_ptr<const Trace> traceOf(const std::vector<Access>& accesses, std::size_t times) {
    TraceBuilder builder("random");
    for (std::uint32_t line = 1; line < 512; ++line) builder.site("kernel.c", line);
    for (std::size_t n = 0; n < times; ++n) {
        if (n % 3 == 1) builder.mark("again");
        for (const Access& a : accesses) builder.add(a);
    }
    return std::make_shared<const Trace>(builder.finish());
}

std::shared_ptr<sim::Run> built(const MachineConfig& machine, std::shared_ptr<const Trace> trace) {
    auto run = std::make_shared<sim::Run>(std::move(trace), machine);
    Progress progress;
    EXPECT_TRUE(run->build(progress));
    return run;
}

/// What a plain run through the whole trace says of [from, to): the books of the whole with their final kinds, but
/// only what the accesses within did.
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
        whole.take(t, std::span(&access, 1), events);
        played.emplace_back(access, std::move(events));
    });
    states.push_back(state);
    missed.push_back(whole.missed());
    LedgerBuilder ledgerBuilder(run.machine(), trace, whole.kinds(), missed[from.value]);
    for (std::uint64_t t = from.value; t < to.value; ++t) {
        ledgerBuilder.take(Tick{t}, std::span(&played[t].first, 1), played[t].second);
    }
    Measures out{.counters = states[1].counters(), .ledger = ledgerBuilder.ledger(), .cycles = {}};
    out.counters -= states[0].counters();
    for (std::uint32_t cpu = 0; cpu < run.machine().cpus; ++cpu) {
        out.cycles.push_back(states[1].clock(cpu) - states[0].clock(cpu));
    }
    return out;
}

void expectSame(const Measures& a, const Measures& b, const std::string& what) {
    EXPECT_EQ(a.counters, b.counters) << what;
    EXPECT_EQ(a.cycles, b.cycles) << what;
    EXPECT_EQ(a.ledger.sites, b.ledger.sites) << what;
    EXPECT_EQ(a.ledger.regions, b.ledger.regions) << what;
    EXPECT_EQ(a.ledger.objects, b.ledger.objects) << what;
    EXPECT_EQ(a.ledger.sets, b.ledger.sets) << what;
    EXPECT_EQ(a.ledger.regionConflicts, b.ledger.regionConflicts) << what;
    EXPECT_EQ(a.ledger.blocks, b.ledger.blocks) << what;
}

TEST(RunRange, EqualsPlainReplay) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const reference::Case random = reference::randomCase(seed, 120);
        const auto run = built(random.machine, traceOf(random.trace, 3));
        std::mt19937_64 dice(seed);
        for (int i = 0; i < 4; ++i) {
            std::uint64_t from = dice() % 361;
            std::uint64_t to = dice() % 361;
            if (from > to) std::swap(from, to);
            if (from == to) continue;
            Progress progress;
            const auto measures = run->between(Tick{from}, Tick{to}, progress);
            ASSERT_TRUE(measures.has_value());
            expectSame(*measures, plainly(*run, Tick{from}, Tick{to}), "case " + std::to_string(seed));
            if (HasFailure()) return;
        }
    }
}

TEST(RunRange, TheWholeIsTheWhole) {
    const reference::Case random = reference::randomCase(5, 200);
    const auto run = built(random.machine, traceOf(random.trace, 500));
    Progress progress;
    const auto all = run->between(Tick{0}, Tick{run->trace().size()}, progress);
    expectSame(*all, *run->measures(), "all");
    // Two parts make the whole, whether played or taken away from it.
    for (const std::uint64_t at : {std::uint64_t{1}, std::uint64_t{70000}, run->trace().size() - 3}) {
        auto rest = *run->between(Tick{at}, Tick{run->trace().size()}, progress);
        const auto first = *run->between(Tick{0}, Tick{at}, progress);
        Measures left = *run->measures();
        left.counters -= first.counters;
        left.ledger -= first.ledger;
        for (std::size_t cpu = 0; cpu < left.cycles.size(); ++cpu) left.cycles[cpu] -= first.cycles[cpu];
        expectSame(left, rest, std::to_string(at));
    }
}

TEST(RunRange, OverviewAgreesWithTheBooks) {
    for (const std::uint64_t seed : {1u, 6u, 38u, 69u}) {
        const reference::Case random = reference::randomCase(seed, 200);
        const auto run = built(random.machine, traceOf(random.trace, 400));
        const Overview overview = run->overview();
        const auto& m = run->machine();
        for (std::size_t l = 0; l < m.levels.size(); ++l) {
            const Overview::Share share = overview.share(l, 0, run->trace().size());
            for (std::size_t k = 0; k < kMissKinds; ++k) {
                EXPECT_EQ(share.misses[k], run->measures()->ledger.misses(m, l, static_cast<MissKind>(k)));
            }
        }
        std::uint64_t cycles = 0;
        for (const Cycles c : run->measures()->cycles) cycles += c;
        EXPECT_EQ(overview.cycles(0, run->trace().size()), cycles);
    }
}

/// The first tick after `from`, or the last before it, whose events make `is` true.
template <class Is>
std::optional<Tick> search(const sim::Run& run, Tick from, Way way, Is&& is) {
    Progress progress;
    Simulator state(run.machine(), *futureOf(run.machine(), run.trace(), progress));
    std::optional<Tick> found;
    run.trace().forEach(Tick{0}, Tick{run.trace().size()}, [&](Tick t, const Access& a) {
        EventList events;
        state.step(a, events);
        const bool isIt = std::any_of(events.begin(), events.end(), [&](const Event& e) { return is(a, e); });
        if (!isIt) return;
        if (way == Way::forward && t > from && !found) found = t;
        if (way == Way::backward && t < from) found = t;
    });
    return found;
}

TEST(RunFind, EqualsPlainSearch) {
    for (const std::uint64_t seed : {0u, 6u}) {
        const reference::Case random = reference::randomCase(seed, 150);
        const auto run = built(random.machine, traceOf(random.trace, 900));
        const std::uint64_t size = run->trace().size();
        const auto conflicts = run->measures()->ledger.regionConflicts;
        std::mt19937_64 dice(seed);
        for (int i = 0; i < 5; ++i) {
            const Tick from{i == 0 ? 0 : i == 1 ? size : dice() % size};
            const auto block = run->trace().regions().front().base;
            for (const Way way : {Way::forward, Way::backward}) {
                Progress progress;
                const auto expect = [&](const EventQuery& query, auto&& is, const char* what) {
                    EXPECT_EQ(run->find(query, from, way, progress), search(*run, from, way, is))
                        << what << " from " << from.value << " case " << seed;
                };
                expect(
                    {.kind = EventQuery::Kind::miss},
                    [](auto&, const Event& e) { return e.kind == EventKind::miss && e.level == 0; }, "miss");
                const std::uint32_t last = static_cast<std::uint32_t>(random.machine.levels.size() - 1);
                expect(
                    {.kind = EventQuery::Kind::miss, .level = static_cast<std::uint8_t>(last)},
                    [&](auto&, const Event& e) { return e.kind == EventKind::miss && e.level == last; }, "last");
                expect(
                    {.kind = EventQuery::Kind::eviction, .level = std::uint8_t{0}, .address = block},
                    [&](auto&, const Event& e) {
                        return (e.kind == EventKind::eviction || e.kind == EventKind::invalidation) && e.level == 0 &&
                               e.block.value == block.value / random.machine.levels[0].block;
                    },
                    "eviction");
                expect(
                    {.kind = EventQuery::Kind::transfer},
                    [](auto&, const Event& e) {
                        return e.kind == EventKind::downgrade ||
                               (e.kind == EventKind::invalidation && e.cause == Cause::coherence);
                    },
                    "transfer");
                if (conflicts.empty()) continue;
                const Conflict pair = conflicts.begin()->first;
                expect(
                    {.kind = EventQuery::Kind::conflict, .region = pair.culprit, .victim = pair.victim},
                    [&](const Access& a, const Event& e) {
                        const std::uint64_t blockSize =
                            random.machine.levels[e.level % random.machine.levels.size()].block;
                        return e.kind == EventKind::eviction && run->trace().regionAt(a.address) == pair.culprit &&
                               regionOfBlock(run->trace(), ByteAddress{e.block.value * blockSize}, blockSize) ==
                                   pair.victim;
                    },
                    "conflict");
            }
        }
    }
}

TEST(RunFind, Marks) {
    const reference::Case random = reference::randomCase(2, 10);
    const auto run = built(random.machine, traceOf(random.trace, 6));  // marks at 10 and 40
    Progress progress;
    const EventQuery mark{.kind = EventQuery::Kind::mark};
    EXPECT_EQ(run->find(mark, Tick{0}, Way::forward, progress), Tick{10});
    EXPECT_EQ(run->find(mark, Tick{10}, Way::forward, progress), Tick{40});
    EXPECT_EQ(run->find(mark, Tick{40}, Way::forward, progress), std::nullopt);
    EXPECT_EQ(run->find(mark, Tick{60}, Way::backward, progress), Tick{40});
    EXPECT_EQ(run->find(mark, Tick{10}, Way::backward, progress), std::nullopt);
}

}  // namespace
}  // namespace whorl::sim
