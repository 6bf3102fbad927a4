// The stays of a history against the caches of the run at every tick, and against the machine's events.
#include <array>
#include <map>

#include "sim/analysis/history_help.h"
#include "sim/trace/trace_help.h"
#include "support/rounds.h"

namespace whorl::sim {
namespace {

using test::RandomRun;

/// Cache and block, and its state.
using Occupancy = std::map<std::pair<std::uint32_t, std::uint64_t>, Holding>;

Occupancy residentsOf(const Simulator& state, std::size_t level) {
    const MachineConfig& machine = state.machine();
    const bool isCoherent = machine.protocol != Protocol::none && machine.caches(level) > 1;
    Occupancy out;
    for (std::uint32_t i = 0; i < machine.caches(level); ++i) {
        const Cache& cache = state.hierarchy().cache(level, i);
        for (std::uint32_t set = 0; set < cache.sets(); ++set) {
            for (const Line& line : cache.lines(SetIndex{set})) {
                if (!line.valid) continue;
                out[{i, line.block.value}] = line.dirty                  ? Holding::modified
                                             : isCoherent && !line.owned ? Holding::shared
                                                                         : Holding::exclusive;
            }
        }
    }
    return out;
}

/// The resident blocks after `t` accesses, by the stays.
Occupancy residentsOf(const HistoryLevel& level, Tick t) {
    Occupancy out;
    std::size_t change = 0;
    for (std::uint32_t s = 0; s < level.stays.size(); ++s) {
        const Stay& stay = level.stays[s];
        const bool hasCome = stay.in == Stay::kNever || stay.in < t;
        const bool hasLeft = stay.out != Stay::kNever && stay.out < t;
        if (hasCome && !hasLeft) out[{stay.cache, level.blocks[stay.block].block.value}] = stay.holding;
        for (; change < level.changes.size() && level.changes[change].stay == s; ++change) {
            const Change& c = level.changes[change];
            if (!hasCome || hasLeft || (c.tick != Stay::kNever && c.tick >= t)) continue;
            out[{stay.cache, level.blocks[stay.block].block.value}] = c.holding;
        }
    }
    return out;
}

TEST(Stays, AreWhatTheCachesHoldAtEveryMoment) {
    for (std::uint64_t seed = 0; seed < testRounds(80); ++seed) {
        const RandomRun random(seed);
        const auto history = random.history();
        Simulator state = random.run->stateAt(random.range.from);
        for (Tick t = random.range.from; t <= random.range.to; ++t) {
            for (std::size_t l = 0; l < history->levels.size(); ++l) {
                ASSERT_EQ(residentsOf(history->levels[l], t), residentsOf(state, l))
                    << "seed " << seed << ", tick " << t.value << ", level " << l;
            }
            if (t < random.range.to) state.step(TraceCursor(random.run->trace()).at(t));
        }
    }
}

/// The machine's events of one level in a range, counted.
struct EventCounts {
    std::uint64_t fills = 0;
    std::array<std::uint64_t, 6> leavings{};
};

std::vector<EventCounts> eventCountsIn(const RandomRun& random) {
    std::vector<EventCounts> told(random.run->machine().levels.size());
    Simulator state = random.run->stateAt(random.range.from);
    random.run->trace().forEach(random.range.from, random.range.to, [&](Tick, const Access& a) {
        EventList events;
        state.step(a, events);
        for (const Event& e : events) {
            const auto count = [&](Leaving leaving) { ++told[e.level].leavings[static_cast<std::size_t>(leaving)]; };
            if (e.kind == EventKind::fill) ++told[e.level].fills;
            if (e.kind == EventKind::eviction) count(Leaving::replaced);
            if (e.kind == EventKind::moved) count(Leaving::moved);
            if (e.kind != EventKind::invalidation) continue;
            count(e.cause == Cause::inclusion ? Leaving::included
                  : e.cause == Cause::paging  ? Leaving::paged
                                              : Leaving::invalidated);
        }
    });
    return told;
}

TEST(Stays, BeginWithEveryFillAndEndWithEveryLeaving) {
    for (std::uint64_t seed = 0; seed < testRounds(80); ++seed) {
        const RandomRun random(seed);
        const auto history = random.history();
        const std::vector<EventCounts> told = eventCountsIn(random);
        for (std::size_t l = 0; l < told.size(); ++l) {
            EventCounts stayed;
            for (const Stay& s : history->levels[l].stays) {
                stayed.fills += s.in == Stay::kNever ? 0 : 1;
                stayed.leavings[static_cast<std::size_t>(s.leaving)] += s.leaving == Leaving::resident ? 0 : 1;
                EXPECT_EQ(s.out == Stay::kNever, s.leaving == Leaving::resident);
            }
            EXPECT_EQ(stayed.fills, told[l].fills) << "seed " << seed;
            EXPECT_EQ(stayed.leavings, told[l].leavings) << "seed " << seed;
        }
    }
}

/// Stays are in order, refer to what exists, and do not overlap in time.
void expectValid(const HistoryLevel& level, const History& history) {
    std::size_t block = 0;
    for (std::size_t s = 0; s < level.stays.size(); ++s) {
        const Stay& stay = level.stays[s];
        while (s >= level.staysEnd(block)) ++block;
        ASSERT_EQ(stay.block, block);
        EXPECT_LE(history.begin, stay.from);
        EXPECT_LE(stay.from, stay.to);
        EXPECT_LE(stay.to, history.end);
        EXPECT_EQ(stay.in == Stay::kNever, stay.source == Stay::kNone);
        EXPECT_TRUE(stay.source == Stay::kNone || stay.source < history.sources.size());
        EXPECT_TRUE(stay.object == Stay::kNone || stay.object < history.objects.size());
        EXPECT_EQ(stay.by != Stay::kNone, stay.leaving == Leaving::replaced);
        if (s == 0 || level.stays[s - 1].block != block || level.stays[s - 1].cache > stay.cache) continue;
        const Stay& before = level.stays[s - 1];
        if (before.cache < stay.cache) continue;
        EXPECT_TRUE(before.out <= stay.in && before.to <= stay.from);
    }
    for (std::size_t c = 0; c < level.changes.size(); ++c) {
        const Change change = level.changes[c];
        const Stay stay = level.stays[change.stay];
        const bool isFirst = c == 0 || level.changes[c - 1].stay != change.stay;
        EXPECT_TRUE(c == 0 || level.changes[c - 1].stay <= change.stay);
        EXPECT_LE(isFirst ? stay.from : level.changes[c - 1].at, change.at);
        EXPECT_NE(isFirst ? stay.holding : level.changes[c - 1].holding, change.holding);
        EXPECT_LE(change.at, stay.to);
    }
}

TEST(Stays, AreInOrder) {
    for (std::uint64_t seed = 0; seed < testRounds(80); ++seed) {
        const auto history = RandomRun(seed).history();
        for (const HistoryLevel& level : history->levels) expectValid(level, *history);
        ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
    }
}

/// The most expensive blocks are kept completely, and the rest is counted.
TEST(Stays, KeepTheMostExpensiveBlocksWhenThereIsNoRoom) {
    for (std::uint64_t seed = 0; seed < testRounds(60); ++seed) {
        const RandomRun random(seed);
        const auto all = random.history();
        const auto few = random.history({.stays = 20});
        EXPECT_EQ(few->cycles(), all->cycles());
        for (std::size_t l = 0; l < all->levels.size(); ++l) {
            const HistoryLevel& whole = all->levels[l];
            const HistoryLevel& part = few->levels[l];
            ASSERT_EQ(part.blocks.size(), whole.blocks.size());
            EXPECT_EQ(part.stays.size(), std::min<std::size_t>(20, whole.stays.size()));
            EXPECT_EQ(part.stays.size() + part.leftOut, whole.stays.size());
            expectValid(part, *few);
            Cycles cheapestKept = ~Cycles{0};
            Cycles dearestLost = 0;
            for (std::size_t b = 0; b < part.blocks.size(); ++b) {
                const std::size_t kept = part.staysEnd(b) - part.blocks[b].firstStay;
                const std::size_t had = whole.staysEnd(b) - whole.blocks[b].firstStay;
                if (kept > 0) cheapestKept = std::min(cheapestKept, part.blocks[b].cost);
                if (kept < had) dearestLost = std::max(dearestLost, part.blocks[b].cost);
            }
            EXPECT_LE(dearestLost, cheapestKept) << "seed " << seed;
        }
    }
}

/// Two CPUs, an L1 of one block each; by hand.
class StaysByHand : public testing::Test {
  protected:
    static std::shared_ptr<const History> of(const std::vector<Access>& accesses, std::uint64_t workBeforeEach = 0) {
        TraceBuilder b("hand");
        b.workBeforeEach(workBeforeEach);
        for (const Access& a : accesses) b.add(a);
        MachineConfig machine = parseGeometry("32/1/32, 512/4/32").value();
        machine = withCpus(machine, 2);
        machine.levels[0].latency = 1;
        machine.levels[1].latency = 10;
        machine.memoryLatency = 100;
        machine.upgradeLatency = 5;
        return test::historyOfAll(*test::built(b, machine));
    }
};

TEST_F(StaysByHand, RecordWhyTheyEndAndHowTheyAreHeld) {
    const auto h = of({
        test::access(Op::read, 0x1000, 4, 0),   // 0: exclusive, from 0, 111 access cycles
        test::access(Op::read, 0x1004, 4, 1),   // 1: both have it, from 0, 11 access cycles
        test::access(Op::write, 0x1008, 4, 1),  // 2: CPU 1 at 11, invalidates CPU 0's copy
        test::access(Op::read, 0x2000, 4, 1),   // 3: CPU 1 at 17, evicts it
    });
    const HistoryLevel& l1 = h->levels[0];
    ASSERT_EQ(l1.stays.size(), 3u);
    const Stay& lost = l1.stays[0];
    EXPECT_EQ(lost.leaving, Leaving::invalidated);
    EXPECT_EQ(lost.byCpu, 1);
    EXPECT_EQ(lost.in, Tick{0});
    EXPECT_EQ(lost.out, Tick{2});
    EXPECT_EQ(lost.from, 111u) << "when it was there";
    EXPECT_EQ(lost.to, 111u) << "not before, though CPU 1 writes at 11";
    EXPECT_EQ(lost.cost, 111u);
    EXPECT_FALSE(lost.dirty);
    const Stay& replaced = l1.stays[1];
    EXPECT_EQ(replaced.leaving, Leaving::replaced);
    EXPECT_EQ(replaced.address.value, 0x1004u);
    EXPECT_EQ(l1.blocks[replaced.by].block.value, 0x2000u / 32);
    EXPECT_EQ(replaced.to, 17u + 111);
    EXPECT_TRUE(replaced.dirty);
    EXPECT_EQ(l1.stays[2].leaving, Leaving::resident);
    EXPECT_EQ(l1.stays[2].to, h->end);
    EXPECT_EQ(lost.holding, Holding::exclusive);
    EXPECT_EQ(replaced.holding, Holding::shared);
    EXPECT_EQ(l1.stays[2].holding, Holding::exclusive);
    std::vector<std::pair<std::uint32_t, Holding>> held;
    for (const Change& c : l1.changes) held.emplace_back(c.stay, c.holding);
    EXPECT_EQ(held, (std::vector<std::pair<std::uint32_t, Holding>>{{0, Holding::shared}, {1, Holding::modified}}));
    EXPECT_EQ(h->end, 128u);
}

TEST_F(StaysByHand, CountTheWorkBeforeEachAccess) {
    const auto h = of({test::access(Op::read, 0x1000, 4, 0), test::access(Op::read, 0x2000, 4, 0)}, 7);
    EXPECT_EQ(h->begin, 7u);
    EXPECT_EQ(h->levels[0].stays[0].from, 7u + 111);
    EXPECT_EQ(h->levels[0].stays[1].from, 2 * (7u + 111));
    EXPECT_EQ(h->end, 2 * (7u + 111));
    EXPECT_EQ(h->cycles(), 222u);
}

TEST_F(StaysByHand, AreCancelled) {
    const auto run = test::built(test::shared("R 0x1000 4\nR 0x2000 4\n"), parseGeometry("1K/2/32").value());
    Progress progress;
    progress.cancel();
    EXPECT_EQ(historyOf(*run, {Tick{0}, Tick{2}}, progress), nullptr);
}

}  // namespace
}  // namespace whorl::sim
