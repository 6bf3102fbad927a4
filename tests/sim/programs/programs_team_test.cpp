// The CPUs of a parallel program run in the order of their clocks, synchronize as they should, and write a trace with
// the same clocks.
#include "sim/programs/parallel/team.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "sim/programs/programs_costs.h"

namespace whorl::sim {
namespace {

/// Four CPUs: no access cycles in L1, 10 for L2, 110 for memory, 30 for an upgrade.
MachineConfig fourCpus() {
    return parseMachineJson(R"({"cpus": 4, "memory_latency": 100, "upgrade_latency": 30, "levels": [
        {"name": "L1", "size": 256, "ways": 2, "block": 16, "latency": 0},
        {"name": "L2", "size": "4K", "ways": 4, "block": 16, "latency": 10}]})",
                            "four")
        .value();
}

struct Crew {
    Crew() : team("test", fourCpus(), Listing{"test.h", {}, 1, 0}, 0, progress) {
        at = team.allocate({.name = "memory", .size = 4096}, 4096);
    }
    /// A word in a block of its own.
    SharedWord<int> word() {
        ByteAddress next = at;
        at.value += 16;
        return SharedWord<int>(next);
    }
    ByteAddress& block() {
        at.value = (at.value + 15) / 16 * 16;
        return at;
    }

    Progress progress;
    Team team;
    ByteAddress at;
};

/// When each access of a trace begins and ends, by Clock.
struct Played {
    Tick tick;
    Access access;
    Cycles begin = 0;
    Cycles end = 0;
};

std::vector<Played> played(const Trace& trace, std::vector<Cycles>* now = nullptr) {
    std::vector<Played> out;
    Simulator simulator(machineOf(trace));
    Clock clock(trace, simulator.machine().cpus);
    trace.forEach(Tick{0}, Tick{trace.size()}, [&](Tick tick, const Access& a) {
        const Cycles before = simulator.clock(a.cpu);
        simulator.step(a);
        const Cycles cost = simulator.clock(a.cpu) - before;
        const Cycles begin = clock.take(tick, a.cpu, cost);
        out.push_back({tick, a, begin, begin + cost});
    });
    for (std::uint32_t cpu = 0; now != nullptr && cpu < simulator.machine().cpus; ++cpu) now->push_back(clock.now(cpu));
    return out;
}

Task<> writesThenReads(SharedWord<int>& x) {
    co_await (x() = 7);
    const int seven = co_await x();
    co_await work(100);
    co_await (x() = seven + 1);
}

Task<> worksThenReads(SharedWord<int>& x, SharedWord<int>& y, int& seen) {
    co_await work(5);
    co_await y();
    seen = co_await x();
}

// Computed by hand: CPU 0 stalls 110 cycles for x from cycle 1 on, and CPU 1 as long for y from cycle 6 on. Then CPU 0
// hits at 112, and CPU 1 invalidates CPU 0's copy of x, through L2, at 117; so CPU 0, at 213, has to upgrade.
TEST(Team, GoesInTheOrderOfTheClocks) {
    Crew crew;
    SharedWord<int> x = crew.word();
    SharedWord<int> y = crew.word();
    int seen = 0;
    crew.team.start(writesThenReads(x));
    crew.team.start(worksThenReads(x, y, seen));
    ASSERT_TRUE(crew.team.run());
    EXPECT_EQ(seen, 7);
    EXPECT_EQ(x.value(), 8);
    std::vector<std::tuple<int, bool, Cycles, Cycles>> told;
    for (const Played& p : played(crew.team.finish())) {
        told.emplace_back(p.access.cpu, p.access.isWrite(), p.begin, p.end);
    }
    EXPECT_EQ(
        told,
        (decltype(told){
            {0, true, 1, 111}, {1, false, 6, 116}, {0, false, 112, 112}, {1, false, 117, 127}, {0, true, 213, 243}}));
}

struct Shop {
    Lock lock;
    Barrier barrier;
    Subscripts numbers;
    Bell open;
    SharedWord<int> sold, first;
    std::vector<int> dealt;
    int trouble = 0;  ///< violations seen
};

Task<> customer(Shop& shop, int cpu, int cpus) {
    if (cpu == 0) {
        co_await work(40);
        co_await shop.numbers.clear();
        co_await work(300);
        co_await shop.open.ring();
    } else {
        co_await work(static_cast<Cycles>(cpu));
        co_await shop.open.wait();
    }
    for (int round = 0; round < 5; ++round) {
        for (int i = 0; i < 6; ++i) {
            co_await shop.lock.acquire();
            const int before = co_await shop.sold();
            co_await work(static_cast<Cycles>(7 * cpu + i));
            co_await (shop.sold() = before + 1);
            co_await shop.lock.release();
            co_await work(static_cast<Cycles>(31 * i % 17));
        }
        co_await shop.barrier.wait(cpus);
        if (co_await shop.sold() != 6 * cpus * (round + 1)) ++shop.trouble;
        int number = co_await shop.numbers.getsub(9, cpus);
        while (number >= 0) {
            shop.dealt.push_back(number);
            co_await shop.first().add(1);
            number = co_await shop.numbers.getsub(9, cpus);
        }
        co_await shop.barrier.wait(cpus);
    }
}

