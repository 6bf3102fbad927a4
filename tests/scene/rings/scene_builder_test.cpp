// The picture is a pure function of run, time and view; it moves without jumps; everything visible can be pointed at.
#include "render/scene/rings/scene_builder.h"

#include <gtest/gtest.h>

#include <cstring>
#include <glm/geometric.hpp>
#include <map>

#include "render/scene/easing.h"
#include "render/scene/palette.h"
#include "render/scene/rings/describe.h"
#include "scene/rings/stage.h"
#include "sim/machine/machine_config.h"
#include "sim/replay/snapshot.h"

namespace whorl::scene {
namespace {

class Stage {
  public:
    explicit Stage(const std::string& program = "matmul:n=8", glm::vec2 size = {1280, 720},
                   const std::string& name = "paper") {
        run_ = sim::test::built(sim::test::ran(program), *sim::loadMachine(name));
        trace_ = run_->sharedTrace();
        memorySlots_ = std::make_unique<MemorySlots>(*trace_, run_->machine().levels.back().block);
        looks_ = std::make_unique<RegionLooks>(*trace_);
        view_.size = size;
        layout_ = std::make_unique<RingLayout>(Subject{*trace_, run_->machine(), *memorySlots_, *looks_}, view_);
    }

    Subject subject() const { return {*trace_, run_->machine(), *memorySlots_, *looks_}; }
    Scene at(double t, sim::SnapshotReader& reader) const {
        return SceneBuilder(subject()).scene(reader.at(t, lookbackOf(view_)), view_);
    }
    Scene at(double t) const {
        sim::SnapshotReader reader(run_);
        return at(t, reader);
    }
    double end() const { return static_cast<double>(trace_->size()); }

    std::shared_ptr<const sim::Trace> trace_;
    std::shared_ptr<sim::Run> run_;
    std::unique_ptr<MemorySlots> memorySlots_;
    std::unique_ptr<RegionLooks> looks_;
    std::unique_ptr<RingLayout> layout_;
    View view_;
};

bool same(const Glyph& a, const Glyph& b) {
    return a.at == b.at && a.radius == b.radius && a.fill == b.fill && a.rim == b.rim && a.rimWidth == b.rimWidth &&
           a.glow == b.glow && a.shape == b.shape;
}

bool same(const Stroke& a, const Stroke& b) {
    return a.a == b.a && a.b == b.b && a.width == b.width && a.colourA == b.colourA && a.colourB == b.colourB;
}

template <class T>
bool same(const std::vector<T>& a, const std::vector<T>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const T& x, const T& y) { return same(x, y); });
}

void expectSame(const Scene& a, const Scene& b) {
    EXPECT_TRUE(same(a.resting, b.resting));
    EXPECT_TRUE(same(a.moving, b.moving));
    EXPECT_TRUE(same(a.trails, b.trails));
    EXPECT_TRUE(same(a.cells, b.cells));
    EXPECT_EQ(a.restingTargets, b.restingTargets);
    EXPECT_EQ(a.movingTargets, b.movingTargets);
    EXPECT_EQ(a.trailTargets, b.trailTargets);
    EXPECT_EQ(a.cellTargets, b.cellTargets);
    EXPECT_EQ(a.legend, b.legend);
    EXPECT_EQ(a.annuli.size(), b.annuli.size());
    EXPECT_EQ(a.ringSectors.size(), b.ringSectors.size());
    EXPECT_EQ(a.ribbons.size(), b.ribbons.size());
    ASSERT_EQ(a.labels.size(), b.labels.size());
    for (std::size_t i = 0; i < a.labels.size(); ++i) EXPECT_EQ(a.labels[i].text, b.labels[i].text);
}

/// A builder that has drawn other pictures before.
class Drawn {
  public:
    explicit Drawn(const Stage& stage) : reader_(stage.run_), sceneBuilder_(stage.subject()) {}
    const Scene& at(double t, const View& view) { return sceneBuilder_.scene(reader_.at(t, lookbackOf(view)), view); }

  private:
    sim::SnapshotReader reader_;
    SceneBuilder sceneBuilder_;
};

struct Looked {
    const char* name;
    const char* program;
    const char* machine;
    void (*with)(View&);
};

void PrintTo(const Looked& looked, std::ostream* out) {
    *out << looked.name;
}

class AnyWayThere : public testing::TestWithParam<Looked> {};

