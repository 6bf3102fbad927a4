// Which share of each block has been used at a time, against the slow reference, whatever was asked for before.
#include "sim/replay/snapshot.h"

#include <gtest/gtest.h>

#include <random>

#include "sim/reference/random_cases.h"
#include "sim/reference/reference.h"
#include "sim/replay/replay.h"
#include "support/rounds.h"
#include "support/runs.h"

namespace whorl::sim {
namespace {

/// By cache and block, the bytes used at the end of some accesses.
TEST(UseReader, IsWhatTheReferenceMarked) {
    std::mt19937_64 dice(5);
    for (std::uint64_t seed = 0; seed < testRounds(200); ++seed) {
        const reference::Case random = reference::randomCase(seed, 120);
        const auto run = test::built(test::traceOf(random.trace, 1), random.machine);
        UseReader reader(run);
        for (int round = 0; round < 4; ++round) {
            const std::size_t at = dice() % (random.trace.size() + 1);
            reference::Reference slow(random.machine, reference::futureOf(random.machine, random.trace));
            for (std::size_t i = 0; i < at; ++i) slow.play(random.trace[i]);
            const UseShares shares = reader.at(Tick{at});
            const Simulator machine = run->stateAt(Tick{at});
            const Hierarchy& caches = machine.hierarchy();
            for (std::size_t l = 0; l < caches.levels(); ++l) {
                for (std::uint32_t i = 0; i < caches.caches(l); ++i) {
                    const Cache& cache = caches.cache(l, i);
                    for (std::uint32_t slot = 0; slot < cache.sets() * cache.ways(); ++slot) {
                        const SetIndex set{slot / cache.ways()};
                        const WayIndex way{slot % cache.ways()};
                        const std::uint32_t used =
                            cache.isValid(set, way) ? slow.uses().usedNow(l, i, cache.blockIn(set, way).value) : 0;
                        const std::uint32_t share = kWholeUse * used / random.machine.levels[l].block;
                        ASSERT_EQ(shares[caches.cacheIndex(l, i)][slot], std::max(share, used > 0 ? 1u : 0u))
                            << "case " << seed << ", after " << at;
                    }
                }
            }
        }
    }
}

// Long enough that states are kept on the way.
TEST(UseReader, IsTheSameWhereverItComesFrom) {
    reference::Case random = reference::randomCase(11, 400);
    for (LevelConfig& level : random.machine.levels) level.policy = Policy::lru;
    const auto run = test::built(test::traceOf(random.trace, 3000), random.machine);
    ASSERT_GT(run->useBefore(Tick{run->trace().size()}).at.value, 1'000'000u);
    UseReader near(run);
    std::mt19937_64 dice(6);
    for (int round = 0; round < 6; ++round) {
        const Tick at{dice() % (run->trace().size() + 1)};
        UseReader fresh(run);
        const UseShares expected = fresh.at(at);
        ASSERT_EQ(near.at(at), expected) << at.value;
        near.at(Tick{std::min(at.value + 1000, run->trace().size())});
        ASSERT_EQ(near.at(at), expected) << at.value;
    }
    // From the start, without what was kept.
    const Tick at{run->trace().size() - 1};
    Simulator machine(run->machine());
    BlockUse use(run->machine());
    CallingObserver follow(Observer::Wants::events, [&](const Batch& batch) {
        batch.forEach([&](Tick, const PackedAccess& access, std::span<const Event> events) {
            use.begin(access.unpack());
            for (const Event& e : events) use.take(e, [](const BlockUse::Stay&) {});
            use.end();
        });
    });
    Progress progress;
    ASSERT_TRUE(replay(run->trace(), machine, {Tick{0}, at}, follow, progress));
    use.settle();
    const UseShares& shares = near.at(at);
    for (std::size_t slot = 0; slot < shares[0].size(); ++slot) {
        const std::uint32_t used = use.usedIn(0, 0, slot);
        ASSERT_EQ(shares[0][slot], std::max(kWholeUse * used / run->machine().levels[0].block, used > 0 ? 1u : 0u));
    }
}

}  // namespace
}  // namespace whorl::sim
