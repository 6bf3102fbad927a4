// The tours that ship: what their words say holds at their moments. The numbers are those of the simulator, which has
// tests of its own; here they are looked for in the words.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "app/commands/commands.h"
#include "app/session/command.h"
#include "app/session/tour.h"
#include "app/tours/presenting.h"
#include "app/tours/tour_catalogue.h"
#include "sim/replay/snapshot.h"
#include "sim/report/table.h"
#include "support/said_scenes.h"

namespace whorl::app {
namespace {

constexpr std::size_t kL1 = 0;
constexpr std::size_t kL2 = 1;
constexpr std::uint64_t kBlock = 32;  ///< bytes, on most of the machines

/// One of a scene's runs, and the part of it that the scene plays.
class ShownRun {
  public:
    ShownRun(std::shared_ptr<const sim::Run> r, double from, double to)
        : run(std::move(r)),
          begin(static_cast<std::uint64_t>(std::ceil(from))),
          end(static_cast<std::uint64_t>(std::ceil(to))) {}

    sim::Measures during(std::uint64_t from, std::uint64_t to) const {
        sim::Progress progress;
        return run->between({sim::Tick{from}, sim::Tick{to}}, progress).value();
    }
    sim::Measures played() const { return during(begin, end); }
    sim::Measures whole() const { return during(0, size()); }
    std::uint64_t size() const { return run->trace().size(); }

    /// The machine at a time, and all effects of so many accesses before it.
    sim::Snapshot at(std::uint64_t time, std::uint64_t steps = 1) const {
        return sim::SnapshotReader(run).at(static_cast<double>(time), {.steps = steps});
    }
    std::deque<sim::Step> steps(std::uint64_t from, std::uint64_t to) const { return at(to, to - from).recent; }

    const sim::Region& region(const std::string& name) const { return run->trace().regions()[rowOf(name)]; }
    bool isIn(const std::string& name, std::uint64_t address) const {
        const sim::Region& r = region(name);
        return address >= r.base.value && address < r.base.value + r.size;
    }
    std::uint64_t accesses(const sim::Measures& m, const std::string& name) const {
        return m.ledger->owners.accesses(rowOf(name));
    }
    std::uint64_t misses(const sim::Measures& m, const std::string& name, std::size_t level = kL1) const {
        return m.ledger->owners.misses(rowOf(name), level);
    }
    /// The share that was used of what was filled into L1, in percent.
    double used(const sim::Measures& m, const std::string& name) const {
        return 100 * m.ledger->owners.stays(rowOf(name), kL1).utilization(run->machine().levels[kL1].block);
    }
    /// The blocks of a region that are accessed in a range.
    std::set<std::uint64_t> blocks(std::uint64_t from, std::uint64_t to, const std::string& name) const {
        std::set<std::uint64_t> found;
        const std::uint64_t bytes = run->machine().levels[kL1].block;
        run->trace().forEach(sim::Tick{from}, sim::Tick{to}, [&](sim::Tick, const sim::Access& a) {
            if (isIn(name, a.address.value)) found.insert(a.address.value / bytes);
        });
        return found;
    }

    const std::shared_ptr<const sim::Run> run;
    const std::uint64_t begin;
    const std::uint64_t end;

  private:
    std::size_t rowOf(const std::string& name) const {
        const auto& regions = run->trace().regions();
        for (std::size_t i = 0; i < regions.size(); ++i) {
            if (regions[i].name == name) return i;
        }
        throw std::runtime_error("there is no region " + name);
    }
};

class ShownScene {
  public:
    ShownScene(const std::string& tour, const std::string& id)
        : scene(withNumbers(sceneNamed(tourFrom(tour).value(), id).value())),
          first(runOfScene(runsOf(scene, {}).first).value(), scene.position(), scene.end()) {}

    /// What stands beside it.
    ShownRun second() const {
        return {runOfScene(runsOf(scene, {}).second.value()).value(), scene.position(), scene.end()};
    }
    /// Whether its words name a number, with a space between thousands.
    bool says(std::uint64_t number) const { return says(number, scene.words); }
    static bool says(std::uint64_t number, const std::string& words) {
        std::string digits = fmt::format("{}", number);
        for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, " ");
        const auto isDigit = [&](std::size_t i) { return i < words.size() && std::isdigit(words[i]) != 0; };
        for (std::size_t i = words.find(digits); i != std::string::npos; i = words.find(digits, i + 1)) {
            if ((i == 0 || !isDigit(i - 1)) && !isDigit(i + digits.size())) return true;
        }
        return false;
    }

