// The fast simulator against the reference: every counter and the whole list of events, on random machines and traces.
#include "sim/run/simulator.h"

#include <gtest/gtest.h>

#include <random>

#include "sim/reference_simulator.h"

namespace whorl::sim {
namespace {

const char* wordOf(EventKind kind) {
    switch (kind) {
        case EventKind::hit:
            return "hit";
        case EventKind::miss:
            return "miss";
        case EventKind::fill:
            return "fill";
        case EventKind::eviction:
            return "eviction";
        case EventKind::writeback:
            return "writeback";
        default:
            return "";
    }
}

std::string lineFor(const Event& e) {
    std::string how;
    if (e.kind == EventKind::hit || e.kind == EventKind::miss) how = e.write ? "write" : "read";
    if (e.kind == EventKind::eviction) how = e.dirty ? "dirty" : "clean";
    return std::string(wordOf(e.kind)) + " L" + std::to_string(e.level) + " block " + std::to_string(e.block.value) +
           " " + how;
}

/// Plays an access; gives what it did in the caches.
std::vector<Event> eventsOf(Simulator& simulator, const Access& a) {
    EventList events;
    simulator.step(a, events);
    std::vector<Event> inCaches;
    std::copy_if(events.begin(), events.end(), std::back_inserter(inCaches),
                 [](const Event& e) { return e.kind != EventKind::memory; });
    return inCaches;
}

using Random = std::mt19937;

std::uint32_t among(Random& random, std::uint32_t from, std::uint32_t to) {
    return from + static_cast<std::uint32_t>(random() % (to - from + 1));
}

MachineConfig randomMachine(Random& random) {
    MachineConfig machine;
    std::uint32_t block = 1u << among(random, 0, 5);
    const std::uint32_t levels = among(random, 1, 4);
    for (std::uint32_t l = 0; l < levels; ++l) {
        const std::uint32_t sets = 1u << among(random, 0, 4);
        const std::uint32_t ways = among(random, 1, 7);
        machine.levels.push_back({"L" + std::to_string(l), std::uint64_t{sets} * ways * block, ways, block});
        block <<= among(random, 0, 2);
    }
    return machine;
}

/// Walks, jumps and repeats, so that all sorts of reuse occur.
std::vector<Access> randomTrace(Random& random, std::size_t length) {
    std::vector<Access> trace;
    std::uint64_t at = random() % 4096;
    const std::uint64_t range = std::uint64_t{1} << among(random, 6, 14);
    for (std::size_t i = 0; i < length; ++i) {
        switch (random() % 4) {
            case 0:
                at = random() % range;
                break;
            case 1:
                at = (at + 8) % range;
                break;
            case 2:
                at = (at + 4096) % (range * 4);
                break;
            default:
                break;
        }
        Access a;
        a.address = ByteAddress{at};
        a.size = among(random, 1, 24);
        a.op = random() % 3 == 0 ? Op::write : Op::read;
        trace.push_back(a);
    }
    return trace;
}

void expectSameCounts(const Counters& fast, const reference::Simulator& slow) {
    EXPECT_EQ(fast.reads, slow.reads);
    EXPECT_EQ(fast.writes, slow.writes);
    EXPECT_EQ(fast.memory.reads, slow.memoryReads);
    EXPECT_EQ(fast.memory.writes, slow.memoryWrites);
    for (std::size_t l = 0; l < slow.levels.size(); ++l) {
        const CacheCounters& f = fast.level(l);
        const reference::Level& s = slow.levels[l];
        EXPECT_EQ(f.reads, s.readHits + s.readMisses);
        EXPECT_EQ(f.writes, s.writeHits + s.writeMisses);
        EXPECT_EQ(f.hits(), s.readHits + s.writeHits);
        EXPECT_EQ(f.readMisses, s.readMisses);
        EXPECT_EQ(f.writeMisses, s.writeMisses);
        EXPECT_EQ(f.evictions, s.evictions);
        EXPECT_EQ(f.writebacks, s.writebacks);
    }
}

/// The order of eviction of every set, and what is dirty.
void expectSameContents(const Hierarchy& fast, const reference::Simulator& slow) {
    for (std::size_t l = 0; l < slow.levels.size(); ++l) {
        const Cache& cache = fast.cache(l);
        for (std::uint32_t s = 0; s < cache.sets(); ++s) {
            const auto found = slow.levels[l].contents.find(s);
            const std::list<reference::Level::Held> none;
            const auto& held = found == slow.levels[l].contents.end() ? none : found->second;
            ASSERT_EQ(cache.occupied(SetIndex{s}), held.size());
            std::uint16_t rank = 0;
            for (const auto& h : held) {
                const std::uint32_t way = cache.find(BlockAddress{h.block});
                ASSERT_NE(way, Cache::kNoWay);
                const Line line = cache.line(SetIndex{s}, WayIndex{way});
                EXPECT_EQ(line.rank, rank++);
                EXPECT_EQ(line.dirty, h.dirty);
            }
        }
    }
}

TEST(Simulator, EqualsTheReferenceOnRandomMachinesAndTraces) {
    Random random(20240611);
    for (int round = 0; round < 2000; ++round) {
        const MachineConfig machine = randomMachine(random);
        std::vector<reference::Level> levels;
        for (const LevelConfig& l : machine.levels) {
            levels.push_back({.sets = l.sets(), .ways = l.ways, .block = l.block, .contents = {}});
        }
        reference::Simulator slow(levels);
        Simulator fast(machine);
        std::vector<std::string> log;
        for (const Access& a : randomTrace(random, 300)) {
            slow.access(a.address.value, a.size, a.isWrite());
            for (const Event& e : eventsOf(fast, a)) log.push_back(lineFor(e));
        }
        ASSERT_EQ(log, slow.log) << "round " << round;
        expectSameCounts(fast.counters(), slow);
        expectSameContents(fast.hierarchy(), slow);
        if (HasFailure()) FAIL() << "round " << round;
    }
}

TEST(Simulator, KeepsABlockInItsWayAndRanksWithoutGaps) {
    Random random(7);
    for (int round = 0; round < 200; ++round) {
        Simulator simulator(randomMachine(random));
        for (const Access& a : randomTrace(random, 200)) {
            simulator.step(a);
            for (std::size_t l = 0; l < simulator.hierarchy().levels(); ++l) {
                const Cache& cache = simulator.hierarchy().cache(l);
                for (std::uint32_t s = 0; s < cache.sets(); ++s) {
                    std::uint64_t seen = 0;
                    for (std::uint32_t w = 0; w < cache.ways(); ++w) {
                        const Line line = cache.line(SetIndex{s}, WayIndex{w});
                        if (line.valid) seen |= std::uint64_t{1} << line.rank;
                    }
                    ASSERT_EQ(seen, (std::uint64_t{1} << cache.occupied(SetIndex{s})) - 1);
                }
            }
        }
    }
}

TEST(Simulator, FilledLessLeftIsResident) {
    Random random(99);
    for (int round = 0; round < 200; ++round) {
        const MachineConfig machine = randomMachine(random);
        Simulator simulator(machine);
        std::vector<std::int64_t> resident(machine.levels.size());
        for (const Access& a : randomTrace(random, 500)) {
            for (const Event& e : eventsOf(simulator, a)) {
                resident[e.level] += e.kind == EventKind::fill ? 1 : e.kind == EventKind::eviction ? -1 : 0;
            }
        }
        for (std::size_t l = 0; l < machine.levels.size(); ++l) {
            std::int64_t held = 0;
            for (std::uint32_t s = 0; s < simulator.hierarchy().cache(l).sets(); ++s) {
                held += simulator.hierarchy().cache(l).occupied(SetIndex{s});
            }
            EXPECT_EQ(resident[l], held);
        }
    }
}

// A two-way set of 4-byte blocks in front of four ways, worked by hand: blocks 0, 2 and 4 share L1's set 0.
TEST(Simulator, HandWorkedExample) {
    MachineConfig machine;
    machine.levels = {{"L1", 16, 2, 4}, {"L2", 32, 4, 4}};
    Simulator simulator(machine);
    std::vector<std::string> log;
    const auto play = [&](std::uint64_t address, Op op) {
        Access a;
        a.address = ByteAddress{address};
        a.size = 4;
        a.op = op;
        for (const Event& e : eventsOf(simulator, a)) log.push_back(lineFor(e));
    };
    play(0, Op::write);
    play(8, Op::read);
    play(0, Op::read);
    play(16, Op::read);  // the victim is block 2, the least recently used, and clean
    play(8, Op::read);   // the victim is block 0, dirty: it is written to L2, which has it
    const std::vector<std::string> expected = {
        "miss L0 block 0 write",     "miss L1 block 0 read",  "fill L1 block 0 ",     "fill L0 block 0 ",
        "miss L0 block 2 read",      "miss L1 block 2 read",  "fill L1 block 2 ",     "fill L0 block 2 ",
        "hit L0 block 0 read",       "miss L0 block 4 read",  "miss L1 block 4 read", "fill L1 block 4 ",
        "eviction L0 block 2 clean", "fill L0 block 4 ",      "miss L0 block 2 read", "hit L1 block 2 read",
        "eviction L0 block 0 dirty", "writeback L0 block 0 ", "hit L1 block 0 write", "fill L0 block 2 "};
    EXPECT_EQ(log, expected);
    EXPECT_EQ(simulator.counters().memory.reads, 3u);
    EXPECT_EQ(simulator.counters().memory.writes, 0u);
}

}  // namespace
}  // namespace whorl::sim
