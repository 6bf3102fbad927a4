// The fast path through simple machines against the general one: every event, every count, every way of every set.
#include "sim/cache/tree_walk.h"

#include <gtest/gtest.h>

#include <random>

#include "support/rounds.h"
#include "sim/reference/random_cases.h"
#include "sim/replay/simulator.h"

namespace whorl::sim {
namespace {

using Random = std::mt19937;

std::uint32_t randomFrom(Random& random, std::uint32_t from, std::uint32_t to) {
    return from + static_cast<std::uint32_t>(random() % (to - from + 1));
}

/// A valid machine of one CPU, with at least one level that is inclusive or exclusive.
MachineConfig simpleMachine(Random& random) {
    constexpr std::uint32_t kWays[] = {1, 2, 3, 4, 5, 8, 11, 16, 20};
    for (;;) {
        MachineConfig machine;
        std::uint32_t block = 1u << randomFrom(random, 1, 6);
        const std::uint32_t levels = randomFrom(random, 2, 4);
        bool isPlain = true;
        for (std::uint32_t l = 0; l < levels; ++l) {
            const std::uint32_t ways = kWays[random() % std::size(kWays)];
            const Inclusion inclusion = l == 0 ? Inclusion::none : static_cast<Inclusion>(random() % 3);
            if (inclusion != Inclusion::exclusive) block <<= l == 0 ? 0 : randomFrom(random, 0, 2);
            isPlain &= inclusion == Inclusion::none;
            machine.levels.push_back({.name = "L" + std::to_string(l),
                                      .size = (std::uint64_t{1} << randomFrom(random, 0, 5)) * ways * block,
                                      .ways = ways,
                                      .block = block,
                                      .inclusion = inclusion,
                                      .latency = randomFrom(random, 1, 9)});
        }
        machine.memoryLatency = 100;
        machine.writebackLatency = randomFrom(random, 0, 3);
        if (!isPlain && checked(machine, "random")) return machine;
    }
}

std::vector<PackedAccess> accessesAnywhere(Random& random, std::size_t count) {
    std::vector<PackedAccess> accesses;
    accesses.reserve(count);
    const std::uint32_t range = 1u << randomFrom(random, 6, 15);
    // Also at the end of the address space.
    const std::uint64_t base = random() % 4 == 0 ? 0 - std::uint64_t{range} - 400 : 0;
    std::uint64_t at = 0;
    for (std::size_t i = 0; i < count; ++i) {
        at = random() % 3 == 0 ? random() % range : (at + 8) % range;
        Access a;
        a.address = ByteAddress{base + at};
        a.size = random() % 50 == 0 ? 300 : randomFrom(random, 1, 16);
        a.op = random() % 3 == 0 ? Op::write : Op::read;
        a.unrecorded = random() % 64 == 0;
        accesses.emplace_back(a);
    }
    return accesses;
}

bool isSameEvent(const Event& a, const Event& b) {
    const bool hasWay = a.kind != EventKind::miss && a.kind != EventKind::memory;
    return a.kind == b.kind && a.level == b.level && a.cache == b.cache && a.write == b.write && a.dirty == b.dirty &&
           a.demand == b.demand && a.useful == b.useful && a.together == b.together && a.half == b.half &&
           a.cause == b.cause && (!hasWay || a.way == b.way) && a.set == b.set && a.block == b.block &&
           a.access == b.access;
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
    for (std::size_t i = 0; i < told.size(); ++i) ASSERT_TRUE(isSameEvent(events[i], told[i])) << i;
    ASSERT_TRUE(fast == slow);
    ASSERT_TRUE(silent == slow);
}

TEST(TreeWalk, DoesWhatTheGeneralWayDoes) {
    Random random(3);
    for (std::uint64_t round = 0; round < testRounds(1000); ++round) {
        const MachineConfig machine = simpleMachine(random);
        ASSERT_TRUE(Hierarchy(machine).isSimple());
        ASSERT_FALSE(Hierarchy(machine).isPlain());
        expectSamePlayed(machine, accessesAnywhere(random, 400));
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
