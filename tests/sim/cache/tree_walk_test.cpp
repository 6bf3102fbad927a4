// The fast path through simple machines against the general one: every event, every count, every way of every set.
#include "sim/cache/tree_walk.h"

#include <gtest/gtest.h>

#include <random>

#include "sim/cache/loop_help.h"
#include "sim/reference/random_cases.h"
#include "sim/replay/simulator.h"
#include "support/rounds.h"

namespace whorl::sim {
namespace {

using test::among;
using test::isSame;
using test::Random;
using test::someAccesses;

/// A valid machine of one CPU, with at least one level that is inclusive or exclusive.
MachineConfig simpleMachine(Random& random) {
    constexpr std::uint32_t kWays[] = {1, 2, 3, 4, 5, 8, 11, 16, 20};
    for (;;) {
        MachineConfig machine;
        std::uint32_t block = 1u << among(random, 1, 6);
        const std::uint32_t levels = among(random, 2, 4);
        bool isPlain = true;
        for (std::uint32_t l = 0; l < levels; ++l) {
            const std::uint32_t ways = kWays[random() % std::size(kWays)];
            const Inclusion inclusion = l == 0 ? Inclusion::none : static_cast<Inclusion>(random() % 3);
            if (inclusion != Inclusion::exclusive) block <<= l == 0 ? 0 : among(random, 0, 2);
            isPlain &= inclusion == Inclusion::none;
            machine.levels.push_back({.name = "L" + std::to_string(l),
                                      .size = (std::uint64_t{1} << among(random, 0, 5)) * ways * block,
                                      .ways = ways,
                                      .block = block,
                                      .inclusion = inclusion,
                                      .latency = among(random, 1, 9)});
        }
        machine.memoryLatency = 100;
        machine.writebackLatency = among(random, 0, 3);
        if (!isPlain && checked(machine, "random")) return machine;
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

TEST(TreeWalk, DoesWhatTheGeneralWayDoes) {
    Random random(3);
    for (std::uint64_t round = 0; round < testRounds(1000); ++round) {
        const MachineConfig machine = simpleMachine(random);
        ASSERT_TRUE(Hierarchy(machine).isSimple());
        ASSERT_FALSE(Hierarchy(machine).isPlain());
        expectSamePlayed(machine, someAccesses(random, 400, true));
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

}  // namespace
}  // namespace whorl::sim
