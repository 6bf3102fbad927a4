// The hot loop against the general path through the same machine: every event, every count, every way of every set.
#include "sim/cache/simple_loop.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "sim/cache/loop_help.h"
#include "sim/reference/random_cases.h"
#include "sim/replay/simulator.h"
#include "sim/replay/totals/ledger_builder.h"
#include "sim/trace/trace_help.h"
#include "support/rounds.h"

namespace whorl::sim {
namespace {

using test::among;
using test::isSame;
using test::Random;
using test::someAccesses;

/// A valid machine of one CPU; of two, one has no level that is inclusive or exclusive.
MachineConfig simpleMachine(Random& random) {
    constexpr std::uint32_t kWays[] = {1, 2, 3, 4, 5, 6, 8, 11, 12, 16, 20, 40};
    for (;;) {
        MachineConfig machine;
        std::uint32_t block = 1u << among(random, 1, 6);
        const std::uint32_t levels = among(random, 1, 4);
        const bool isTree = random() % 2 == 0;
        for (std::uint32_t l = 0; l < levels; ++l) {
            const std::uint32_t sets = random() % 3 == 0 ? among(random, 1, 20) : 1u << among(random, 0, 5);
            const std::uint32_t ways = kWays[random() % std::size(kWays)];
            const auto inclusion = l > 0 && isTree ? static_cast<Inclusion>(random() % 3) : Inclusion::none;
            if (l > 0 && inclusion != Inclusion::exclusive) block <<= among(random, 0, 2);
            machine.levels.push_back({.name = "L" + std::to_string(l),
                                      .size = std::uint64_t{sets} * ways * block,
                                      .ways = ways,
                                      .block = block,
                                      .inclusion = inclusion,
                                      .latency = among(random, 1, 9)});
        }
        machine.memoryLatency = 100;
        machine.writebackLatency = among(random, 0, 3);
        if (checked(machine, "random")) return machine;
    }
}

/// Regions with any boundaries, with and without gaps.
Trace withRegionsAnywhere(Random& random, const std::vector<PackedAccess>& accesses) {
    TraceBuilder builder("simple");
    std::uint64_t at = among(random, 0, 100);
    for (std::uint32_t i = 0; i < 5; ++i) {
        const std::uint32_t size = among(random, 1, 1u << among(random, 1, 13));
        builder.addRegion(test::region("region" + std::to_string(i), at, size));
        at += size + random() % 3 * among(random, 0, 200);
    }
    for (const PackedAccess& a : accesses) builder.add(a.unpack());
    return builder.finish();
}

/// A ledger with the index entries.
struct Summed {
    Summed(const MachineConfig& machine, const Trace& trace) : ledgerBuilder(machine, trace) {
        ledgerBuilder.indexInto(entries);
    }
    Summed(const MachineConfig& machine, const Trace& trace, MissKindReader kinds)
        : ledgerBuilder(machine, trace, std::move(kinds), StayUseReader(nullptr, Counters(machine))) {
        ledgerBuilder.indexInto(entries);
    }
    Summed(const Summed&) = delete;
    Summed& operator=(const Summed&) = delete;