TEST_P(AnyWayThere, GivesTheSamePicture) {
    const Looked& looked = GetParam();
    const Stage stage(looked.program, {1280, 720}, looked.machine);
    View view = stage.view_;
    looked.with(view);
    View other = view;
    other.zoom = 3;
    other.lapse = 1;
    other.use = !view.use;
    Drawn played(stage);
    for (double t = 300; t < 340; t += 1.0 / 3) played.at(t, view);
    Drawn back(stage);
    back.at(stage.end(), view);
    for (double t = 345; t > 341; --t) back.at(t, view);
    for (const double t : {340.0, 340.25, 340.9, 700.0}) {
        Drawn fresh(stage);
        const Scene& sought = fresh.at(t, view);
        expectSame(played.at(t, view), sought);
        expectSame(back.at(t, view), sought);
        back.at(t, other);
        expectSame(back.at(t, view), sought);
        back.at(t + 40, other);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Views, AnyWayThere,
    testing::Values(
        Looked{"stepped", "matmul:n=8", "paper", [](View&) {}},
        Looked{"played", "matmul:n=8", "paper", [](View& v) { v.moveTicks = 5; }},
        Looked{"elements", "matmul:n=8", "paper", [](View& v) { v.grain = Grain::elements; }},
        Looked{"lapse", "matmul:n=8", "paper", [](View& v) { v.lapse = 30; }},
        Looked{"flows", "matmul:n=8", "paper", [](View& v) { v.lapse = 250; }},
        Looked{"zoomed", "matmul:n=8", "paper",
               [](View& v) {
                   v.zoom = 4, v.focus = {0.2f, 0.3f};
               }},
        Looked{"light", "mergesort:n=64", "lecture", [](View& v) { v.ground = Ground::light, v.textScale = 2.25f; }},
        Looked{"reduced", "bubblesort:n=64", "paper", [](View& v) { v.reducedMotion = true; }},
        Looked{"dirty", "bubblesort:n=64", "paper",
               [](View& v) { v.gauge.what = sim::GaugeSettings::What::dirtiness; }},
        Looked{"kinds", "matmul:n=8", "paper", [](View& v) { v.gauge.what = sim::GaugeSettings::What::missKind; }},
        Looked{"cpus", "matmul:n=8", "coherence", [](View&) {}},
        Looked{"alone", "matmul:n=8", "coherence", [](View& v) { v.cpu = 0; }},
        Looked{"cells", "mergesort:n=2000", "server", [](View&) {}},
        Looked{"use", "matmul:n=16", "paper", [](View& v) { v.use = true; }},
        Looked{"useofcpus", "vecadd", "coherence", [](View& v) { v.use = true; }},
        Looked{"useofcells", "mergesort:n=2000", "server", [](View& v) { v.use = true; }},
        Looked{"picked", "matmul:n=8", "paper",
               [](View& v) {
                   v.picked = PickedBytes{sim::ByteAddress{0x1000}, 512}, v.site = sim::SiteId{1};
               }},
        Looked{"pickedcells", "mergesort:n=2000", "server",
               [](View& v) {
                   v.picked = PickedBytes{sim::ByteAddress{0x1000}, 4096};
               }},
        Looked{"watched", "matmul:n=8", "paper",
               [](View& v) { v.marked = sim::ByteAddress{0x1000}, v.watched = {sim::ByteAddress{0x1040}}; }}),
    [](const auto& one) { return std::string(one.param.name); });

/// Where the block of each target is drawn as itself, not as a copy.
using Places = std::map<std::uint64_t, glm::vec2>;

/// The positions of what an L1 holds.
Places nearest(const Scene& scene) {
    Places places;
    const auto take = [&](const std::vector<Glyph>& glyphs, const std::vector<Target>& targets) {
        for (std::size_t i = 0; i < glyphs.size(); ++i) {
            if (targets[i].kind == Target::Kind::line && targets[i].level == 0) {
                places[targets[i].address.value] = glyphs[i].at;
            }
        }
    };
    take(scene.resting, scene.restingTargets);
    take(scene.moving, scene.movingTargets);
    return places;
}

/// Within an access, all that is drawn stays where it is and as large as it is: it fades.
TEST(SceneBuilderTest, WithReducedMotionNothingMovesOrGrows) {
    Stage stage;
    stage.view_.reducedMotion = true;
    sim::SnapshotReader reader(stage.run_);
    std::size_t faded = 0;
    for (double t = 100; t < 160; ++t) {
        const Scene early = stage.at(t + 0.3, reader);
        const Scene late = stage.at(t + 0.7, reader);
        ASSERT_EQ(early.trails.size(), late.trails.size());
        for (std::size_t i = 0; i < early.trails.size(); ++i) {
            EXPECT_EQ(early.trails[i].a, late.trails[i].a) << t;
            EXPECT_EQ(early.trails[i].b, late.trails[i].b) << t;
            faded += early.trails[i].colourB.a < late.trails[i].colourB.a ? 1 : 0;
        }
        for (const Glyph& before : early.moving) {
            // Circles and blocks at one place are told apart by what they are filled with.
            const auto isSame = [&](const Glyph& g) {
                return g.at == before.at && g.shape == before.shape && (g.fill.a == 0) == (before.fill.a == 0);
            };
            const auto known = std::count_if(late.moving.begin(), late.moving.end(), isSame);
            if (known == 0) continue;
            EXPECT_TRUE(std::any_of(late.moving.begin(), late.moving.end(),
                                    [&](const Glyph& g) { return isSame(g) && g.radius == before.radius; }))
                << t << ": " << before.radius;
        }
    }
    EXPECT_GT(faded, 20U) << "trails come up";
}

TEST(SceneBuilderTest, NothingJumps) {
    for (const double moveTicks : {View::kAtRest, 4.0}) {
        Stage stage;
        stage.view_.moveTicks = moveTicks;
        sim::SnapshotReader reader(stage.run_);
        // In this fraction of a move nothing goes farther than the steepest part of the longest path.
        constexpr double kStep = 1.0 / 64;
        const double longest = 2.0 * stage.layout_->unit;
        const double bound = longest * 1.5 * (kStep / moveTicks) * 3 + 0.5;
        Places last = nearest(stage.at(100, reader));
        for (double t = 100 + kStep; t < 160; t += kStep) {
            const Places now = nearest(stage.at(t, reader));
            for (const auto& [address, place] : now) {
                const auto before = last.find(address);
                if (before == last.end()) continue;
                EXPECT_LT(glm::distance(before->second, place), bound) << t;
            }
            last = now;
        }
    }
}

TEST(SceneBuilderTest, ABlockStartsAtItsHomeAndArrivesInTheNearestLevel) {
    Stage stage;
    // The first access of the program misses everywhere.
    const sim::ByteAddress address = sim::TraceCursor(*stage.trace_).at(sim::Tick{0}).address;
    const Scene start = stage.at(0.0001);
    const Scene arrived = stage.at(1);
    const std::uint64_t block = address.value / 32 * 32;
    const std::uint32_t slot = stage.memorySlots_->of(address);
    const glm::vec2 from = start.centre + stage.layout_->memory.place(stage.memorySlots_->spanOf(slot), slot);
    EXPECT_LT(glm::distance(nearest(start).at(block), from), 1.0f);
    const sim::SetIndex set{static_cast<std::uint32_t>(block / 32 % 2)};
    EXPECT_LT(glm::distance(nearest(arrived).at(block), start.centre + stage.layout_->linePlace({0, 0, set}, 0)),
              0.01f);
}

TEST(SceneBuilderTest, EveryResidentAndEveryHomeIsDrawnOnce) {
    Stage stage;
    for (const double t : {0.0, 17.0, 400.0, stage.end()}) {
        sim::SnapshotReader reader(stage.run_);
        const sim::Snapshot snapshot = reader.at(t, lookbackOf(stage.view_));
        const Scene scene = SceneBuilder(stage.subject()).scene(snapshot, stage.view_);
        std::size_t lines = 0;
        std::size_t memorySlots = 0;
        for (const auto* targets : {&scene.restingTargets, &scene.movingTargets}) {
            for (const Target& target : *targets) {
                lines += target.kind == Target::Kind::line;
                memorySlots += target.kind == Target::Kind::slot;
            }
        }
        std::size_t resident = 0;
        for (std::size_t l = 0; l < 2; ++l) {
            const sim::Cache& cache = snapshot.now.hierarchy().cache(l);
            for (std::uint32_t s = 0; s < cache.sets(); ++s) resident += cache.occupied(sim::SetIndex{s});
        }
        EXPECT_EQ(lines, resident);
        EXPECT_EQ(memorySlots, stage.memorySlots_->count());
    }
}

TEST(SceneBuilderTest, EveryMoveTakesTheSameTime) {
    Stage stage;
    sim::SnapshotReader reader(stage.run_);
    // One move after the last access, everything is in its place, however far it had to go.
    for (double t = 50; t < 250; t += 1) {
        const sim::Snapshot snapshot = reader.at(t + stage.view_.moveTicks, lookbackOf(stage.view_));
        const Places places = nearest(SceneBuilder(stage.subject()).scene(snapshot, stage.view_));
        const sim::Cache& cache = snapshot.now.hierarchy().cache(0);
        for (const auto& [address, place] : places) {
            const sim::BlockAddress block = cache.blockOf(sim::ByteAddress{address});
            const sim::SetIndex set = cache.setOf(block);
            const sim::Line line = cache.line(set, sim::WayIndex{cache.find(block)});
            EXPECT_LT(
                glm::distance(place, stage.layout_->size / 2.0f + stage.layout_->linePlace({0, 0, set}, line.rank)),
                0.05f);
        }
    }
}

/// Where the blocks of a level are, by cache and address.
std::map<std::pair<std::uint8_t, std::uint64_t>, glm::vec2> placesIn(const Scene& scene, std::uint8_t level) {
    std::map<std::pair<std::uint8_t, std::uint64_t>, glm::vec2> places;
    const auto take = [&](const std::vector<Glyph>& glyphs, const std::vector<Target>& targets) {
        for (std::size_t i = 0; i < glyphs.size(); ++i) {
            const Target& t = targets[i];
            if (t.kind == Target::Kind::line && t.level == level) places[{t.cache, t.address.value}] = glyphs[i].at;
        }
    };
    take(scene.resting, scene.restingTargets);
    take(scene.moving, scene.movingTargets);
    return places;
}

TEST(SceneBuilderTest, InTimeLapseBlocksOfSmallSetsStayWhereTheyWereFilled) {
    Stage stage("vecadd", {1280, 720}, "coherence");
    sim::SnapshotReader reader(stage.run_);
    for (const std::uint64_t lapse : {1, 4}) {
        stage.view_.lapse = lapse;
        std::size_t moved = 0;
        auto before = placesIn(stage.at(200, reader), 0);
        for (double t = 201; t < 300; ++t) {
            const auto now = placesIn(stage.at(t, reader), 0);
            for (const auto& [block, place] : now) moved += before.contains(block) && before.at(block) != place;
            before = now;
        }
        EXPECT_EQ(moved == 0, lapse > 1) << moved;
    }
}

TEST(SceneBuilderTest, GlyphsOfCachesThatAreFilledAnewInEachFrameTellTheirRegionsAlone) {
    Stage stage("matmul:n=16");
    for (const std::uint64_t lapse : {1, 1000}) {
        stage.view_.lapse = lapse;
        const Scene scene = stage.at(10000);
        std::size_t dirty = 0;
        for (std::size_t i = 0; i < scene.resting.size(); ++i) {
            dirty += scene.restingTargets[i].kind == Target::Kind::line && scene.resting[i].coreRadius > 0;
        }
        EXPECT_EQ(dirty == 0, lapse > 1) << dirty;
    }
}

TEST(SceneBuilderTest, InTimeLapseBlocksOfArmsStillAgeOutward) {
    Stage stage;
    stage.view_.lapse = 4;
    const Scene scene = stage.at(200);
    EXPECT_FALSE(scene.legend.byWay);
    const sim::Snapshot snapshot = sim::SnapshotReader(stage.run_).at(200, lookbackOf(stage.view_));
    const sim::Cache& cache = snapshot.cache(0, 0);
    for (const auto& [block, place] : placesIn(scene, 0)) {
        const sim::BlockAddress number = cache.blockOf(sim::ByteAddress{block.second});
        const sim::SetIndex set = cache.setOf(number);
        const sim::Line line = cache.line(set, sim::WayIndex{cache.find(number)});
        EXPECT_EQ(place, stage.layout_->size / 2.0f + stage.layout_->linePlace({0, 0, set}, line.rank));
    }
}

TEST(SceneBuilderTest, RestingGlyphsDoNotOverlap) {
    for (const char* machine : {"paper", "coherence"}) {
        for (const char* program : {"matmul:n=16", "bubblesort:n=64", "mergesort:n=64", "arrayinit:n=256"}) {
            for (const Grain grain : {Grain::blocks, Grain::elements}) {
                Stage stage(program, {1280, 720}, machine);
                stage.view_.grain = grain;
                const Scene scene = stage.at(std::floor(stage.end() / 2));
                for (std::size_t i = 0; i < scene.resting.size(); ++i) {
                    if (scene.resting[i].fill.a == 0) continue;
                    for (std::size_t j = i + 1; j < scene.resting.size(); ++j) {
                        const Glyph& a = scene.resting[i];
                        const Glyph& b = scene.resting[j];
                        if (b.fill.a == 0) continue;
                        ASSERT_GE(glm::distance(a.at, b.at), a.radius + b.radius) << program << " on " << machine;
                    }
                }
            }
        }
    }
}

TEST(Pick, FindsEveryRestingGlyph) {
    Stage stage;
    const Scene scene = stage.at(500);
    for (std::size_t i = 0; i < scene.resting.size(); ++i) {
        if (scene.restingTargets[i].kind == Target::Kind::none) continue;
        bool covered = false;
        for (const Glyph& g : scene.moving) covered |= glm::distance(g.at, scene.resting[i].at) < g.radius + 8;
        if (covered) continue;
        EXPECT_EQ(pick(scene, *stage.layout_, stage.view_, scene.resting[i].at), scene.restingTargets[i]);
    }
    EXPECT_EQ(pick(scene, *stage.layout_, stage.view_, {3, 3}).kind, Target::Kind::none);
}

TEST(Pick, DescribesABlock) {
    Stage stage;
    sim::SnapshotReader reader(stage.run_);
    const sim::Snapshot snapshot = reader.at(1, {.steps = 4});
    // The program's first access is to A[0][0], which is then in both caches.
    const sim::ByteAddress address = sim::TraceCursor(*stage.trace_).at(sim::Tick{0}).address;
    const Target slot{.kind = Target::Kind::slot, .address = address};
    const auto lines = describe(slot, snapshot, stage.subject());
    ASSERT_EQ(lines.size(), 7u);
    EXPECT_EQ(lines[0], "A[0][0] to A[0][3]");
    EXPECT_EQ(lines[2], "region A");
    EXPECT_EQ(lines[3], "L1: " + addressParts(stage.run_->machine().levels[0], address));
    EXPECT_EQ(lines[5], "in L1: set 0, way 0, rank 1 of 8, clean");
    EXPECT_EQ(lines[6], "in L2: set 0, way 0, rank 1 of 16, clean");
    const Target cold{.kind = Target::Kind::slot, .address = sim::ByteAddress{address.value + 64}};
    EXPECT_EQ(describe(cold, snapshot, stage.subject()).back(), "in memory only");
}

TEST(Pick, DescribesAByteAndTheBlockAroundItInEachLevel) {
    const sim::MachineConfig machine = sim::loadMachine("256/2/16, 1K/4/64").value();
    TestStage stage(sim::test::parsed("region A 0x1000 128 8 rows=16\nR 0x1010 8\n"), machine);
    const auto lines = describeByte(sim::ByteAddress{0x1018}, stage.snapshot(1, {}), stage.subject());
    const std::vector<std::string> wanted{"A[3]",
                                          "address 0x1018",
                                          "region A",
                                          "L1: A[2] to A[3], 16 bytes",
                                          "  " + addressParts(machine.levels[0], sim::ByteAddress{0x1018}),
                                          "L2: A[0] to A[7], 64 bytes",
                                          "  " + addressParts(machine.levels[1], sim::ByteAddress{0x1018}),
                                          "in L1: set 1, way 0, rank 1 of 2, clean",
                                          "in L2: set 0, way 0, rank 1 of 4, clean"};
    EXPECT_EQ(lines, wanted);
}

TEST(SceneBuilderTest, TheMarkedBlockIsRingedWhereverItIs) {
    Stage stage;
    stage.view_.trails = 0;
    const std::size_t before = stage.at(1).moving.size();
    stage.view_.marked = sim::TraceCursor(*stage.trace_).at(sim::Tick{0}).address;
    EXPECT_EQ(stage.at(1).moving.size(), before + 6) << "twice in L1, in L2 and at home";
}

TEST(SceneBuilderTest, AMissIsShownByColourAndByOutline) {
    Stage stage;
    const Rgba red = paletteFor(Ground::dark).flash;
    const Scene scene = stage.at(0.3);
    bool outline = false;
    bool filled = false;
    for (const Glyph& g : scene.moving) {
        outline |= g.fill.a == 0 && g.rim.r == red.r && g.rimWidth > 0;
        filled |= g.fill == red;
    }
    EXPECT_TRUE(outline);
    EXPECT_TRUE(filled);
}

/// Each access goes to memory, however fast they are played: nothing of a cache is looked up.
TEST(SceneBuilder, AMachineWithoutCachesIsDrawnAtAnyPace) {
    sim::MachineConfig machine = *sim::loadMachine("paper");
    machine.levels.clear();
    TestStage stage(sim::test::ran("matmul:n=4"), machine);
    View view;
    for (const double pace : {0.0, 4.0, 60.0, 5000.0}) {
        view.pace = pace;
        view.lapse = lapseAt(pace, 60);
        view.moveTicks = moveTicksAt(pace);
        for (const double t : {0.0, 0.5, 20.25, 100.0}) EXPECT_FALSE(stage.at(t, view).moving.empty() && t == 20.25);
    }
}

}  // namespace
}  // namespace whorl::scene
