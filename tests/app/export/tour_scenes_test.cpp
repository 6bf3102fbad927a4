// At its position, each scene of the rings shows what its text says, checked by numbers.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "app/session/player.h"
#include "app/session/tour.h"
#include "app/tours/presenting.h"
#include "app/tours/tour_catalogue.h"
#include "sim/analysis/level_gauge.h"
#include "sim/replay/snapshot.h"
#include "support/sessions.h"

namespace whorl::app {
namespace {

/// Counts of a region in a range of time.
struct Part {
    std::uint64_t accesses = 0;
    std::uint64_t l1Misses = 0;
    std::uint64_t l2Misses = 0;
};

/// The run of a scene; scenes with the same input and machine share one.
std::shared_ptr<const sim::Run> runOf(const TourScene& scene) {
    static std::map<std::string, std::shared_ptr<sim::Run>> kRuns;
    std::shared_ptr<sim::Run>& run = kRuns[scene.input + " on " + scene.machine];
    if (!run) run = openedFor({.input = scene.input, .machine = scene.machine}).run;
    return run;
}

class ShownScene {
  public:
    explicit ShownScene(const std::string& id)
        : scene(sceneNamed(tourFrom("rings").value(), id).value()),
          run(runOf(scene)),
          begun(static_cast<std::uint64_t>(std::ceil(scene.position()))),
          now(sim::SnapshotReader(run).at(scene.position(), {.steps = 1})) {}

    sim::Measures during(std::uint64_t from, std::uint64_t to) const {
        sim::Progress progress;
        return run->between({sim::Tick{from}, sim::Tick{to}}, progress).value();
    }
    /// The last `accesses` accesses that have begun.
    sim::Measures last(std::uint64_t accesses) const { return during(begun - accesses, begun); }
    sim::Measures soFar() const { return during(0, begun); }
    /// The accesses whose trails the scene shows.
    sim::Measures span() const { return last(std::min<std::uint64_t>(trails(), begun)); }
    std::uint32_t trails() const {
        Look look;
        takeFields(scene, look);
        return look.trails;
    }

    Part part(const sim::Measures& measures, const std::string& region) const {
        const std::size_t row = rowOf(region);
        const sim::TallyTable& table = measures.ledger->owners;
        return {table.accesses(row), table.misses(row, 0), table.misses(row, 1)};
    }

    /// The regions that were accessed.
    std::set<std::string> accessed(const sim::Measures& measures) const {
        std::set<std::string> names;
        for (const sim::Region& region : run->trace().regions()) {
            if (part(measures, region.name).accesses > 0) names.insert(region.name);
        }
        return names;
    }

    /// The addresses of a region's blocks in a level.
    std::set<std::uint64_t> resident(std::size_t level, const std::string& region) const {
        std::set<std::uint64_t> found;
        for (std::uint32_t set = 0; set < run->machine().levels[level].sets(); ++set) {
            for (const sim::Line& line : now.cache(level, 0).lines(sim::SetIndex{set})) {
                const std::uint64_t address = line.block.value * 32;
                const std::uint32_t row = sim::regionOfBlock(run->trace(), sim::ByteAddress{address}, 32);
                if (line.valid && row == rowOf(region)) found.insert(address);
            }
        }
        return found;
    }
    bool holds(std::size_t level, const std::string& region, std::uint64_t block) const {
        return resident(level, region).contains(run->trace().regions()[rowOf(region)].base.value + 32 * block);
    }

    /// The addresses of a region's blocks touched by the last accesses, by the L1 set that they map to.
    std::map<std::uint32_t, std::set<std::uint64_t>> armsOf(const std::string& region, std::uint64_t accesses) const {
        std::map<std::uint32_t, std::set<std::uint64_t>> arms;
        run->trace().forEach(sim::Tick{begun - accesses}, sim::Tick{begun}, [&](sim::Tick, const sim::Access& a) {
            const std::uint64_t block = a.address.value / 32;
            if (run->trace().regionAt(a.address) != rowOf(region)) return;
            arms[static_cast<std::uint32_t>(block % run->machine().levels[0].sets())].insert(block * 32);
        });
        return arms;
    }