class EverySpin : public testing::TestWithParam<Spin> {};

/// The customers' day: a trace, and when each CPU finished.
Trace dayAt(Shop& shop, Spin spin, std::vector<Cycles>& now) {
    Crew crew;
    shop.lock = Lock(crew.block(), spin);
    shop.barrier = Barrier(crew.block(), spin);
    shop.numbers = Subscripts(crew.block(), spin);
    shop.sold = crew.word();
    shop.first = crew.word();
    for (int cpu = 0; cpu < 4; ++cpu) crew.team.start(customer(shop, cpu, 4));
    EXPECT_TRUE(crew.team.run());
    for (std::uint32_t cpu = 0; cpu < 4; ++cpu) now.push_back(crew.team.now(cpu));
    return crew.team.finish();
}

TEST_P(EverySpin, LocksBarriersAndSubscriptsKeepTheirPromises) {
    Shop shop;
    std::vector<Cycles> now;
    dayAt(shop, GetParam(), now);
    EXPECT_EQ(shop.sold.value(), 120);
    EXPECT_EQ(shop.first.value(), 50);
    EXPECT_EQ(shop.trouble, 0);
    // Every number once per round, in order: the first to come gets the least.
    ASSERT_EQ(shop.dealt.size(), 50u);
    for (std::size_t i = 0; i < 50; ++i) EXPECT_EQ(shop.dealt[i], static_cast<int>(i % 10));
}

TEST_P(EverySpin, TheClocksAreThoseOfTheTrace) {
    Shop shop;
    std::vector<Cycles> now;
    const Trace trace = dayAt(shop, GetParam(), now);
    std::vector<Cycles> told;
    const auto accesses = played(trace, &told);
    EXPECT_EQ(told, now);
    EXPECT_TRUE(std::is_sorted(accesses.begin(), accesses.end(), [](const Played& a, const Played& b) {
        // A modify is a single operation, and its write may begin after what another CPU does next.
        return a.begin < b.begin && !a.access.modify && !b.access.modify;
    }));
    EXPECT_FALSE(trace.timing().delays.empty());
}

TEST_P(EverySpin, IsTheSameEveryTime) {
    Shop once;
    Shop again;
    std::vector<Cycles> now;
    const Trace a = dayAt(once, GetParam(), now);
    const Trace b = dayAt(again, GetParam(), now);
    EXPECT_EQ(a.accesses(), b.accesses());
    EXPECT_EQ(a.timing(), b.timing());
}

INSTANTIATE_TEST_SUITE_P(Team, EverySpin, testing::Values(Spin::sleep, Spin::tas, Spin::ttas));

TEST(Team, NobodyHasALockBeforeItIsReleased) {
    Shop shop;
    std::vector<Cycles> now;
    const Trace trace = dayAt(shop, Spin::sleep, now);
    const ByteAddress word = shop.lock.address();
    Cycles free = 0;
    int writes = 0;
    for (const Played& p : played(trace)) {
        if (p.access.address != word) continue;
        EXPECT_TRUE(p.access.isWrite()) << "who sleeps makes no accesses";
        if (writes++ % 2 == 0) {
            EXPECT_GE(p.begin, free);
        } else {
            free = p.end;
        }
    }
    EXPECT_EQ(writes, 2 * 120);
}

Task<> sleeps(Bell& bell) {
    co_await bell.wait();
}
Task<> nothing() {
    co_return;
}
Task<> inner() {
    throw std::runtime_error("inside");
    co_return;
}
Task<> outer(SharedWord<int>& x) {
    co_await x();
    co_await inner();
}

TEST(Team, SaysWhenAllWaitForever) {
    Crew crew;
    Bell bell;
    crew.team.start(sleeps(bell));
    crew.team.start(nothing());
    EXPECT_FALSE(crew.team.run());
}

TEST(Team, WhatATaskThrowsComesOut) {
    Crew crew;
    SharedWord<int> x = crew.word();
    crew.team.start(outer(x));
    EXPECT_THROW(crew.team.run(), std::runtime_error);
}

Task<> silentAtFirst(Team& team, SharedWord<int>& x) {
    team.tracing(false);
    co_await (x() = 1);
    co_await (x() = 2);
    team.tracing(true);
    co_await x();
}
Task<> waitsForTheOthers(SharedWord<int>& x, int& seen) {
    co_await Team::others();
    seen = co_await x();
}

TEST(Team, WithoutTracingTheCachesSeeWhatTakesNoTime) {
    Crew crew;
    SharedWord<int> x = crew.word();
    int seen = 0;
    crew.team.start(silentAtFirst(crew.team, x));
    crew.team.start(waitsForTheOthers(x, seen));
    ASSERT_TRUE(crew.team.run());
    EXPECT_EQ(seen, 2);
    const auto accesses = played(crew.team.finish());
    ASSERT_EQ(accesses.size(), 4u);
    EXPECT_TRUE(accesses[1].access.unrecorded);
    EXPECT_EQ(accesses[1].end, 2u);
    EXPECT_FALSE(accesses[2].access.unrecorded);
    EXPECT_EQ(accesses[2].end, 3u) << "x is in the cache";
    EXPECT_EQ(accesses[3].begin, 3u) << "as soon as the others are through";
}

}  // namespace
}  // namespace whorl::sim
