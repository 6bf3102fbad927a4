// Histories of places: against the accesses of the trace and their events, one by one, and against the history of all.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "sim/analysis/cache_cells.h"
#include "sim/analysis/history_help.h"
#include "sim/analysis/place_history.h"
#include "sim/trace/trace_help.h"
#include "support/rounds.h"

namespace whorl::sim {
namespace {

using test::RandomRun;

std::string inWords(const PlaceAccess& a) {
    std::string out;
    for (const std::uint64_t n :
         {a.tick.value, a.address.value, a.block.value, std::uint64_t{a.penalty}, std::uint64_t{a.site.value},
          std::uint64_t{a.size}, std::uint64_t{a.cpu}, std::uint64_t{a.served}}) {
        out += std::to_string(n) + ' ';
    }
    for (const bool is : {a.write, a.hit, a.demand, a.counts, a.tlbMiss, a.pageFault}) out += is ? '1' : '0';
    return out + '\n';
}

std::string inWords(const std::vector<PlaceAccess>& accesses) {
    std::string out;
    for (const PlaceAccess& a : accesses) out += inWords(a);
    return out;
}

/// Plays a range access by access: f(tick, access, its events, its access cycles).
template <class F>
void step(const sim::Run& run, Range range, F&& f) {
    Simulator state = run.stateAt(range.from);
    run.trace().forEach(range.from, range.to, [&](Tick t, const Access& a) {
        const Cycles before = state.clock(a.cpu);
        EventList events;
        state.step(a, events);
        f(t, a, std::vector<Event>(events.begin(), events.end()), state.clock(a.cpu) - before);
    });
}

std::uint64_t countsOf(const Access& a, const MachineConfig& machine) {
    return a.modify && machine.conventions.modifyCountsOnce ? 0 : 1;
}

std::vector<PlaceAccess> naively(const sim::Run& run, Range range, const Place& memory) {
    std::vector<PlaceAccess> out;
    step(run, range, [&](Tick t, const Access& a, const std::vector<Event>& events, Cycles cost) {
        bool isIn = false;
        for (std::uint64_t byte = 0; byte < a.size; ++byte) {
            const std::uint64_t address = a.address.value + byte;
            isIn = isIn || (memory.from.value <= address && address <= memory.last().value);
        }
        if (!isIn || a.unrecorded) return;
        const std::uint64_t counts = countsOf(a, run.machine());
        PlaceAccess found{.tick = t, .address = a.address, .site = a.site, .size = a.size, .cpu = a.cpu};
        found.penalty = cost - counts * run.machine().levels[0].latency;
        found.write = a.isWrite();
        found.counts = counts == 1;
        found.hit = true;
        for (const Event& e : events) {
            if (e.kind == EventKind::tlbMiss) found.tlbMiss = true;
            if (e.kind == EventKind::pageFault) found.pageFault = true;
            if (e.kind == EventKind::hit && e.demand) found.served = e.level;
            if (e.kind != EventKind::miss || !e.demand) continue;
            found.served = static_cast<std::uint8_t>(e.level + 1);
            if (e.level == 0) found.hit = false;
        }
        out.push_back(found);
    });
    return out;
}

Place somePlace(const sim::Run& run, std::mt19937_64& dice) {
    const Access near = [&] {
        const CursorLoan loan(run.trace());
        return loan.cursor().at(Tick{dice() % run.trace().size()});
    }();
    const std::uint64_t from = near.address.value - std::min(near.address.value, dice() % 20);
    const std::uint64_t most = ~std::uint64_t{0} - from;
    const std::uint64_t bytes = dice() % 4 == 0 ? 1 : 1 + dice() % 300;
    return {.from = ByteAddress{from}, .bytes = std::min(bytes - 1, most) + 1};
}

TEST(PlaceHistory, OfMemoryHasExactlyTheAccessesThatTouchIt) {
    for (std::uint64_t seed = 0; seed < testRounds(200); ++seed) {
        const RandomRun random(seed);
        std::mt19937_64 dice(seed);
        for (int i = 0; i < 3; ++i) {
            const Place place = somePlace(*random.run, dice);
            Progress progress;
            const auto history = placeHistoryOf(*random.run, place, random.range, progress);
            EXPECT_EQ(history->place, place);
            ASSERT_EQ(inWords(history->accesses), inWords(naively(*random.run, random.range, place)))
                << "seed " << seed << ", " << std::hex << place.from.value << '+' << place.bytes;
        }
    }
    const auto run = test::built(test::traceOfProgram("mergesort:n=2000"), *parseGeometry("1K/2/32, 8K/4/64"));
    const Place place{.from = ByteAddress{run->trace().regions().front().base.value + 101}, .bytes = 40};
    const Range range{Tick{999}, Tick{run->trace().size() - 3}};
    Progress progress;
    const auto history = placeHistoryOf(*run, place, range, progress);
    EXPECT_GT(history->accesses.size(), 10u);
    EXPECT_EQ(inWords(history->accesses), inWords(naively(*run, range, place)));
}

/// Level, cache, block, in, out.
std::vector<std::string> inWords(const std::vector<PlaceStay>& stays) {
    std::vector<std::string> out;
    for (const PlaceStay& s : stays) {
        std::string& words = out.emplace_back();
        for (const std::uint64_t n :
             {std::uint64_t{s.level}, std::uint64_t{s.cache}, s.block.value, s.in.value, s.out.value}) {
            words += std::to_string(n) + ' ';
        }
    }
    std::sort(out.begin(), out.end());
    return out;
}

TEST(PlaceHistory, HasTheStaysOfTheHistoryOfAll) {
    for (std::uint64_t seed = 0; seed < testRounds(150); ++seed) {
        const RandomRun random(seed);
        const auto all = random.history();
        std::mt19937_64 dice(seed);
        const Place place = somePlace(*random.run, dice);
        std::vector<PlaceStay> expected;
        for (std::size_t l = 0; l < all->levels.size(); ++l) {
            const HistoryLevel& level = all->levels[l];
            for (const Stay& s : level.stays) {
                const std::uint64_t base = level.blocks[s.block].block.value * level.blockSize;
                const bool overlaps = base <= place.last().value && base + (level.blockSize - 1) >= place.from.value;
                if (!overlaps) continue;
                expected.push_back({.block = level.blocks[s.block].block,
                                    .in = s.in,
                                    .out = s.out,
                                    .level = static_cast<std::uint8_t>(l),
                                    .cache = s.cache});
            }
        }
        Progress progress;
        const auto history = placeHistoryOf(*random.run, place, random.range, progress);
        ASSERT_EQ(inWords(history->stays), inWords(expected)) << "seed " << seed;
        ASSERT_TRUE(
            std::is_sorted(history->stays.begin(), history->stays.end(),
                           [](const PlaceStay& a, const PlaceStay& b) { return a.in.value + 1 < b.in.value + 1; }));
    }
}

/// Over all ways, requests and misses are those of the table of cells of the cache; and blocks those that lived there.
/// The hits in a cell that by convention count with another block of their access.
std::uint64_t hitsTogether(const sim::Run& run, const Place& place, Range range) {
    std::uint64_t hits = 0;
    Simulator state = run.stateAt(range.from);
    run.trace().forEach(range.from, range.to, [&](Tick, const Access& a) {
        EventList events;
        state.step(a, events);
        for (const Event& e : events) {
            const bool isHere =
                e.level == place.level && e.cache == place.cache && e.set == place.set && e.way == place.way;
            hits += isHere && e.kind == EventKind::hit && e.together && !e.half && !a.unrecorded ? 1 : 0;
        }
    });
    return hits;
}

TEST(PlaceHistory, OfACacheCellAgreesWithItsSums) {
    for (std::uint64_t seed = 0; seed < testRounds(60); ++seed) {
        const RandomRun random(seed);
        const MachineConfig& machine = random.run->machine();
        for (std::size_t l = 0; l < machine.levels.size(); ++l) {
            Progress progress;
            const auto table = cacheCellsOf(*random.run, {.range = random.range, .level = l}, progress);
            std::mt19937_64 dice(seed);
            for (int i = 0; i < 6; ++i) {
                const Place place{.kind = Place::Kind::cache,
                                  .level = static_cast<std::uint8_t>(l),
                                  .cache = static_cast<std::uint8_t>(dice() % table->caches()),
                                  .set = SetIndex{static_cast<std::uint32_t>(dice() % table->sets())},
                                  .way = WayIndex{static_cast<std::uint32_t>(dice() % table->ways())}};
                const auto history = placeHistoryOf(*random.run, place, random.range, progress);
                const CacheCellSums& sums = table->at(place.cache, place.set, place.way);
                std::uint64_t hits = 0;
                for (const PlaceAccess& a : history->accesses) {
                    hits += a.hit && (a.counts || l > 0) ? 1 : 0;
                    EXPECT_TRUE(a.demand || a.penalty == 0);
                    EXPECT_LE(a.served, machine.levels.size());
                    EXPECT_TRUE(!a.hit || a.demand || a.served == l);
                }
                const std::uint64_t together = hitsTogether(*random.run, place, random.range);
                ASSERT_EQ(hits, sums.hits + together) << "seed " << seed << ", level " << l;
                ASSERT_LE(sums.misses, history->accesses.size() - hits) << "the rest are prefetched";
                std::vector<BlockAddress> blocks;
                for (const PlaceStay& s : history->stays) blocks.push_back(s.block);
                std::sort(blocks.begin(), blocks.end());
                const auto different = std::unique(blocks.begin(), blocks.end()) - blocks.begin();
                ASSERT_EQ(static_cast<std::uint64_t>(different), sums.distinctBlocks) << "seed " << seed;
                // One stay ends before the next begins.
                for (std::size_t s = 1; s < history->stays.size(); ++s) {
                    ASSERT_NE(history->stays[s - 1].out, Stay::kNever);
                    ASSERT_LE(history->stays[s - 1].out, history->stays[s].in);
                }
            }
        }
    }
}

class PlacesByHand : public testing::Test {
  protected:
    /// A (from 0x1000) and B (from 0x2000) are in the same set of a direct-mapped L1 before a large L2.
    PlacesByHand() {
        TraceBuilder b("hand");
        b.addRegion(test::region("A", 0x1000, 64));
        b.addRegion(test::region("B", 0x2000, 64));
        const SiteId one = b.site("p.c", 1);
        const SiteId two = b.site("p.c", 2);
        b.add(test::access(Op::read, 0x1000, 4, 0, one));   // 0 A from memory
        b.add(test::access(Op::write, 0x1004, 4, 0, one));  // 1 A: hit, dirty
        b.add(test::access(Op::read, 0x2000, 4, 0, two));   // 2 B from memory; A is written back to L2
        b.add(test::access(Op::read, 0x1002, 4, 0, two));   // 3 A from L2
        MachineConfig machine = parseGeometry("64/1/32, 1K/2/32").value();
        machine.levels[0].latency = 1;
        machine.levels[1].latency = 10;
        machine.memoryLatency = 100;
        run_ = test::built(b, machine);
    }
    PlaceHistory of(const Place& place, Range range = {Tick{0}, Tick{4}}, std::size_t most = PlaceHistory::kMax) {
        Progress progress;
        return *placeHistoryOf(*run_, place, range, progress, most);
    }