    /// Over the last accesses, as the picture shows it by default.
    double temperature(std::size_t level) const {
        const sim::GaugeSettings gauge;
        const sim::Snapshot snapshot =
            sim::SnapshotReader(run).at(scene.position(), {.steps = 1, .window = gauge.window});
        const std::vector<sim::Glance> window(snapshot.window.begin(), snapshot.window.end());
        return sim::gaugeValue(gauge, snapshot.now.hierarchy(), run->trace(), level, 0, window).value();
    }

    /// The region of the access that began last, and whether it is in motion and missed in L1.
    std::string inMotion() const {
        const sim::Step* step = now.current();
        return run->trace().regions()[run->trace().regionAt(step->access.address)].name;
    }
    bool missInMotion() const {
        return scene.position() < static_cast<double>(begun) && now.current()->events.size() > 1;
    }

    const TourScene scene;
    const std::shared_ptr<const sim::Run> run;
    const std::uint64_t begun;
    const sim::Snapshot now;

  private:
    std::size_t rowOf(const std::string& region) const {
        const auto& regions = run->trace().regions();
        for (std::size_t i = 0; i < regions.size(); ++i) {
            if (regions[i].name == region) return i;
        }
        throw std::runtime_error("there is no region " + region);
    }
};

constexpr std::size_t kL1 = 0;
constexpr std::size_t kL2 = 1;

std::uint64_t evictionsIn(const sim::Measures& measures, std::size_t level) {
    return measures.counters.level(level).evictions;
}
std::uint64_t missesIn(const sim::Measures& measures, std::size_t level) {
    return measures.counters.level(level).misses();
}
double ratio(std::uint64_t a, std::uint64_t b) {
    return static_cast<double>(a) / static_cast<double>(b);
}

TEST(RingsScenes, AllHaveAMomentWithinTheirTrace) {
    const Tour rings = tourFrom("rings").value();
    for (const TourScene& scene : rings.scenes) {
        EXPECT_GT(scene.position(), 0) << scene.id;
        EXPECT_LT(scene.position(), static_cast<double>(runOf(scene)->trace().size())) << scene.id;
    }
}

TEST(RingsScenes, Fig1aEveryAccessToBMisses) {
    const ShownScene scene("fig1a");
    const auto rows = scene.last(16 * 33);
    EXPECT_EQ(scene.part(rows, "B").l1Misses, scene.part(rows, "B").accesses);
    EXPECT_LT(4 * scene.part(rows, "A").l1Misses, scene.part(rows, "A").accesses);
    EXPECT_TRUE(scene.missInMotion());
    EXPECT_EQ(scene.inMotion(), "B");
    // Contiguous blocks of A, separate ones of B: the elements of a column lie 128 bytes apart.
    const auto a = scene.resident(kL1, "A");
    ASSERT_GE(a.size(), 3u);
    EXPECT_LT(*a.rbegin() - *a.begin(), 128u);
    const auto b = scene.resident(kL1, "B");
    ASSERT_GE(b.size(), 8u);
    EXPECT_GT(b.size(), a.size());
    for (const std::uint64_t address : b) EXPECT_FALSE(b.contains(address + 32)) << address;
}

TEST(RingsScenes, Fig1bBMissesEveryFourthTimeAndAHardlyEver) {
    const ShownScene scene("fig1b");
    const auto rows = scene.last(16 * 33);
    EXPECT_NEAR(ratio(scene.part(rows, "Bt").l1Misses, scene.part(rows, "Bt").accesses), 0.25, 0.01);
    EXPECT_LE(scene.part(rows, "A").l1Misses, 4u);
    EXPECT_EQ(scene.resident(kL1, "A").size(), 4u) << "the row";
    EXPECT_TRUE(scene.missInMotion());
}

TEST(RingsScenes, Fig1cFewMissesInEvenShares) {
    for (const char* id : {"fig1c", "fig1d"}) {
        const ShownScene scene(id);
        const auto all = scene.soFar();
        EXPECT_LT(ratio(missesIn(all, kL1), all.counters.accesses()), 0.09) << id;
        const double evenness = ratio(scene.part(all, "A").l1Misses, scene.part(all, "B").l1Misses);
        EXPECT_LT(evenness, 1.5) << id;
        EXPECT_GT(evenness, 1 / 1.5) << id;
        EXPECT_TRUE(scene.missInMotion()) << id;
    }
    const ShownScene scene("fig1d");
    EXPECT_LT(ratio(missesIn(scene.soFar(), kL2), missesIn(scene.soFar(), kL1)), 0.75);
}

/// The words of the pair: the shares of misses, and what is read from memory.
TEST(RingsScenes, Fig1aBesideFig1c) {
    const TourScene pair = sceneNamed(tourFrom("rings").value(), "fig1ac").value();
    EXPECT_EQ(pair.input, sceneNamed(tourFrom("rings").value(), "fig1a")->input);
    EXPECT_EQ(pair.with, sceneNamed(tourFrom("rings").value(), "fig1c")->input);
    TourScene other = pair;
    other.input = pair.with;
    ASSERT_EQ(pair.lock, TimeLock::share);
    const LockedTraces traces{runOf(pair)->trace().size(), runOf(other)->trace().size(), nullptr};
    other.at = lockedTime(pair.position(), pair.lock, traces);
    const auto countsAt = [](const TourScene& scene) {
        return sim::SnapshotReader(runOf(scene)).at(scene.position(), {.steps = 1}).now.counters();
    };
    const sim::Counters standard = countsAt(pair);
    const sim::Counters blocks = countsAt(other);
    EXPECT_NEAR(ratio(standard.level(kL1).misses(), standard.level(kL1).accesses()), 0.58, 0.005);
    EXPECT_NEAR(ratio(blocks.level(kL1).misses(), blocks.level(kL1).accesses()), 0.07, 0.005);
    EXPECT_NEAR(ratio(blocks.memory.reads, standard.memory.reads), 0.1, 0.005);
    const ShownScene shown("fig1ac");
    EXPECT_GT(ratio(shown.part(shown.soFar(), "B").l1Misses, standard.level(kL1).misses()), 0.8) << "mostly in B";
}

TEST(RingsScenes, Fig1HoldsInTheSpanOfItsTrails) {
    const auto rate = [](const char* id, const char* region) {
        const ShownScene scene(id);
        const Part part = scene.part(scene.span(), region);
        return ratio(part.l1Misses, part.accesses);
    };
    EXPECT_EQ(rate("fig1a", "B"), 1);
    EXPECT_LT(rate("fig1a", "A"), 0.25);
    EXPECT_NEAR(rate("fig1b", "Bt"), 0.25, 0.02);
    EXPECT_LT(rate("fig1b", "A"), 0.06);
    for (const char* id : {"fig1c", "fig1d"}) {
        const ShownScene scene(id);
        const auto span = scene.span();
        EXPECT_EQ(span.counters.accesses(), 192u) << id;
        EXPECT_LT(ratio(missesIn(span, kL1), span.counters.accesses()), 0.1) << id;
    }
    EXPECT_GT(rate("fig1c-small", "B"), 0.99);
    EXPECT_LT(rate("fig1d-small", "B"), 0.1);
}

TEST(RingsScenes, Fig1cInHalfTheCacheConflictsInOneArm) {
    const ShownScene scene("fig1c-small");
    const auto block = scene.last(128);
    EXPECT_EQ(scene.part(block, "B").l1Misses, scene.part(block, "B").accesses);
    const std::uint64_t conflicts = block.ledger->misses(scene.run->machine(), kL1, sim::MissKind::conflict);
    EXPECT_GT(conflicts, missesIn(block, kL1) * 8 / 10);
    // The four rows map to one arm, together with C's: five blocks, and it holds four.
    const auto rows = scene.armsOf("B", 24);
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_EQ(rows.begin()->second.size(), 4u);
    EXPECT_EQ(scene.armsOf("C", 24).begin()->first, rows.begin()->first);
    EXPECT_EQ(scene.run->machine().levels[0].ways, 4u);
}

TEST(RingsScenes, Fig1dInHalfTheCacheConflictsNowhere) {
    const ShownScene scene("fig1d-small");
    EXPECT_EQ(scene.soFar().ledger->misses(scene.run->machine(), kL1, sim::MissKind::conflict), 0u);
    auto rows = scene.armsOf("B", 40);
    for (const std::uint32_t arm : {0u, 1u}) {
        EXPECT_EQ(rows[arm].size(), 2u);
        for (const std::uint64_t address : rows[arm]) EXPECT_TRUE(scene.resident(kL1, "B").contains(address));
    }
    EXPECT_EQ(missesIn(scene.last(30), kL1), 0u);
}

TEST(RingsScenes, Fig3AnArrayStreamsThrough) {
    const ShownScene first("fig3a");
    const ShownScene full("fig3b");
    const ShownScene late("fig3c");
    for (const ShownScene* scene : {&first, &full, &late}) {
        EXPECT_TRUE(scene->missInMotion()) << scene->scene.id;
        const sim::Measures span = scene->span();
        EXPECT_EQ(missesIn(span, kL1), (span.counters.accesses() + 3) / 4) << scene->scene.id << ": four writes each";
    }
    EXPECT_FALSE(first.holds(kL1, "a", 0));
    EXPECT_TRUE(first.holds(kL2, "a", 0));
    EXPECT_EQ(evictionsIn(first.soFar(), kL2), 0u);
    EXPECT_FALSE(full.holds(kL2, "a", 0));
    EXPECT_GT(evictionsIn(full.last(32), kL2), 4u);
    EXPECT_GT(late.scene.position(), 0.85 * static_cast<double>(late.run->trace().size()));
    EXPECT_EQ(late.now.cache(kL1, 0).lines(sim::SetIndex{0}).size() * 2, late.resident(kL1, "a").size());
}

TEST(RingsScenes, Fig4OneMomentWithFourTrails) {
    std::vector<std::uint32_t> trails;
    for (const char* id : {"fig4a", "fig4b", "fig4c", "fig4d"}) {
        const ShownScene scene(id);
        EXPECT_EQ(scene.scene.position(), ShownScene("fig4a").scene.position());
        EXPECT_EQ(scene.scene.input, ShownScene("fig4a").scene.input);
        trails.push_back(scene.trails());
    }
    EXPECT_EQ(trails, (std::vector<std::uint32_t>{1, 16, 64, 256}));
    const auto misses = [](const char* id) { return missesIn(ShownScene(id).span(), kL1); };
    EXPECT_EQ(misses("fig4a"), 1u);
    EXPECT_EQ(misses("fig4b"), 2u);
    EXPECT_EQ(misses("fig4c"), 8u);
    EXPECT_EQ(misses("fig4d"), 32u);
    EXPECT_EQ(evictionsIn(ShownScene("fig4a").span(), kL1), 1u) << "what the miss evicts";
    EXPECT_TRUE(ShownScene("fig4a").missInMotion());
    EXPECT_EQ(missesIn(ShownScene("fig4c").span(), kL2), 0u) << "L2 serves them all";
}

TEST(RingsScenes, Fig4cFillsBothArms) {
    const ShownScene scene("fig4c");
    ASSERT_EQ(scene.run->machine().levels[kL1].sets(), 2u);
    const sim::Snapshot shown = sim::SnapshotReader(scene.run).at(scene.scene.position(), {.steps = 64});
    std::map<std::uint32_t, int> fills;
    for (const sim::Step& step : shown.recent) {
        for (const sim::Event& e : step.events) {
            if (e.kind != sim::EventKind::fill || e.level != kL1) continue;
            ++fills[scene.now.cache(kL1, 0).setOf(e.block).value];
        }
    }
    EXPECT_EQ(fills.size(), 2u);
    EXPECT_EQ(fills[0] + fills[1], 8);
}

TEST(RingsScenes, Fig6BubbleSortComesHome) {
    const ShownScene early("fig6a");
    const auto sweep = early.last(2000);
    EXPECT_GT(missesIn(sweep, kL1), 30u);
    EXPECT_EQ(missesIn(sweep, kL2), missesIn(sweep, kL1));
    EXPECT_EQ(evictionsIn(sweep, kL1), missesIn(sweep, kL1));
    EXPECT_GT(evictionsIn(sweep, kL2), 0u);
    EXPECT_FALSE(early.holds(kL2, "a", 1)) << "gone before the next sweep";
    EXPECT_TRUE(early.missInMotion());
    EXPECT_GT(early.temperature(kL1), 0.5) << "L1 is warm";
    EXPECT_LT(early.temperature(kL2), 0) << "L2 cools";
    EXPECT_EQ(missesIn(early.span(), kL2), missesIn(early.span(), kL1)) << "no miss of L1 hits in L2";

    const ShownScene within("fig6b");
    EXPECT_GT(within.temperature(kL2), 0) << "L2 has warmed up";
    EXPECT_EQ(missesIn(within.span(), kL2), 0u);
    EXPECT_GT(missesIn(within.span(), kL1), 4u);
    EXPECT_GT(missesIn(within.last(5000), kL1), 100u);
    EXPECT_EQ(missesIn(within.last(5000), kL2), 0u);

    const ShownScene end("fig6c");
    EXPECT_EQ(missesIn(end.during(end.begun - 5000, end.run->trace().size()), kL1), 0u);
}

TEST(RingsScenes, Fig7MergeSortSpillsOver) {
    const ShownScene small("fig7a");
    EXPECT_EQ(missesIn(small.span(), kL1), 2u) << "of the last 256 accesses";
    const auto early = small.soFar();
    EXPECT_EQ(missesIn(early, kL1), early.ledger->misses(small.run->machine(), kL1, sim::MissKind::compulsory));
    EXPECT_LT(ratio(missesIn(early, kL1), early.counters.accesses()), 0.02);

    const ShownScene spilled("fig7b");
    EXPECT_EQ(missesIn(spilled.span(), kL1), 4u) << "of the last 64 accesses";
    EXPECT_EQ(missesIn(spilled.span(), kL2), 0u);
    const auto middle = spilled.last(500);
    EXPECT_GT(missesIn(middle, kL1), 20u);
    EXPECT_EQ(missesIn(middle, kL2), 0u);
    EXPECT_EQ(missesIn(spilled.during(0, spilled.begun), kL2), 64u) << "only half the array, and its store, was seen";

    const ShownScene last("fig7c");
    EXPECT_EQ(missesIn(last.span(), kL1), 8u) << "of the last 64 accesses";
    EXPECT_EQ(missesIn(last.span(), kL2), 8u);
    const auto late = last.last(500);
    EXPECT_GT(missesIn(late, kL1), 50u);
    EXPECT_EQ(missesIn(late, kL2), missesIn(late, kL1));
    EXPECT_TRUE(last.missInMotion());
}

TEST(RingsScenes, Fig8aMomentumIsInterpolated) {
    const ShownScene scene("fig8a");
    const auto sweep = scene.soFar();
    EXPECT_EQ(scene.accessed(sweep), (std::set<std::string>{"mass", "velocity", "position", "nodeMass", "momentum"}));
    EXPECT_GT(sweep.counters.level(kL1).hitRate(), 0.85);
    for (const char* array : {"mass", "velocity", "position"}) {
        // Each block once, none twice.
        EXPECT_EQ(missesIn(sweep, kL1) > 0, true);
        const std::uint64_t bytes = scene.part(sweep, array).accesses * 8;
        EXPECT_EQ(scene.part(sweep, array).l1Misses, (bytes + 31) / 32) << array;
    }
}

/// The last accesses of a sweep before the scene belong to the stress update, and the data streams.
void expectStressStreams(const ShownScene& scene, std::uint64_t accesses) {
    const auto phase = scene.last(accesses);
    EXPECT_EQ(scene.accessed(phase), (std::set<std::string>{"position", "nodeMass", "momentum", "model", "stress"}));
    for (const char* array : {"stress", "model"}) {
        const Part part = scene.part(phase, array);
        const double blocks = ratio(accesses / 22 * 3 * 8, 32);  // of the particles that were accessed
        EXPECT_NEAR(static_cast<double>(part.l1Misses), blocks, 2) << array << ": a block comes in once";
        EXPECT_EQ(part.l2Misses, part.l1Misses) << array;
        EXPECT_GE(part.accesses, 2 * part.l1Misses) << array;
    }
    for (const char* array : {"mass", "velocity", "force"}) {
        EXPECT_TRUE(scene.resident(kL1, array).empty()) << array;
        EXPECT_TRUE(scene.resident(kL2, array).empty()) << array;
    }
    EXPECT_TRUE(scene.missInMotion());
}

TEST(RingsScenes, Fig8bStressStreams) {
    expectStressStreams(ShownScene("fig8b"), 2200);
}

TEST(RingsScenes, Fig8cIsFourTimesAsLarge) {
    const ShownScene larger("fig8c");
    expectStressStreams(larger, 8800);
    for (const std::size_t level : {kL1, kL2}) {
        EXPECT_EQ(larger.run->machine().levels[level].size, 4 * ShownScene("fig8b").run->machine().levels[level].size);
    }
    EXPECT_EQ(larger.run->trace().regions()[0].size, 4 * ShownScene("fig8b").run->trace().regions()[0].size);
}

}  // namespace
}  // namespace whorl::app