    const TourScene scene;
    const ShownRun first;
};

std::uint64_t missesIn(const sim::Measures& m, std::size_t level = kL1) {
    return m.counters.level(level).misses();
}
std::uint64_t hitsIn(const sim::Measures& m, std::size_t level = kL1) {
    return m.counters.level(level).hits();
}
std::uint64_t compulsoryIn(const sim::Measures& m) {
    return m.ledger->misses(m.machine, kL1, sim::MissKind::compulsory);
}
double percent(std::uint64_t part, std::uint64_t whole) {
    return 100 * static_cast<double>(part) / static_cast<double>(whole);
}

/// The valid lines of a cache.
std::vector<sim::Line> linesIn(const sim::Snapshot& snapshot, std::size_t level = kL1, std::uint32_t cache = 0) {
    std::vector<sim::Line> found;
    for (std::uint32_t set = 0; set < snapshot.now.machine().levels[level].sets(); ++set) {
        for (const sim::Line& line : snapshot.cache(level, cache).lines(sim::SetIndex{set})) {
            if (line.valid) found.push_back(line);
        }
    }
    return found;
}
std::size_t dirtyIn(const sim::Snapshot& snapshot) {
    const std::vector<sim::Line> lines = linesIn(snapshot);
    return static_cast<std::size_t>(std::count_if(lines.begin(), lines.end(), [](const auto& l) { return l.dirty; }));
}
/// The line with that block in a CPU's L1; not valid if there is none.
sim::Line lineOf(const sim::Snapshot& snapshot, std::uint32_t cpu, std::uint64_t block) {
    for (const sim::Line& line : linesIn(snapshot, kL1, cpu)) {
        if (line.block.value == block) return line;
    }
    return {};
}

/// The events of a kind in a level, in order.
std::vector<sim::Event> eventsOf(const std::deque<sim::Step>& steps, sim::EventKind kind, std::size_t level = kL1) {
    std::vector<sim::Event> found;
    for (const sim::Step& step : steps) {
        for (const sim::Event& e : step.events) {
            if (e.kind == kind && e.level == level) found.push_back(e);
        }
    }
    return found;
}
std::vector<std::uint64_t> blocksOf(const std::vector<sim::Event>& events) {
    std::vector<std::uint64_t> blocks;
    blocks.reserve(events.size());
    for (const sim::Event& e : events) blocks.push_back(e.block.value);
    return blocks;
}

TEST(CacheBasicsTour, AMissThreeHitsAndAnEviction) {
    const ShownScene none("cache-basics", "none");
    EXPECT_EQ(none.first.played().counters.memory.writes, 8u);
    EXPECT_TRUE(none.says(none.first.played().counters.writes));
    EXPECT_TRUE(none.says(none.first.run->machine().memoryLatency));
    EXPECT_TRUE(none.says(none.first.played().cyclesOfAll()));

    const ShownScene miss("cache-basics", "miss");
    EXPECT_EQ(missesIn(miss.first.played()), 1u);
    EXPECT_EQ(miss.first.played().counters.memory.reads, 1u);
    EXPECT_TRUE(miss.says(miss.first.run->machine().levels[kL1].block));

    const ShownScene hits("cache-basics", "hits");
    EXPECT_EQ(hitsIn(hits.first.played()), 3u);
    EXPECT_EQ(hits.first.played().counters.memory.reads, 0u);

    const ShownScene full("cache-basics", "full");
    EXPECT_TRUE(full.says(full.first.end));
    EXPECT_TRUE(full.says(missesIn(full.first.during(0, full.first.end))));
    EXPECT_EQ(linesIn(full.first.at(full.first.end)).size(), full.first.run->machine().levels[kL1].ways);
    EXPECT_EQ(dirtyIn(full.first.at(full.first.end)), full.first.run->machine().levels[kL1].ways);

    const ShownScene evict("cache-basics", "evict");
    const auto evicted = eventsOf(evict.first.steps(evict.first.begin, evict.first.end), sim::EventKind::eviction);
    ASSERT_EQ(evicted.size(), 1u);
    EXPECT_EQ(evicted.front().block.value, evict.first.region("a").base.value / kBlock) << "a[0]";
    EXPECT_TRUE(evicted.front().dirty);
    EXPECT_EQ(evict.first.played().counters.memory.writes, 1u);
}

TEST(CacheBasicsTour, DataIsUsedAgain) {
    const ShownScene reuse("cache-basics", "reuse");
    EXPECT_EQ(missesIn(reuse.first.whole()), 8u);
    EXPECT_EQ(compulsoryIn(reuse.first.during(0, reuse.first.begin)), 8u);
    const ShownScene levels("cache-basics", "levels");
    const sim::Measures rest = levels.first.during(levels.first.begin, levels.first.size());
    EXPECT_GT(missesIn(levels.first.played()), 0u);
    EXPECT_EQ(missesIn(rest, kL2), 0u);
    EXPECT_EQ(rest.counters.memory.reads, 0u);
}

TEST(LocalityTour, InSpaceAndInTime) {
    const ShownScene space("locality", "space");
    EXPECT_TRUE(space.says(hitsIn(space.first.played())));
    EXPECT_TRUE(space.says(space.first.size()));
    const ShownScene blocks("locality", "blocks");
    EXPECT_TRUE(blocks.says(missesIn(blocks.first.played())));
    EXPECT_TRUE(blocks.says(missesIn(blocks.second().played())));
    EXPECT_EQ(blocks.scene.question->answer, fmt::format("{}", missesIn(blocks.second().whole())));
    EXPECT_EQ(blocks.second().run->machine().levels[kL1].size, blocks.first.run->machine().levels[kL1].size);

    const ShownScene time("locality", "time");
    EXPECT_EQ(missesIn(time.first.during(0, time.first.begin)), 6u);
    EXPECT_EQ(missesIn(time.first.during(time.first.begin, time.first.size())), 0u);
}

TEST(LocalityTour, DownAColumn) {
    const ShownScene none("locality", "none");
    const sim::Measures dot = none.first.played();
    EXPECT_EQ(none.first.accesses(dot, "B"), 16u);
    EXPECT_EQ(none.first.misses(dot, "B"), 16u);
    EXPECT_LT(2 * none.first.misses(dot, "A"), none.first.accesses(dot, "A"));

    const ShownScene stored("locality", "stored");
    const ShownRun transposed = stored.second();
    for (const ShownRun& run : {stored.first, transposed}) {
        const sim::Measures m = run.whole();
        const double tenths = std::round(10 * percent(missesIn(m), m.counters.accesses()));
        const std::string share = fmt::format("{:g} %", tenths / 10);
        EXPECT_NE(stored.scene.words.find(share), std::string::npos) << share;
    }
    const sim::Measures rows = transposed.played();
    EXPECT_EQ(4 * transposed.misses(rows, "Bt"), transposed.accesses(rows, "Bt"));
}

TEST(PlacementTour, OneSetForAllThree) {
    const ShownScene one("placement", "one-place");
    const sim::LevelConfig& l1 = one.first.run->machine().levels[kL1];
    EXPECT_EQ(l1.ways, 1u);
    EXPECT_EQ(l1.sets(), 8u);
    for (const char* array : {"a", "b", "c"}) EXPECT_EQ(one.first.region(array).base.value % l1.size, 0u) << array;
    const auto evicted = eventsOf(one.first.steps(one.first.begin, one.first.end), sim::EventKind::eviction);
    ASSERT_EQ(evicted.size(), 1u);
    EXPECT_TRUE(one.first.isIn("a", evicted.front().block.value * kBlock));

    const ShownScene misses("placement", "misses");
    const ShownRun& first = misses.first;
    EXPECT_EQ(hitsIn(first.during(0, first.end)), 0u);
    EXPECT_TRUE(misses.says(first.end));
    EXPECT_EQ(linesIn(first.at(first.end)).size(), 1u) << "of all sets only one is used";
    EXPECT_EQ(linesIn(first.at(first.end), kL2).size(), 3u);
}

TEST(PlacementTour, WaysAndAlignment) {
    const ShownScene two("placement", "two-ways");
    EXPECT_EQ(two.second().run->machine().levels[kL1].ways, 2u);
    EXPECT_EQ(hitsIn(two.second().whole()), 0u);
    for (const char* id : {"four-ways", "layout"}) {
        const ShownScene cured("placement", id);
        EXPECT_EQ(hitsIn(cured.first.whole()), 0u) << id;
        EXPECT_EQ(cured.second().whole().counters.level(kL1).hitRate(), 7.0 / 8) << id;
        EXPECT_EQ(cured.second().run->machine().levels[kL1].size, cured.first.run->machine().levels[kL1].size) << id;
    }
    const ShownScene layout("placement", "layout");
    EXPECT_EQ(layout.second().run->machine().levels[kL1].ways, 1u);
    EXPECT_TRUE(layout.says(layout.second().region("b").base.value - layout.second().region("a").base.value));
    EXPECT_TRUE(layout.says(layout.second().region("a").size));
}

TEST(WritesTour, BackThroughAndAround) {
    const ShownScene dirty("writes", "dirty");
    EXPECT_TRUE(dirty.says(dirty.first.played().counters.writes));
    EXPECT_EQ(dirty.first.played().counters.memory.writes, 0u);
    EXPECT_EQ(dirtyIn(dirty.first.at(dirty.first.end)), 8u);

    const ShownScene back("writes", "back");
    const sim::Measures played = back.first.played();
    EXPECT_EQ(back.scene.question->answer, fmt::format("{}", played.counters.memory.writes));
    EXPECT_EQ(played.counters.level(kL1).evictions, played.counters.memory.writes);
    EXPECT_EQ(played.counters.writes, 4 * played.counters.memory.writes);

    const ShownScene through("writes", "through");
    EXPECT_TRUE(through.says(through.first.whole().counters.memory.writes));
    EXPECT_TRUE(through.says(through.second().whole().counters.memory.writes));
    EXPECT_EQ(dirtyIn(through.first.at(through.first.end)), 0u);
    EXPECT_GT(dirtyIn(through.second().at(through.first.end)), 0u);

    const ShownScene again("writes", "again");
    const sim::Counters often = again.first.whole().counters;
    EXPECT_TRUE(again.says(often.writes));
    EXPECT_EQ(often.memory.writes, often.writes);
    EXPECT_EQ(again.second().whole().counters.memory.writes, 0u);
    EXPECT_EQ(again.second().whole().counters.level(kL1).evictions, 0u);

    const ShownScene around("writes", "around");
    EXPECT_TRUE(around.says(missesIn(around.first.whole())));
    EXPECT_EQ(around.first.whole().counters.memory.reads, 0u);
    EXPECT_TRUE(linesIn(around.first.at(around.first.end)).empty());
}

TEST(ReplacementTour, LruEvictsWhatTheLoopNeedsNext) {
    const ShownScene lru("replacement", "lru");
    std::map<std::uint64_t, std::uint64_t> lastUse;
    lru.first.run->trace().forEach(sim::Tick{0}, sim::Tick{lru.first.begin}, [&](sim::Tick at, const sim::Access& a) {
        lastUse[a.address.value / kBlock] = at.value;
    });
    std::uint64_t oldest = 0;
    std::uint64_t when = lru.first.begin;
    for (const sim::Line& line : linesIn(lru.first.at(lru.first.begin))) {
        const std::uint64_t use = lastUse.at(line.block.value);
        if (use < when) oldest = line.block.value;
        when = std::min(when, use);
    }
    const auto evicted = eventsOf(lru.first.steps(lru.first.begin, lru.first.end), sim::EventKind::eviction);
    ASSERT_EQ(evicted.size(), 1u);
    EXPECT_EQ(evicted.front().block.value, oldest);

    const ShownScene loop("replacement", "loop");
    const auto round = loop.first.steps(loop.first.begin, loop.first.end);
    const std::vector<std::uint64_t> missed = blocksOf(eventsOf(round, sim::EventKind::miss));
    const std::vector<std::uint64_t> left = blocksOf(eventsOf(round, sim::EventKind::eviction));
    EXPECT_TRUE(loop.says(round.size()));
    EXPECT_EQ(std::set(missed.begin(), missed.end()).size(), 9u);
    ASSERT_EQ(missed.size(), 9u);
    ASSERT_EQ(left.size(), 9u);
    for (std::size_t i = 0; i + 1 < missed.size(); ++i) EXPECT_EQ(left[i], missed[i + 1]) << i;
    EXPECT_EQ(loop.first.run->machine().levels[kL1].ways, 8u);
}

TEST(ReplacementTour, OtherPolicies) {
    const ShownScene fifo("replacement", "fifo");
    EXPECT_EQ(missesIn(fifo.first.during(0, fifo.first.end)), missesIn(fifo.second().during(0, fifo.first.end)));
    EXPECT_NE(fifo.first.run->machine().levels[kL1].policy, fifo.second().run->machine().levels[kL1].policy);
    for (const char* id : {"random", "opt", "recency"}) {
        const ShownScene scene("replacement", id);
        EXPECT_TRUE(scene.says(missesIn(scene.first.whole()))) << id;
        EXPECT_TRUE(scene.says(missesIn(scene.second().whole()))) << id;
        const bool isBetter = missesIn(scene.first.whole()) < missesIn(scene.second().whole());
        EXPECT_EQ(isBetter, std::string(id) != "recency") << id;
    }
    const ShownScene recency("replacement", "recency");
    const ShownRun lru = recency.second();
    EXPECT_LT(lru.misses(lru.whole(), "A"), recency.first.misses(recency.first.whole(), "A")) << "LRU keeps A's row";
}

TEST(LoopsTour, TheColumnComesFromMemoryEachTime) {
    const ShownScene dot("loops", "dot");
    EXPECT_EQ(dot.first.blocks(dot.first.begin, dot.first.end, "A").size(), 4u);
    EXPECT_EQ(dot.first.blocks(dot.first.begin, dot.first.end, "B").size(), 16u);
    EXPECT_EQ(dot.first.misses(dot.first.played(), "B"), 16u);
    const ShownScene next("loops", "next");
    const sim::Measures again = next.first.played();
    EXPECT_EQ(next.first.blocks(next.first.begin, next.first.end, "B"),
              dot.first.blocks(dot.first.begin, dot.first.end, "B"));
    EXPECT_EQ(next.first.misses(again, "B"), 16u);
    EXPECT_EQ(next.first.misses(again, "B", kL2), 16u);

    const ShownScene rows("loops", "transposed");
    const sim::Measures both = rows.first.played();
    EXPECT_EQ(4 * rows.first.misses(both, "Bt"), rows.first.accesses(both, "Bt"));
    EXPECT_EQ(rows.first.misses(rows.first.during((rows.first.begin + rows.first.end) / 2, rows.first.end), "A"), 0u)
        << "A's row stays";
}

TEST(LoopsTour, BlocksThatFit) {
    const ShownScene tile("loops", "tile");
    const auto steps = tile.first.steps(tile.first.begin, tile.first.end);
    const std::vector<std::uint64_t> missed = blocksOf(eventsOf(steps, sim::EventKind::miss));
    EXPECT_TRUE(tile.says(steps.size()));
    EXPECT_EQ(std::set(missed.begin(), missed.end()).size(), missed.size()) << "none misses twice";
    EXPECT_EQ(missed.size(), 12u);
    std::size_t blocks = 0;
    for (const char* matrix : {"A", "B", "C"}) {
        blocks += tile.first.blocks(tile.first.begin, tile.first.end, matrix).size();
    }
    EXPECT_EQ(blocks, 12u);

    const ShownScene pair("loops", "pair");
    EXPECT_TRUE(pair.says(missesIn(pair.first.whole())));
    EXPECT_TRUE(pair.says(missesIn(pair.second().whole())));
    EXPECT_GT(pair.second().size(), pair.first.size());
    const ShownScene large("loops", "too-large");
    EXPECT_TRUE(large.says(missesIn(large.second().whole())));
    EXPECT_GT(missesIn(large.second().whole()), missesIn(large.first.whole()));
}

TEST(StencilTour, RowsThatFitComeInOnce) {
    const ShownScene point("stencil", "point");
    EXPECT_TRUE(point.says(point.first.end - point.first.begin));
    EXPECT_TRUE(point.says(missesIn(point.first.played())));
    const ShownScene rows("stencil", "rows");
    const sim::Measures whole = rows.first.whole();
    EXPECT_EQ(rows.first.misses(whole, "A"), rows.first.blocks(0, rows.first.size(), "A").size()) << "once a block";
    EXPECT_TRUE(rows.says(rows.first.accesses(whole, "A")) && rows.says(rows.first.misses(whole, "A")));
    // Three rows of A and one of B are all that one row of B needs, and they fill L1.
    const ShownRun& run = point.first;
    EXPECT_EQ(run.blocks(run.begin, run.end, "A").size() + run.blocks(run.begin, run.end, "B").size(),
              run.run->machine().levels[kL1].blocks());

    const ShownScene longRows("stencil", "long");
    const ShownRun& wide = longRows.first;
    EXPECT_EQ(wide.misses(wide.played(), "A"), wide.blocks(wide.begin, wide.end, "A").size()) << "those of three rows";
    EXPECT_EQ(wide.misses(wide.during(wide.end, 2 * wide.end - wide.begin), "A"), wide.misses(wide.played(), "A"))
        << "and again for the next row";
    EXPECT_TRUE(longRows.says(wide.misses(wide.played(), "A")));
}

TEST(StencilTour, TheOrderDecides) {
    for (const char* id : {"columns", "strips"}) {
        const ShownScene pair("stencil", id);
        const ShownRun other = pair.second();
        EXPECT_EQ(pair.first.size(), other.size()) << id;
        for (const char* grid : {"A", "B"}) {
            EXPECT_EQ(pair.first.blocks(0, other.size(), grid), other.blocks(0, other.size(), grid)) << id;
            EXPECT_EQ(pair.first.accesses(pair.first.whole(), grid), other.accesses(other.whole(), grid)) << id;
        }
        const bool isWorse = missesIn(other.whole()) > missesIn(pair.first.whole());
        EXPECT_EQ(isWorse, std::string(id) == "columns");
    }
    const ShownScene strips("stencil", "strips");
    EXPECT_TRUE(strips.says(strips.first.misses(strips.first.whole(), "A")));
    EXPECT_TRUE(strips.says(strips.second().misses(strips.second().whole(), "A")));
}

TEST(BlockingTour, MissesAreFewerBecauseSquaresStay) {
    const ShownScene plain("blocking", "plain");
    const sim::Measures dot = plain.first.played();
    EXPECT_TRUE(plain.says(plain.first.blocks(plain.first.begin, plain.first.end, "A").size()));
    EXPECT_TRUE(plain.says(plain.first.blocks(plain.first.begin, plain.first.end, "B").size()));
    EXPECT_LT(plain.first.run->machine().levels[kL1].blocks(), 4u + 16u);
    EXPECT_EQ(plain.first.misses(dot, "B"), 16u);
    EXPECT_EQ(plain.first.accesses(dot, "B"), 16u);

    const ShownScene blocked("blocking", "blocked");
    const auto steps = blocked.first.steps(blocked.first.begin, blocked.first.end);
    EXPECT_TRUE(blocked.says(steps.size()));
    EXPECT_TRUE(blocked.says(missesIn(blocked.first.played())));
    EXPECT_LE(missesIn(blocked.first.played()), blocked.first.run->machine().levels[kL1].blocks());

    const ShownScene race("blocking", "race");
    EXPECT_EQ(race.scene.title,
              fmt::format("The whole product: {} misses in L1, or {}", sim::grouped(missesIn(race.first.whole())),
                          sim::grouped(missesIn(race.second().whole()))));
    EXPECT_EQ(race.first.end, race.first.size());
}

TEST(StructuresTour, WhatIsUsedOfABlock) {
    const auto [from, to] = rangeOf(ShownScene("structures", "used").scene);
    const ShownScene records("structures", "records");
    const ShownRun& run = records.first;
    const sim::Measures forces = run.during(from, to);
    EXPECT_GE(run.begin, from);
    EXPECT_LE(run.end, to);
    EXPECT_TRUE(records.says(run.accesses(forces, "model"))) << "a density of each particle";
    EXPECT_TRUE(records.says(run.misses(forces, "model")));
    EXPECT_TRUE(records.says(run.misses(forces, "mass")));
    EXPECT_NEAR(run.used(forces, "model"), 100.0 / 3, 0.1);
    for (const char* whole : {"mass", "position", "stress"}) EXPECT_EQ(run.used(forces, whole), 100) << whole;
    EXPECT_EQ(run.misses(forces, "velocity"), 0u);
    const ShownScene model("structures", "model");
    EXPECT_TRUE(model.says(run.blocks(from, to, "model").size()));
    EXPECT_EQ(model.first.begin, to);

    const ShownScene arrays("structures", "arrays");
    EXPECT_LT(arrays.first.end, from) << "the loop before";
    EXPECT_TRUE(arrays.says(arrays.first.misses(arrays.first.during(0, from), "mass")));
    const auto [begin, end] = rangeOf(ShownScene("structures", "other").scene);
    EXPECT_NEAR(run.used(run.during(begin, end), "model"), 200.0 / 3, 0.1);
}

TEST(PrefetchingTour, GuessesRightAndWrong) {
    const ShownScene none("prefetching", "none");
    EXPECT_TRUE(none.says(missesIn(none.first.played())));
    const ShownScene nextLine("prefetching", "next-line");
    EXPECT_TRUE(nextLine.says(missesIn(nextLine.first.whole())));
    EXPECT_TRUE(nextLine.says(missesIn(nextLine.second().whole())));
    EXPECT_EQ(nextLine.scene.question->answer, fmt::format("{}", missesIn(nextLine.first.whole())));
    const ShownScene stride("prefetching", "stride");
    EXPECT_EQ(missesIn(stride.first.whole()), 1u);
    EXPECT_EQ(missesIn(stride.first.during(0, 1)), 1u);

    const ShownScene waste("prefetching", "waste");
    const sim::Counters with = waste.first.whole().counters;
    const sim::Counters without = waste.second().whole().counters;
    EXPECT_NEAR(percent(with.level(kL1).misses(), without.level(kL1).misses()), 100, 1);
    EXPECT_NEAR(percent(with.memory.reads, without.memory.reads), 200, 5);

    const ShownScene confused("prefetching", "confused");
    std::uint64_t fetched = 0;
    for (const sim::Step& step : confused.first.steps(0, confused.first.size())) {
        const auto prefetches = eventsOf({step}, sim::EventKind::prefetch);
        fetched += prefetches.size();
        EXPECT_TRUE(prefetches.empty() || confused.first.isIn("C", step.access.address.value)) << step.tick.value;
    }
    EXPECT_TRUE(confused.says(fetched));
}

TEST(PagesTour, TheTlbAndPageFaults) {
    constexpr std::uint64_t kPage = 1024;
    const ShownScene column("pages", "column");
    std::uint64_t all = 0;
    std::uint64_t ofB = 0;
    for (const sim::Step& step : column.first.steps(column.first.begin, column.first.end)) {
        for (const sim::Event& e : step.events) {
            if (e.kind != sim::EventKind::tlbMiss) continue;
            ++all;
            if (column.first.isIn("B", e.block.value * kPage)) ++ofB;
        }
    }
    EXPECT_TRUE(column.says(all));
    EXPECT_TRUE(column.says(ofB));
    EXPECT_TRUE(column.says(column.first.end - column.first.begin));
    EXPECT_EQ(column.first.region("B").size, 8 * kPage);

    const ShownScene rows("pages", "rows");
    EXPECT_EQ(sim::ofAllCpus(rows.first.played().counters.tlbMisses), 1u);
    EXPECT_TRUE(rows.says(sim::ofAllCpus(rows.first.whole().counters.tlbMisses)));
    EXPECT_TRUE(column.says(sim::ofAllCpus(column.first.whole().counters.tlbMisses)));

    const ShownScene faults("pages", "faults");
    EXPECT_EQ(sim::ofAllCpus(faults.first.played().counters.pageFaults), 9u);
    const ShownScene blocked("pages", "blocked");
    EXPECT_TRUE(blocked.says(sim::ofAllCpus(blocked.first.whole().counters.pageFaults)));
    EXPECT_TRUE(ShownScene::says(sim::ofAllCpus(faults.first.whole().counters.pageFaults), faults.scene.notes));
}

TEST(FalseSharingTour, WritesTakeTheBlockAway) {
    const ShownScene taken("false-sharing", "taken");
    const std::uint64_t block = taken.first.region("sums").base.value / 16;
    std::vector<std::pair<unsigned, unsigned>> taker;
    for (const sim::Step& step : taken.first.steps(taken.first.begin, taken.first.end)) {
        for (const sim::Event& e : eventsOf({step}, sim::EventKind::invalidation)) {
            if (e.block.value == block) taker.emplace_back(step.access.cpu, e.cache);
        }
    }
    EXPECT_EQ(taker, (std::vector<std::pair<unsigned, unsigned>>{{1, 0}, {2, 1}, {3, 2}}));

    const ShownScene again("false-sharing", "again");
    const sim::Snapshot now = again.first.at(again.first.end);
    EXPECT_EQ(now.current()->access.cpu, 0u);
    EXPECT_EQ(now.current()->access.address.value, again.first.region("sums").base.value) << "sums[0]";
    EXPECT_FALSE(lineOf(again.first.at(again.first.end - 1), 0, block).valid);
    ASSERT_FALSE(now.current()->kinds.empty());
    EXPECT_EQ(now.current()->kinds.front(), sim::MissKind::falseSharing);
    const sim::Measures whole = again.first.whole();
    const std::uint64_t byFalseSharing = whole.ledger->misses(whole.machine, kL1, sim::MissKind::falseSharing);
    EXPECT_TRUE(again.says(missesIn(whole)));
    EXPECT_TRUE(again.says(byFalseSharing));
    EXPECT_GT(2 * byFalseSharing, missesIn(whole)) << "it is what costs";
}

TEST(FalseSharingTour, IsCuredByWholeBlocks) {
    const ShownScene cure("false-sharing", "cure");
    const ShownRun cured = cure.second();
    EXPECT_TRUE(cure.says(missesIn(cure.first.whole())));
    EXPECT_TRUE(cure.says(missesIn(cured.whole())));
    EXPECT_TRUE(eventsOf(cured.steps(0, cured.size()), sim::EventKind::invalidation).empty());
    // What its notes recommend saves what they say.
    const double saved =
        1 - static_cast<double>(cured.whole().cyclesOfAll()) / static_cast<double>(cure.first.whole().cyclesOfAll());
    EXPECT_NE(cure.scene.notes.find(fmt::format("saves {:.1f} %", 100 * saved)), std::string::npos) << saved;
}

TEST(CoherenceTour, TheStatesStepByStep) {
    const ShownScene modified("coherence", "modified");
    const sim::Snapshot alone = modified.first.at(modified.first.end);
    EXPECT_FALSE(linesIn(alone).empty());
    for (const sim::Line& line : linesIn(alone)) EXPECT_TRUE(line.dirty && line.owned);
    for (const std::uint32_t cpu : {1u, 2u, 3u}) EXPECT_TRUE(linesIn(alone, kL1, cpu).empty());

    const ShownScene invalidate("coherence", "invalidate");
    const sim::Snapshot written = invalidate.first.at(invalidate.first.end);
    const std::uint64_t first = written.current()->access.address.value / 16;
    EXPECT_TRUE(lineOf(alone, 0, first).dirty);
    EXPECT_FALSE(lineOf(written, 0, first).valid);
    EXPECT_TRUE(lineOf(written, 1, first).dirty);

    const ShownScene downgrade("coherence", "downgrade");
    const sim::Snapshot read = downgrade.first.at(downgrade.first.end);
    const std::uint64_t block = read.current()->access.address.value / 16;
    EXPECT_NE(block, first) << "another block";
    EXPECT_TRUE(lineOf(written, 0, block).dirty);
    for (const std::uint32_t cpu : {0u, 1u}) {
        EXPECT_TRUE(lineOf(read, cpu, block).valid) << cpu;
        EXPECT_FALSE(lineOf(read, cpu, block).owned || lineOf(read, cpu, block).dirty) << cpu;
    }
    const ShownScene upgrade("coherence", "upgrade");
    const sim::Snapshot gained = upgrade.first.at(upgrade.first.end);
    EXPECT_EQ(gained.current()->access.address.value / 16, block);
    EXPECT_EQ(hitsIn(upgrade.first.played()), 1u);
    EXPECT_EQ(upgrade.first.played().counters.level(kL1).upgrades, 1u);
    EXPECT_FALSE(lineOf(gained, 0, block).valid);
    EXPECT_TRUE(lineOf(gained, 1, block).dirty);
}

TEST(CoherenceTour, ReadersShareAndWhoIsAloneOwns) {
    const ShownScene readers("coherence", "readers");
    const sim::Snapshot shared = readers.first.at(readers.first.end);
    const std::uint64_t block = readers.first.region("Global.ArrayA").base.value / 16;
    for (const std::uint32_t cpu : {0u, 1u, 2u, 3u}) {
        EXPECT_TRUE(lineOf(shared, cpu, block).valid) << cpu;
        EXPECT_FALSE(lineOf(shared, cpu, block).owned) << cpu;
    }
    const ShownScene exclusive("coherence", "exclusive");
    EXPECT_EQ(exclusive.first.run->machine().cpus, 4u);
    EXPECT_EQ(exclusive.first.whole().counters.level(kL1).upgrades, 0u);
    const sim::Snapshot end = exclusive.first.at(exclusive.first.end);
    for (const sim::Line& line : linesIn(end)) {
        EXPECT_TRUE(line.owned);
        EXPECT_EQ(line.dirty, exclusive.first.isIn("C", line.block.value * 16));
    }
}

TEST(SortingTour, BothSorts) {
    const ShownScene sweep("sorting", "sweep");
    EXPECT_GT(missesIn(sweep.first.played()), 0u);
    EXPECT_EQ(missesIn(sweep.first.played(), kL2), 0u);
    const ShownScene fits("sorting", "short");
    EXPECT_TRUE(fits.says(fits.first.size() - fits.first.begin));
    EXPECT_EQ(missesIn(fits.first.during(fits.first.begin, fits.first.size())), 0u);
    const ShownScene small("sorting", "small");
    EXPECT_EQ(missesIn(small.first.played()), 0u);
    EXPECT_TRUE(small.says(small.first.end - small.first.begin));
    EXPECT_EQ(small.first.blocks(small.first.begin, small.first.end, "a").size() +
                  small.first.blocks(small.first.begin, small.first.end, "temp").size(),
              8u);
    const ShownScene large("sorting", "large");
    EXPECT_TRUE(large.says(missesIn(large.first.played())));
    EXPECT_TRUE(large.says(large.first.end - large.first.begin));
    EXPECT_EQ(missesIn(large.first.played(), kL2), 0u);

    const ShownScene pair("sorting", "pair");
    const sim::Measures bubble = pair.first.whole();
    const sim::Measures merge = pair.second().whole();
    EXPECT_NE(pair.scene.words.find(fmt::format("{:.1f} %", 100 * bubble.counters.level(kL1).hitRate())),
              std::string::npos);
    EXPECT_NE(pair.scene.words.find(fmt::format("{:.1f} %", 100 * merge.counters.level(kL1).hitRate())),
              std::string::npos);
    EXPECT_TRUE(pair.says(bubble.counters.accesses()));
    EXPECT_TRUE(pair.says(merge.counters.accesses()));
    EXPECT_NEAR(percent(missesIn(merge), missesIn(bubble)), 20, 1);
    EXPECT_NEAR(percent(merge.cyclesOfAll(), bubble.cyclesOfAll()), 20, 1);
}

TEST(FiveMinutesTour, NumbersOfTheProduct) {
    const ShownScene why("five-minutes", "why");
    std::map<std::uint64_t, std::uint64_t> missed;
    for (const sim::Event& e : eventsOf(why.first.steps(0, why.first.size()), sim::EventKind::miss)) {
        ++missed[e.block.value * kBlock];
    }
    for (const auto& [address, misses] : missed) {
        if (why.first.isIn("C", address)) continue;
        EXPECT_EQ(why.first.isIn("B", address), misses > 9) << misses;
        EXPECT_TRUE(why.says(misses) || misses == 8 || misses == 9) << misses << ": eight or nine, in words";
    }
    const ShownScene compare("five-minutes", "compare");
    const double left = percent(missesIn(compare.second().whole()), missesIn(compare.first.whole()));
    EXPECT_NE(compare.scene.words.find(fmt::format("{:.1f} %", 100 - left)), std::string::npos) << left;
}

/// The access cycles of all objects of a class.
std::uint64_t cyclesOf(const ShownRun& run, const std::string& className) {
    const sim::Measures whole = run.whole();
    const auto& objects = run.run->trace().objects();
    std::uint64_t cycles = 0;
    for (std::size_t i = 0; i < objects.size(); ++i) {
        if (objects[i].className == className) cycles += whole.ledger->objects.cycles(i);
    }
    return cycles;
}

TEST(ChironTour, CyclesOfItsCaseStudies) {
    const ShownScene words("chiron", "vecadd-words");
    EXPECT_TRUE(words.says(cyclesOf(words.first, "Monitor")));
    EXPECT_TRUE(words.says(words.first.whole().cyclesOfAll()));
    const ShownScene chunks("chiron", "vecadd-chunks");
    EXPECT_TRUE(chunks.says(chunks.first.whole().cyclesOfAll()));
    EXPECT_TRUE(chunks.says(chunks.second().whole().cyclesOfAll()));
    const ShownScene tunnel("chiron", "tunnel-apart");
    EXPECT_TRUE(tunnel.says(cyclesOf(tunnel.first, "Quadrant")));
    EXPECT_TRUE(tunnel.says(cyclesOf(tunnel.second(), "Quadrant")));
    EXPECT_GT(3 * cyclesOf(tunnel.first, "Quadrant"), tunnel.first.whole().cyclesOfAll()) << "more than a third";
    const ShownScene nbody("chiron", "nbody-statistics");
    EXPECT_TRUE(nbody.says(cyclesOf(nbody.first, "Global")));
    EXPECT_TRUE(nbody.says(cyclesOf(nbody.second(), "Global")));
    EXPECT_EQ(nbody.first.whole().counters.level(kL1).evictions, 0u);
}

}  // namespace
}  // namespace whorl::app
