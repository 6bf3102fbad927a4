// Costs over time: what is painted, written and told of a place are the sums of the run, at any size and zoom.
#include "render/scene/cells/cycles_scene.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <string>

#include "render/scene/palette.h"
#include "sim/analysis/history_help.h"
#include "sim/programs/programs_support.h"
#include "sim/report/table.h"
#include "support/rounds.h"
#include "support/scene_texts.h"

namespace whorl::scene {
namespace {

struct Costs {
    explicit Costs(const std::string& program) {
        auto trace = std::make_shared<const sim::Trace>(sim::ran(program));
        run = sim::test::built(trace, trace->machine().empty()
                                          ? sim::loadMachine("paper").value()
                                          : sim::parseMachineJson(trace->machine(), "machine").value());
        take();
    }
    explicit Costs(std::uint64_t seed) : run(sim::test::RandomRun(seed).run) { take(); }

    CyclesSubject what() const { return {*costs, costs->all, run->trace()}; }

    std::shared_ptr<const sim::Run> run;
    std::shared_ptr<const sim::RunCosts> costs;
    CyclesLook look;

  private:
    void take() {
        sim::Progress progress;
        costs = costsOverTime(*run, progress);
        look.size = {1200, 700};
        look.seen = {0, static_cast<double>(costs->scale.end)};
    }
};

TEST(CyclesScene, WritesTheSumsOfTheRun) {
    for (const char* const program : {"windtunnel:particles=60,steps=1", "vecadd", "mergesort:n=64"}) {
        SCOPED_TRACE(program);
        const Costs c(program);
        const FlatScene scene = cyclesScene(c.what(), c.look);
        sim::Progress progress;
        const auto spent = *cyclesSpent(*c.run, {sim::Tick{0}, sim::Tick{c.run->trace().size()}}, progress);
        const sim::CycleClasses classes(c.run->machine());
        for (std::size_t k = 0; k < classes.size(); ++k) {
            sim::Cycles sum = 0;
            for (const auto& own : spent) sum += own[k];
            EXPECT_EQ(hasLabel(scene, classes.words(k)), sum > 0) << classes.words(k);
            if (sum > 0) {
                EXPECT_TRUE(hasLabel(scene, sim::grouped(sum))) << classes.words(k);
            }
        }
        EXPECT_TRUE(hasLabel(scene, sim::grouped(c.costs->scale.end * c.run->machine().cpus))) << "together";
    }
}

TEST(CyclesScene, WritesTheSumsOfTheCpuThatIsShown) {
    Costs c("vecadd");
    for (std::uint32_t cpu = 0; cpu < c.costs->all.cpus(); ++cpu) {
        c.look.cpu = cpu;
        const FlatScene scene = cyclesScene(c.what(), c.look);
        for (const sim::Cycles sum : c.costs->all.sums(cpu, 0, c.costs->all.buckets())) {
            if (sum > 0) {
                EXPECT_TRUE(hasLabel(scene, sim::grouped(sum))) << "CPU " << cpu;
            }
        }
    }
}

/// Of each row, from its foot up: the height of a class is its share.
TEST(CyclesScene, StacksShares) {
    const Costs c("windtunnel:particles=60,steps=1");
    const CyclesFrame frame = cyclesFrame(c.what(), c.look);
    const FlatScene scene = cyclesScene(c.what(), c.look);
    ASSERT_EQ(frame.cpus(), 8);
    ASSERT_TRUE(frame.hasAll);
    const sim::CycleClasses& classes = c.costs->all.classes();
    for (std::size_t row = 0; row < frame.rows.count; ++row) {
        const PixelBox box = frame.rows.boxOf(row);
        for (int x = box.low.x; x < box.high.x; x += 37) {
            const auto hit = cyclesAt(c.what(), c.look, {x, box.high.y - 1});
            ASSERT_TRUE(hit);
            EXPECT_EQ(hit->cpu.has_value(), row > 0);
            const auto sums = sumsOf(c.costs->all, hit->cpu, hit->buckets);
            const sim::Cycles all = std::accumulate(sums.begin(), sums.end(), sim::Cycles{0});
            std::vector<int> pixels(classes.size());
            for (int y = box.low.y; y < box.high.y; ++y) {
                const auto at = cyclesAt(c.what(), c.look, {x, y});
                ASSERT_TRUE(at);
                ++pixels[at->what];
                EXPECT_EQ(scene.raster.at({x, y}), cycleInk(c.look.ground, classes, at->what).at({x, y}));
                EXPECT_TRUE(at->box.contains({x, y}));
            }
            for (std::size_t k = 0; k < classes.size(); ++k) {
                const double share = static_cast<double>(sums[k]) / static_cast<double>(all);
                EXPECT_NEAR(pixels[k], share * box.height(), 1) << classes.words(k);
            }
        }
    }
}

/// Neighbouring columns are of neighbouring buckets: nothing is left out, and nothing is counted twice.
TEST(CyclesScene, ColumnsPartitionTheTime) {
    for (std::uint64_t seed = 0; seed < testRounds(40); ++seed) {
        SCOPED_TRACE(seed);
        Costs c(seed);
        std::mt19937_64 dice(seed);
        c.look.size = {100 + static_cast<int>(dice() % 1500), 60 + static_cast<int>(dice() % 700)};
        c.look.path = dice() % 2 == 0;
        const double end = static_cast<double>(c.costs->scale.end);
        if (dice() % 2 == 0) c.look.seen = {0.25 * end, 0.25 * end + std::max(1.0, 0.3 * end)};
        const CyclesFrame frame = cyclesFrame(c.what(), c.look);
        EXPECT_FALSE(cyclesScene(c.what(), c.look).raster.isEmpty());
        const Buckets seen = seenBuckets(c.what(), frame);
        std::size_t next = seen.first;
        const int y = frame.rows.boxOf(0).high.y - 1;
        for (int x = frame.body.low.x; x < frame.body.high.x; ++x) {
            const auto hit = cyclesAt(c.what(), c.look, {x, y});
            if (!hit) continue;
            if (hit->buckets.last <= next) continue;  // a bucket may be wider than a pixel
            EXPECT_EQ(hit->buckets.first, next);
            next = hit->buckets.last;
        }
        EXPECT_EQ(next, seen.last);
    }
}

TEST(CyclesScene, DrawsThePathAlongItsCpus) {
    Costs c("vecadd");
    c.look.path = true;
    const CyclesFrame frame = cyclesFrame(c.what(), c.look);
    const FlatScene scene = cyclesScene(c.what(), c.look);
    const Rgba colour = paletteFor(c.look.ground).criticalPath;
    const auto isLit = [&](std::uint32_t cpu, int x) {
        const int y = frame.rows.boxOf(frame.rowOf(cpu)).high.y + 1;
        return scene.raster.at({x, y}) == colour;
    };
    // The master prints at the end, for a long time.
    EXPECT_TRUE(isLit(0, frame.body.high.x - 5));
    for (const std::uint32_t cpu : {1u, 2u, 3u}) EXPECT_FALSE(isLit(cpu, frame.body.high.x - 5));
    c.look.path = false;
    EXPECT_NE(cyclesScene(c.what(), c.look).raster, scene.raster);
}

TEST(CyclesScene, OfOneCpuHasOneRow) {
    const Costs c("mergesort:n=64");
    const CyclesFrame frame = cyclesFrame(c.what(), c.look);
    EXPECT_EQ(frame.rows.count, 1);
    EXPECT_FALSE(frame.hasAll);
}

TEST(CyclesScene, WithoutRoomForATableHasAKey) {
    Costs c("vecadd");
    c.look.size = {400, 500};
    EXPECT_FALSE(cyclesFrame(c.what(), c.look).table);
    const FlatScene scene = cyclesScene(c.what(), c.look);
    EXPECT_TRUE(hasLabel(scene, "work"));
    EXPECT_TRUE(hasLabel(scene, "idle"));
}

}  // namespace
}  // namespace whorl::scene