    std::shared_ptr<const sim::Run> run_;
};

TEST_F(PlacesByHand, AWordOfMemory) {
    const PlaceHistory history = of({.from = ByteAddress{0x1004}, .bytes = 4});
    ASSERT_EQ(history.accesses.size(), 2u);
    EXPECT_EQ(history.accesses[0].tick, Tick{1});
    EXPECT_TRUE(history.accesses[0].hit);
    EXPECT_EQ(history.accesses[0].penalty, 0u);
    EXPECT_EQ(history.accesses[1].tick, Tick{3}) << "its last byte";
    EXPECT_EQ(history.accesses[1].served, 1u);
    EXPECT_EQ(history.accesses[1].penalty, 10u);
    const std::vector<PlaceStay> stays = {
        {.block = BlockAddress{0x80}, .in = Tick{0}, .out = Stay::kNever, .level = 1},
        {.block = BlockAddress{0x80}, .in = Tick{0}, .out = Tick{2}, .level = 0},
        {.block = BlockAddress{0x80}, .in = Tick{3}, .out = Stay::kNever, .level = 0}};
    EXPECT_EQ(history.stays, stays);
}

/// An access belongs to the word of its first byte in the place: that at tick 3 ends in the second word of A.
TEST_F(PlacesByHand, TheWordsOfACell) {
    const PlaceHistory cell = of({.from = ByteAddress{0x1000}, .bytes = 32});
    const std::vector<PlaceRow> expected = {{.name = run_->trace().placeOf(ByteAddress{0x1000}, Tick{0}),
                                             .first = Tick{0},
                                             .last = Tick{3},
                                             .accesses = 2,
                                             .writes = 0,
                                             .served = {0, 1, 1},
                                             .penalty = 120},
                                            {.name = run_->trace().placeOf(ByteAddress{0x1004}, Tick{0}),
                                             .first = Tick{1},
                                             .last = Tick{1},
                                             .accesses = 1,
                                             .writes = 1,
                                             .served = {1, 0, 0},
                                             .penalty = 0}};
    EXPECT_NE(expected[0].name, expected[1].name);
    EXPECT_EQ(rowsByWord(cell, run_->trace(), 4), expected);
    EXPECT_EQ(rowsByWord(cell, run_->trace(), 32).size(), 1u);
    // Words are counted from the place's first byte; what began before it belongs to the first.
    const PlaceHistory later = of({.from = ByteAddress{0x1003}, .bytes = 8});
    const auto words = rowsByWord(later, run_->trace(), 4);
    ASSERT_EQ(words.size(), 1u);
    EXPECT_EQ(words[0].name, run_->trace().placeOf(ByteAddress{0x1003}, Tick{0}));
    EXPECT_EQ(words[0].accesses, 3u);
    EXPECT_TRUE(rowsByWord(of({.kind = Place::Kind::cache}), run_->trace(), 4).empty());
}

TEST_F(PlacesByHand, ACellOfACache) {
    const PlaceHistory history = of({.kind = Place::Kind::cache});
    ASSERT_EQ(history.accesses.size(), 4u);
    EXPECT_EQ(history.accesses[2].block, BlockAddress{0x100});
    EXPECT_EQ(history.accesses[2].penalty, 110u);
    const auto names = rowsByName(history, run_->trace());
    const std::vector<PlaceRow> expected = {{.name = "A",
                                             .first = Tick{0},
                                             .last = Tick{3},
                                             .accesses = 3,
                                             .writes = 1,
                                             .served = {1, 1, 1},
                                             .penalty = 120},
                                            {.name = "B",
                                             .first = Tick{2},
                                             .last = Tick{2},
                                             .accesses = 1,
                                             .writes = 0,
                                             .served = {0, 0, 1},
                                             .penalty = 110}};
    EXPECT_EQ(names, expected);
    const auto lines = rowsByLine(history, run_->trace());
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_EQ(lines[0].name, "p.c:1");
    EXPECT_EQ(lines[1].name, "p.c:2");
    EXPECT_EQ(lines[1].penalty, 120u);
}

/// The write-back is a request there, but no CPU waits for it.
TEST_F(PlacesByHand, ACellOfAFartherCache) {
    const PlaceHistory history = of({.kind = Place::Kind::cache, .level = 1});
    ASSERT_EQ(history.accesses.size(), 3u);
    EXPECT_EQ(history.accesses[1].tick, Tick{2});
    EXPECT_FALSE(history.accesses[1].demand);
    EXPECT_TRUE(history.accesses[1].write);
    EXPECT_TRUE(history.accesses[1].hit);
    EXPECT_EQ(history.accesses[1].penalty, 0u);
    EXPECT_EQ(history.accesses[1].served, 1u);
    EXPECT_TRUE(history.accesses[2].hit);
    EXPECT_EQ(history.accesses[2].penalty, 10u);
    EXPECT_EQ(rowsByName(history, run_->trace()).size(), 1u) << "the write-back is of A, too";
}

TEST_F(PlacesByHand, ARangeBeginsWithWhatIsThere) {
    const PlaceHistory history = of({.kind = Place::Kind::cache}, {Tick{1}, Tick{3}});
    ASSERT_EQ(history.stays.size(), 2u);
    EXPECT_EQ(history.stays[0].in, Stay::kNever);
    EXPECT_EQ(history.stays[0].out, Tick{2});
    EXPECT_EQ(history.stays[1].out, Stay::kNever);
}

TEST_F(PlacesByHand, WithoutRoomTheLastAreLeftOut) {
    const PlaceHistory history = of({.kind = Place::Kind::cache}, {Tick{0}, Tick{4}}, 2);
    EXPECT_EQ(history.accesses.size(), 2u);
    EXPECT_EQ(history.leftOut, 2u);
    EXPECT_EQ(history.stays.size(), 2u);
    EXPECT_EQ(history.staysLeftOut, 1u);
    EXPECT_EQ(history.stays[1].out, Tick{3});
}

TEST_F(PlacesByHand, CanBeEmptyAndCancelled) {
    EXPECT_TRUE(of({.from = ByteAddress{~std::uint64_t{0}}}).accesses.empty());
    EXPECT_TRUE(of({.kind = Place::Kind::cache}, {Tick{2}, Tick{2}}).accesses.empty());
    Progress progress;
    progress.cancel();
    EXPECT_EQ(placeHistoryOf(*run_, {.kind = Place::Kind::cache}, {Tick{0}, Tick{4}}, progress), nullptr);
}

}  // namespace
}  // namespace whorl::sim
