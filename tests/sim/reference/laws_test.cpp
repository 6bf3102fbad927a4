// The reference on random machines and traces: what must always hold.
#include "sim/reference/laws.h"

#include <gtest/gtest.h>

#include <set>

#include "sim/reference/random_cases.h"
#include "sim/reference/reference.h"

namespace whorl::reference {
namespace {

constexpr std::uint64_t kCases = 1500;
constexpr std::size_t kAccesses = 150;

TEST(ReferenceLaws, HoldAfterEveryAccess) {
    for (std::uint64_t seed = 0; seed < kCases; ++seed) {
        const Case random = randomCase(seed, kAccesses);
        Reference reference(random.machine, futureOf(random.machine, random.trace));
        for (std::size_t tick = 0; tick < random.trace.size(); ++tick) {
            reference.play(random.trace[tick]);
            const auto copies = copiesIn(reference.machine());
            ASSERT_EQ(brokenLaw(random.machine, copies), "") << "case " << seed << ", tick " << tick;
            ASSERT_EQ(residentPages(random.machine, reference.machine().frames(), copies), "")
                << "case " << seed << ", tick " << tick;
        }
    }
}

TEST(ReferenceLaws, HoldForTheListOfEvents) {
    for (std::uint64_t seed = 0; seed < kCases; ++seed) {
        const Case random = randomCase(seed, kAccesses);
        const Reference reference(random.machine, random.trace);
        const auto copies = copiesIn(reference.machine());
        ASSERT_EQ(residency(random.machine, reference.told(), copies), "") << "case " << seed;
        ASSERT_EQ(requests(random.machine, random.trace, reference.told()), "") << "case " << seed;
    }
}

TEST(ReferenceLaws, OptMissesLeast) {
    using sim::Policy;
    for (std::uint64_t seed = 0; seed < kCases; ++seed) {
        Case random = randomCase(seed, kAccesses);
        random.machine.levels.resize(1);
        random.machine.levels[0].prefetch = sim::Prefetcher::none;
        random.machine.levels[0].allocate = true;
        random.machine.protocol = sim::Protocol::none;
        const auto misses = [&](Policy policy) {
            random.machine.levels[0].policy = policy;
            return missesAt(0, Reference(random.machine, random.trace).told());
        };
        const std::uint64_t least = misses(Policy::opt);
        for (const Policy other :
             {Policy::lru, Policy::treePlru, Policy::fifo, Policy::mru, Policy::random, Policy::srrip}) {
            ASSERT_LE(least, misses(other)) << "case " << seed << ", policy " << static_cast<int>(other);
        }
    }
}

TEST(ReferenceLaws, RandomCasesMakeEverythingHappen) {
    std::set<What> happened;
    std::set<MissKind> kinds;
    std::set<std::pair<std::size_t, sim::Policy>> policies;
    for (std::uint64_t seed = 0; seed < kCases; ++seed) {
        const Case random = randomCase(seed, kAccesses);
        const Reference reference(random.machine, random.trace);
        for (const Happening& h : reference.told()) happened.insert(h.what);
        for (const Miss& m : reference.misses()) kinds.insert(m.kind);
        for (std::size_t l = 0; l < random.machine.levels.size(); ++l)
            policies.emplace(l, random.machine.levels[l].policy);
    }
    EXPECT_EQ(happened.size(), 15u);
    EXPECT_EQ(kinds.size(), 5u);
    EXPECT_EQ(policies.size(), 4u * 7u);
}

TEST(ReferenceLaws, RandomCasesFollowFromTheirSeed) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        EXPECT_EQ(randomCase(seed, 50).machine, randomCase(seed, 50).machine);
        EXPECT_EQ(randomCase(seed, 50).trace, randomCase(seed, 50).trace);
    }
    EXPECT_NE(randomCase(1, 50).trace, randomCase(2, 50).trace);
}

// The checkers themselves: each must detect a violation of its law.
TEST(ReferenceLaws, AreBrokenByWhatBreaksThem) {
    sim::MachineConfig machine;
    machine.cpus = 4;
    machine.levels = {{.name = "L1", .size = 64, .ways = 2, .block = 32, .sharedBy = 1},
                      {.name = "L2", .size = 128, .ways = 2, .block = 64, .sharedBy = 2}};
    const std::vector<Copy> halves = {{.level = 0, .cache = 0, .block = 0, .owned = true},
                                      {.level = 0, .cache = 1, .block = 1, .owned = true},
                                      {.level = 1, .cache = 0, .block = 0, .dirty = true, .owned = true}};
    EXPECT_EQ(brokenLaw(machine, halves), "");
    std::vector<Copy> apart = halves;
    apart.push_back({.level = 0, .cache = 2, .block = 1});
    EXPECT_EQ(oneWriterOrManyReaders(machine, apart), "block 0 in L0.0, owned, and also block 1 in L0.2");

    machine.levels[1].inclusion = sim::Inclusion::inclusive;
    EXPECT_EQ(inclusion(machine, halves), "");
    EXPECT_NE(inclusion(machine, apart), "");

    machine.levels[1] = {.name = "L2", .size = 64, .ways = 2, .block = 32, .sharedBy = 2};
    machine.levels[1].inclusion = sim::Inclusion::exclusive;
    EXPECT_NE(exclusion(machine, halves), "");

    const std::vector<Copy> many = {{.level = 0, .block = 0}, {.level = 0, .block = 1}, {.level = 0, .block = 2}};
    EXPECT_NE(capacity(machine, many), "");

    machine.memory = {.size = 128, .page = 64};
    EXPECT_EQ(residentPages(machine, std::vector<Page>{{.page = 0}, {.page = 1}}, many), "");
    EXPECT_NE(residentPages(machine, std::vector<Page>{{.page = 0}}, many), "");
    EXPECT_NE(residentPages(machine, std::vector<Page>{{.page = 0}, {.page = 1}, {.page = 2}}, many), "");

    const std::vector<Happening> came = {{.what = What::fill, .block = 0}};
    EXPECT_EQ(residency(machine, came, std::vector<Copy>{{.block = 0}}), "");
    EXPECT_NE(residency(machine, came, {}), "");
    const std::vector<sim::Access> one = {{.address = sim::ByteAddress{30}, .size = 4}};
    EXPECT_NE(requests(machine, one, came), "");
}

}  // namespace
}  // namespace whorl::reference