    LedgerBuilder ledgerBuilder;
    std::vector<IndexEntry> entries;
};

void expectSame(Summed& a, Summed& b, int round) {
    EXPECT_TRUE(a.ledgerBuilder.ledger() == b.ledgerBuilder.ledger()) << round;
    EXPECT_EQ(a.entries, b.entries) << round;
    EXPECT_EQ(a.ledgerBuilder.missed(), b.ledgerBuilder.missed()) << round;
    Overview::Sums sums[2];
    a.ledgerBuilder.sumUp(sums[0]);
    b.ledgerBuilder.sumUp(sums[1]);
    EXPECT_EQ(sums[0].regions, sums[1].regions) << round;
    EXPECT_EQ(sums[0].cycles, sums[1].cycles) << round;
    for (std::size_t l = 0; l < sums[0].levels.size(); ++l) {
        EXPECT_EQ(sums[0].levels[l].requests, sums[1].levels[l].requests) << round;
        EXPECT_EQ(sums[0].levels[l].hits, sums[1].levels[l].hits) << round;
        EXPECT_EQ(sums[0].levels[l].misses, sums[1].levels[l].misses) << round;
    }
}

/// Whether accesses played in a batch do the same as one by one.
void expectSamePlayed(const MachineConfig& machine, const std::vector<PackedAccess>& accesses) {
    Simulator slow(machine);
    Simulator fast(machine);
    Simulator silent(machine);
    EventList told;
    for (std::size_t i = 0; i < accesses.size(); ++i) {
        told.beginAccess(static_cast<std::uint32_t>(i));
        slow.step(accesses[i].unpack(), told);
    }
    EventList events;
    fast.play(accesses, &events);
    silent.play(accesses, nullptr);
    ASSERT_EQ(events.size(), told.size());
    for (std::size_t i = 0; i < told.size(); ++i) ASSERT_TRUE(isSame(events[i], told[i])) << i;
    ASSERT_TRUE(fast == slow);
    ASSERT_TRUE(silent == slow);
}

TEST(SimpleLoop, DoesWhatTheGeneralWayDoes) {
    Random random(3);
    for (std::uint64_t round = 0; round < testRounds(2000); ++round) {
        const MachineConfig machine = simpleMachine(random);
        ASSERT_TRUE(Hierarchy(machine).isSimple());
        expectSamePlayed(machine, someAccesses(random, 400));
        if (HasFatalFailure()) FAIL() << "round " << round;
    }
}

// On machines that are not simple, hits are played without a walk where they have no other effect.
TEST(Simulator, PlaysQuickHitsAsTheGeneralWayDoes) {
    for (std::uint64_t seed = 0; seed < testRounds(1000); ++seed) {
        const reference::Case c = reference::randomCase(seed, 400);
        std::vector<PackedAccess> accesses(c.trace.begin(), c.trace.end());
        expectSamePlayed(c.machine, accesses);
        if (HasFatalFailure()) FAIL() << "seed " << seed;
    }
}

// Hits reported separately are the same hits, whatever is counted, in batches of any size.
TEST(SimpleLoop, SeparatesTheHitsThatOthersReport) {
    Random random(6);
    for (std::uint64_t round = 0; round < testRounds(100); ++round) {
        const MachineConfig machine = simpleMachine(random);
        const auto accesses = someAccesses(random, 400);
        Simulator telling(machine);
        Simulator keeping(machine);
        EventList told;
        EventList kept;
        kept.separateHits();
        for (std::size_t at = 0; at < accesses.size();) {
            const auto batch =
                std::span(accesses).subspan(at, std::min<std::size_t>(1 + random() % 100, accesses.size() - at));
            told.clear();
            kept.clear();
            telling.play(batch, &told);
            keeping.play(batch, &kept);
            std::size_t e = 0;
            for (const Event& event : told) {
                const std::uint32_t place = kept.hits()[event.access];
                if (place == EventList::kNoHit) {
                    ASSERT_TRUE(e < kept.size() && isSame(kept[e], event)) << round << ": " << at;
                    ++e;
                } else {
                    ASSERT_EQ(event.kind, EventKind::hit);
                    ASSERT_EQ(place, event.set.value * machine.levels[0].ways + event.way.value);
                }
            }
            ASSERT_EQ(e, kept.size());
            at += batch.size();
        }
        ASSERT_TRUE(telling == keeping) << round;
    }
}

/// Plays accesses by one of the two loops.
template <class Play>
std::vector<Event> playedBy(Play&& play, Hierarchy& hierarchy, const std::vector<PackedAccess>& accesses) {
    static std::vector<Event> events(std::size_t{1} << 20);
    SimpleRun run(hierarchy);
    run.next = events.data();
    run.end = events.data() + events.size();
    for (std::size_t at = 0; at < accesses.size();) {
        run.unrecorded = accesses[at].unrecorded();
        run.firstAccess = static_cast<std::uint32_t>(at);
        const std::size_t done = play(run, accesses.data() + at, accesses.size() - at);
        EXPECT_GT(done, 0u);
        for (std::size_t i = at; i < at + done; ++i) EXPECT_EQ(accesses[i].unrecorded(), run.unrecorded);
        at += std::max<std::size_t>(done, 1);
    }
    return {events.data(), run.next};
}

TEST(SimpleLoop, IsTheSameForEveryProcessor) {
    if (!__builtin_cpu_supports("avx2")) GTEST_SKIP() << "this processor has no AVX2";
    Random random(4);
    for (std::uint64_t round = 0; round < testRounds(100); ++round) {
        const MachineConfig machine = simpleMachine(random);
        const auto accesses = someAccesses(random, 300);
        Hierarchy a(machine);
        Hierarchy b(machine);
        const auto first = playedBy(playSimplePortably, a, accesses);
        const auto second = playedBy(playSimpleByAvx2, b, accesses);
        ASSERT_EQ(first.size(), second.size());
        for (std::size_t i = 0; i < first.size(); ++i) ASSERT_TRUE(isSame(first[i], second[i])) << round << ": " << i;
        ASSERT_TRUE(a == b) << round;
    }
}

// A ledger takes a fast path where hits are reported separately, and else the general one: both with misses that are
// classified, and from a later tick on, with kinds that are known.
TEST(SimpleLoop, LedgersAreTheSameEitherWay) {
    Random random(8);
    for (std::uint64_t round = 0; round < testRounds(150); ++round) {
        const MachineConfig machine = simpleMachine(random);
        const auto accesses = someAccesses(random, 1000);
        const Trace trace = withRegionsAnywhere(random, accesses);
        Simulator telling(machine);
        Simulator keeping(machine);
        EventList told;
        EventList kept;
        kept.separateHits();
        Summed general(machine, trace);
        Summed quick(machine, trace);
        std::optional<Summed> laterGeneral;
        std::optional<Summed> laterQuick;
        std::vector<MissKindList> kinds(machine.levels.size());  // at most of the accesses so far
        for (std::size_t at = 0; at < accesses.size();) {
            const auto batch =
                std::span(accesses).subspan(at, std::min<std::size_t>(1 + random() % 100, accesses.size() - at));
            told.clear();
            kept.clear();
            telling.play(batch, &told);
            keeping.play(batch, &kept);
            if (at > 400 && !laterGeneral) {
                const auto known = std::make_shared<const std::vector<MissKindList>>(kinds);
                const MissKindReader reader(known, general.ledgerBuilder.missed());
                laterGeneral.emplace(machine, trace, reader);
                laterQuick.emplace(machine, trace, reader);
            }
            general.ledgerBuilder.take({Tick{at}, batch, told, telling.sums(), telling});
            quick.ledgerBuilder.take({Tick{at}, batch, kept, keeping.sums(), keeping});
            kinds = general.ledgerBuilder.kinds();
            if (laterGeneral) {
                laterGeneral->ledgerBuilder.take({Tick{at}, batch, told, telling.sums(), telling});
                laterQuick->ledgerBuilder.take({Tick{at}, batch, kept, keeping.sums(), keeping});
            }
            at += batch.size();
        }
        expectSame(general, quick, round);
        expectSame(*laterGeneral, *laterQuick, round);
    }
}

// An access so wide that its events overflow any buffer, and one of 8 MB.
TEST(SimpleLoop, PlaysTheWidestAccess) {
    MachineConfig machine;
    machine.levels = {{.name = "L1", .size = 64, .ways = 2, .block = 8}};
    Access a;
    a.size = kMaxAccessSize;
    const std::vector<PackedAccess> accesses = {PackedAccess(a)};
    Simulator simulator(machine);
    EventList events;
    simulator.play(accesses, &events);
    EXPECT_EQ(simulator.counters().level(0).misses(), (kMaxAccessSize + 7) / 8);
    EXPECT_EQ(simulator.counters().accesses(), 1u);
}

}  // namespace
}  // namespace whorl::sim
