// Bounded memory: page faults by hand and as in text books, and what holds for all machines and traces.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "sim/reference/examples.h"
#include "sim/reference/random_cases.h"
#include "sim/replay/simulator.h"
#include "support/rounds.h"
#include "support/traces.h"

namespace whorl::sim {
namespace {

using reference::readBy;
using reference::writeBy;

Simulator played(const MachineConfig& machine, const std::vector<Access>& accesses) {
    Progress progress;
    Simulator simulator(machine, *futureOf(machine, test::traceOf(accesses), progress));
    for (const Access& a : accesses) simulator.step(a);
    return simulator;
}

std::uint64_t faultsOf(const MachineConfig& machine, const std::vector<Access>& accesses) {
    return ofAllCpus(played(machine, accesses).counters().pageFaults);
}

/// A machine of one small level, whose memory has so many frames of 64 bytes.
MachineConfig small(std::uint64_t frames) {
    MachineConfig machine;
    machine.levels = {{.name = "L1", .size = 64, .ways = 2, .block = 16}};
    machine.memory = {.size = frames * 64, .page = 64, .fault = 1000};
    return machine;
}

/// Random cases whose memory is bounded.
std::vector<reference::Case> boundedCases() {
    std::vector<reference::Case> cases;
    const std::uint64_t rounds = testRounds(400);
    for (std::uint64_t seed = 0; cases.size() < rounds; ++seed) {
        reference::Case random = reference::randomCase(seed, 150);
        if (random.machine.memory.isBounded()) cases.push_back(std::move(random));
    }
    return cases;
}

std::set<std::uint64_t> pagesOf(const Access& a, const MachineConfig& machine) {
    std::set<std::uint64_t> pages;
    const std::uint64_t first = a.address.value / machine.memory.page;
    for (std::uint64_t p = first; p - first <= a.last().value / machine.memory.page - first; ++p) pages.insert(p);
    return pages;
}

TEST(Paging, FaultsAsOftenAsTheTextBooksSay) {
    for (const reference::FaultCount& count : reference::faultCounts()) {
        if (count.policy != Policy::lru) continue;
        std::vector<Access> accesses;
        for (const std::uint64_t page : count.blocks) accesses.push_back(readBy(0, 64 * page));
        EXPECT_EQ(faultsOf(small(count.frames), accesses), count.faults) << count.frames << " frames";
    }
}

TEST(Paging, ThePagesOfAnAccessDoNotThrowEachOtherOut) {
    const Access across{.address = ByteAddress{0x7e}, .size = 4};
    // Page 2 was used the longest ago, but is needed beside page 1.
    EXPECT_EQ(faultsOf(small(2), {readBy(0, 0x80), readBy(0, 0x140), across}), 3u);
    MachineConfig uncached = small(2);
    uncached.levels.clear();
    EXPECT_EQ(faultsOf(uncached, {readBy(0, 0x80), readBy(0, 0x140), across}), 3u);
    // Three pages have no room in two frames: each comes in turn, and the first again when its block is requested.
    const Access wide{.address = ByteAddress{0x7e}, .size = 68};
    EXPECT_EQ(faultsOf(small(2), {readBy(0, 0x80), readBy(0, 0x140), wide}), 2u + 3u + 3u);
}

TEST(Paging, AFaultCostsItsCyclesAndMoreIfBlocksMustBeWritten) {
    MachineConfig machine = small(2);
    machine.levels[0].latency = 1;
    machine.memoryLatency = 50;
    machine.writebackLatency = 7;
    machine.tlb = {.entries = 2, .ways = 2, .page = 64, .walk = 20};
    const Simulator end = played(machine, {writeBy(0, 0), readBy(0, 64), readBy(0, 128), readBy(0, 128)});
    // Each of three misses takes its page from disk; the third page takes the frame of the first, which is dirty.
    EXPECT_EQ(end.clock(0), 4 * 1 + 3 * (20 + 1000 + 50) + 7u);
    EXPECT_EQ(end.counters().pageFaults, std::vector<std::uint64_t>{3});
    EXPECT_EQ(end.counters().pageWritebacks, std::vector<std::uint64_t>{1});
    EXPECT_EQ(end.counters().tlbMisses, std::vector<std::uint64_t>{3});
    EXPECT_EQ(end.counters().memory.writes, 1u);
    EXPECT_EQ(end.counters().cache(0, 0).pagedOut, 1u);
    EXPECT_EQ(end.counters().cache(0, 0).evictions, 0u);
}

TEST(Paging, TheSecondPageOfAnAccessDoesNotThrowOutTheFirst) {
    const Simulator end = played(small(2), {readBy(0, 200), readBy(0, 60, 8)});
    EXPECT_TRUE(end.hierarchy().pages()->holds(BlockAddress{0}));
    EXPECT_TRUE(end.hierarchy().pages()->holds(BlockAddress{1}));
    EXPECT_EQ(end.counters().pageFaults[0], 3u);
}

TEST(Paging, AnAccessToMorePagesThanFramesBringsThemInAgain) {
    const Simulator end = played(small(2), {readBy(0, 0, 192)});
    EXPECT_EQ(end.counters().pageFaults[0], 3u + 3u) << "to translate the access, and as its blocks come";
    EXPECT_TRUE(end.hierarchy().pages()->holds(BlockAddress{1}));
    EXPECT_TRUE(end.hierarchy().pages()->holds(BlockAddress{2}));
}

TEST(Paging, WhatIsNotRecordedChangesPagesButCountsNothing) {
    std::vector<Access> accesses = {readBy(0, 0), readBy(0, 64)};
    accesses[0].unrecorded = true;
    const Simulator end = played(small(2), accesses);
    EXPECT_EQ(end.counters().pageFaults[0], 1u);
    EXPECT_TRUE(end.hierarchy().pages()->holds(BlockAddress{0}));
}

TEST(Paging, NothingIsPrefetchedIntoAPageThatIsNotThere) {
    MachineConfig machine = small(8);
    machine.levels[0] = {.name = "L1", .size = 1024, .ways = 4, .block = 16, .prefetch = Prefetcher::nextLine};
    machine.levels[0].degree = 4;
    const Simulator end = played(machine, {readBy(0, 0), readBy(0, 256), readBy(0, 64 - 16)});
    EXPECT_EQ(end.counters().cache(0, 0).prefetches, 3u + 3u) << "of the third nothing is left to fetch";
    EXPECT_EQ(end.counters().pageFaults[0], 2u);
}

TEST(Paging, MorePagesNeverFaultMore) {
    for (reference::Case& random : boundedCases()) {
        std::uint64_t before = ~std::uint64_t{0};
        // An access to more pages than frames touches some of them twice.
        std::size_t most = 2;
        for (const Access& a : random.trace) most = std::max(most, pagesOf(a, random.machine).size());
        for (std::uint64_t frames = most; frames < most + 12; ++frames) {
            random.machine.memory.size = frames * random.machine.memory.page;
            const std::uint64_t faults = faultsOf(random.machine, random.trace);
            ASSERT_LE(faults, before);
            before = faults;
        }
    }
}

TEST(Paging, MemoryThatSufficesOnlyAddsTheFirstTouches) {
    for (const reference::Case& random : boundedCases()) {
        MachineConfig ample = random.machine;
        ample.memory.size = std::uint64_t{100'000} * ample.memory.page;
        MachineConfig unbounded = ample;
        unbounded.memory = {};
        for (LevelConfig& level : ample.levels) level.prefetch = Prefetcher::none;
        for (LevelConfig& level : unbounded.levels) level.prefetch = Prefetcher::none;
        const Simulator with = played(ample, random.trace);
        const Simulator without = played(unbounded, random.trace);
        std::set<std::uint64_t> touched;
        for (const Access& a : random.trace) touched.merge(pagesOf(a, ample));
        ASSERT_EQ(ofAllCpus(with.counters().pageFaults), touched.size());
        ASSERT_EQ(ofAllCpus(with.counters().pageWritebacks), 0u);
        for (std::uint32_t cpu = 0; cpu < ample.cpus; ++cpu) {
            const std::uint64_t faults = with.counters().pageFaults[cpu];
            ASSERT_EQ(with.clock(cpu), without.clock(cpu) + faults * ample.memory.fault);
        }
        for (std::size_t l = 0; l < ample.levels.size(); ++l) {
            for (std::size_t i = 0; i < ample.caches(l); ++i) {
                ASSERT_EQ(with.counters().cache(l, i), without.counters().cache(l, i));
            }
        }
        ASSERT_EQ(with.counters().memory, without.counters().memory);
        ASSERT_EQ(with.counters().tlbMisses, without.counters().tlbMisses);
    }
}

/// The first block in a cache, or page in a TLB, whose page is not in memory.
bool isAllInMemory(const Cache& cache, const PageTable& pages) {
    for (std::uint32_t s = 0; s < cache.sets(); ++s) {
        for (const Line& line : cache.lines(SetIndex{s})) {
            if (line.valid && !pages.holds(pages.pageOf(cache.addressOf(line.block)))) return false;
        }
    }
    return true;
}

TEST(Paging, WhatIsCachedIsInMemoryAndOnlyAnAccessFaults) {
    for (const reference::Case& random : boundedCases()) {
        MachineConfig machine = random.machine;
        for (LevelConfig& level : machine.levels) {
            if (level.policy == Policy::opt) level.policy = Policy::lru;  // needs no future
        }
        Simulator simulator(machine);
        for (const Access& a : random.trace) {
            EventList events;
            simulator.step(a, events);
            const std::set<std::uint64_t> own = pagesOf(a, random.machine);
            for (const Event& e : events) {
                if (e.kind != EventKind::pageFault) continue;
                ASSERT_TRUE(own.contains(e.block.value));
                ASSERT_EQ(e.cache, a.cpu);
            }
            const Hierarchy& state = simulator.hierarchy();
            ASSERT_LE(state.pages()->held(), random.machine.memory.frames());
            for (std::size_t l = 0; l < state.levels(); ++l) {
                for (std::uint32_t i = 0; i < state.caches(l); ++i) {
                    ASSERT_TRUE(isAllInMemory(state.cache(l, i), *state.pages()));
                }
            }
            for (std::uint32_t cpu = 0; cpu < random.machine.cpus; ++cpu) {
                ASSERT_TRUE(state.tlb(cpu) == nullptr || isAllInMemory(*state.tlb(cpu), *state.pages()));
            }
        }
    }
}

TEST(Paging, ALargePageIsFoundWhereTheCacheIsSmaller) {
    // 4096 blocks a page, 4 ways in the cache: its ways are looked through, not the page.
    MachineConfig machine = small(2);
    machine.memory = {.size = 131072, .page = 65536, .fault = 0};
    const Simulator end =
        played(machine, {writeBy(0, 0), writeBy(0, 65520), writeBy(0, 65536), readBy(0, 131072), readBy(0, 131072)});
    EXPECT_EQ(end.counters().cache(0, 0).pagedOut, 2u);
    EXPECT_EQ(end.counters().cache(0, 0).writebacks, 2u);
    EXPECT_EQ(end.counters().memory.writes, 2u);
}

TEST(Paging, OnlyBoundedMemoryTakesTheSlowWay) {
    MachineConfig machine = small(2);
    EXPECT_FALSE(Hierarchy(machine).isSimple());
    EXPECT_EQ(Hierarchy(machine).tlb(0), nullptr);
    machine.memory = {};
    EXPECT_TRUE(Hierarchy(machine).isSimple());
    EXPECT_EQ(Hierarchy(machine).pages(), nullptr);
}

}  // namespace
}  // namespace whorl::sim
