// Machines with several CPUs: the rings show the caches of one of them, and what another invalidates.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>

#include "render/scene/palette.h"
#include "render/scene/rings/scene_builder.h"
#include "scene/rings/stage.h"
#include "sim/replay/snapshot.h"
#include "sim/trace/trace_builder.h"

namespace whorl::scene {
namespace {

/// Two CPUs: CPU 0 reads A, CPU 1 reads A, CPU 0 writes A, CPU 1 reads and writes B, CPU 0 writes B.
class Pair : public testing::Test {
  protected:
    Pair() {
        machine_.cpus = 2;
        machine_.levels = {{.name = "L1", .size = 64, .ways = 2, .block = 32, .sharedBy = 1},
                           {.name = "L2", .size = 256, .ways = 4, .block = 32}};
        play(
            "region A 0x1000 32 8 rows=4\n"
            "region B 0x2000 32 8 rows=4\n"
            "R 0x1000 8 cpu=0\nR 0x1000 8 cpu=1\n"
            "W 0x1000 8 cpu=0\nW 0x2000 8 cpu=1\n"
            "W 0x2000 8 cpu=0\n");
        view_.cpu = 0;
        layout_ = std::make_unique<RingLayout>(Subject{*trace_, run_->machine(), *memorySlots_, *looks_}, view_);
    }

    void play(const char* trace) {
        run_ = sim::test::built(trace, machine_);
        trace_ = run_->sharedTrace();
        memorySlots_ = std::make_unique<MemorySlots>(*trace_, 32);
        looks_ = std::make_unique<RegionLooks>(*trace_);
    }

    Scene at(double t, std::optional<std::uint32_t> cpu) {
        view_.cpu = cpu;
        sim::SnapshotReader reader(run_);
        return SceneBuilder({*trace_, run_->machine(), *memorySlots_, *looks_})
            .scene(reader.at(t, lookbackOf(view_)), view_);
    }

    /// The blocks that rest or move in the nearest level.
    static std::size_t nearest(const Scene& scene) {
        const auto isThere = [](const Target& t) { return t.kind == Target::Kind::line && t.level == 0; };
        return static_cast<std::size_t>(
            std::count_if(scene.restingTargets.begin(), scene.restingTargets.end(), isThere) +
            std::count_if(scene.movingTargets.begin(), scene.movingTargets.end(), isThere));
    }
    static std::vector<std::string> labels(const Scene& scene) {
        std::vector<std::string> out;
        for (const Label& label : scene.labels) out.push_back(label.text);
        return out;
    }

    sim::MachineConfig machine_;
    std::shared_ptr<const sim::Trace> trace_;
    std::shared_ptr<sim::Run> run_;
    std::unique_ptr<MemorySlots> memorySlots_;
    std::unique_ptr<RegionLooks> looks_;
    std::unique_ptr<RingLayout> layout_;
    View view_;
};

TEST_F(Pair, TheRingsShowTheCachesOfOneCpu) {
    EXPECT_EQ(nearest(at(1, 0)), 1u);
    EXPECT_EQ(nearest(at(1, 1)), 0u);
    EXPECT_EQ(nearest(at(2, 1)), 1u);
    EXPECT_EQ(nearest(at(3, 1)), 0u) << "CPU 0's write took it away";
    EXPECT_EQ(nearest(at(5, 0)), 2u);
    const std::array scenes = {at(1, 0), at(5, 1)};
    for (const Scene& scene : scenes) {
        for (const Target& t : scene.restingTargets) {
            const bool isNearest = t.kind == Target::Kind::line && t.level == 0;
            EXPECT_TRUE(!isNearest || t.cache == (&scene == &scenes[0] ? 0 : 1));
        }
    }
}

/// Whether one of the texts begins so.
bool oneBegins(const std::vector<std::string>& texts, const std::string& beginning) {
    return std::any_of(texts.begin(), texts.end(),
                       [&](const std::string& text) { return text.starts_with(beginning); });
}

TEST_F(Pair, TheLabelsSayWhoseCachesTheyAre) {
    view_.gauge.what = sim::GaugeSettings::What::nothing;
    const auto first = labels(at(2, 0));
    EXPECT_NE(std::find(first.begin(), first.end(), "CPU 0 of 2"), first.end());
    EXPECT_TRUE(oneBegins(first, "L1: 0 hits of 1,"));
    const auto third = labels(at(3, 0));
    EXPECT_TRUE(oneBegins(third, "L1 hits 50.0\u00a0%")) << "its own hits only";
    const auto other = labels(at(3, 1));
    EXPECT_TRUE(oneBegins(other, "L1: 0 hits of 1,"));
}

TEST_F(Pair, AnInvalidatedCleanBlockFadesWhereItWas) {
    const Scene before = at(2, 1);
    const auto there = std::find_if(before.movingTargets.begin(), before.movingTargets.end(),
                                    [](const Target& t) { return t.kind == Target::Kind::line && t.level == 0; });
    ASSERT_NE(there, before.movingTargets.end());
    const glm::vec2 place = before.moving[static_cast<std::size_t>(there - before.movingTargets.begin())].at;
    std::uint8_t last = 255;
    for (const double t : {2.1, 2.2, 2.3, 2.4}) {
        const Scene scene = at(t, 1);
        const auto glyph = std::find_if(scene.moving.begin(), scene.moving.end(), [&](const Glyph& g) {
            return glm::distance(g.at, place) < 0.5f && g.fill.a > 0;
        });
        ASSERT_NE(glyph, scene.moving.end()) << t;
        EXPECT_LT(glyph->fill.a, last) << t;
        last = glyph->fill.a;
        const Rgba mark = paletteFor(Ground::dark).mark;
        EXPECT_TRUE(std::any_of(scene.moving.begin(), scene.moving.end(), [&](const Glyph& g) {
            return glm::distance(g.at, place) < 0.5f && g.rim.r == mark.r && g.rim.b == mark.b && g.fill.a == 0;
        })) << "not by fading alone";
    }
}

TEST_F(Pair, AnInvalidatedDirtyBlockMovesItsDataOut) {
    const Scene scene = at(4.3, 1);
    const bool flies = std::any_of(scene.moving.begin(), scene.moving.end(), [&](const Glyph& g) {
        const float radius = glm::distance(g.at, scene.centre);
        return radius > layout_->levels[0].outer() * 0.6f && radius < layout_->levels[1].outer() && g.rimWidth > 0;
    });
    EXPECT_TRUE(flies);
}

TEST_F(Pair, AllCpusHaveTheirSectorsAndDiscs) {
    EXPECT_EQ(nearest(at(1, std::nullopt)), 1u);
    EXPECT_EQ(nearest(at(2, std::nullopt)), 2u) << "both have the block";
    EXPECT_EQ(nearest(at(3, std::nullopt)), 1u);
    const Scene scene = at(2.3, std::nullopt);
    std::array<int, 2> discs{};
    for (const Target& t : scene.movingTargets) {
        if (t.kind == Target::Kind::cpu) ++discs[t.cpu];
    }
    EXPECT_EQ(discs, (std::array{1, 1}));
    EXPECT_FALSE(scene.ringSectors.empty());
}

/// A CPU without accesses has no sector: its room goes to the others, as many parts as each cache has busy CPUs.
TEST(SeveralCpus, IdleOnesGiveTheirRoomToTheBusy) {
    sim::MachineConfig machine = *sim::loadMachine("coherence");
    machine.cpus = 4;
    machine.levels = {{.name = "L1", .size = 512, .ways = 2, .block = 32, .sharedBy = 1},
                      {.name = "L2", .size = 2048, .ways = 4, .block = 32, .sharedBy = 2}};
    sim::TraceBuilder builder("t");
    for (int i = 0; i < 60; ++i) {
        constexpr std::array kBusy = {0, 2, 3};
        builder.add({.address = sim::ByteAddress{0x1000 + 8 * static_cast<std::uint64_t>(i)},
                     .size = 8,
                     .cpu = static_cast<std::uint8_t>(kBusy[static_cast<std::size_t>(i) % 3])});
    }
    TestStage stage(std::move(builder).finish(), machine);
    const Scene& scene = stage.at(40.5, View{});
    const RingLayout& layout = stage.layout();
    EXPECT_EQ(layout.cpus, 3u);
    EXPECT_EQ(layout.idle, 1u);
    EXPECT_FALSE(layout.shows(0, 1));
    ASSERT_EQ(layout.levels[0].caches(), 3u);
    ASSERT_EQ(layout.levels[1].caches(), 2u);
    // The one busy CPU of the first pair has a third of the turn in both levels.
    const auto whole = [&](std::size_t l, std::uint32_t cache) {
        return layout.levels[l].sector(cache, layout.levels[l].inner()).span;
    };
    EXPECT_NEAR(whole(1, 0) / whole(0, 0), 1, 0.1);
    EXPECT_GT(whole(1, 1), 1.9f * whole(1, 0));
    // All places are within their sectors, and are found again.
    for (const LevelRing& ring : layout.levels) {
        for (std::uint32_t c = 0; c < ring.caches(); ++c) {
            for (std::uint32_t s = 0; s < ring.sets(); ++s) {
                for (std::uint32_t k = 0; k < ring.ways(); ++k) {
                    const Slot found = ring.slotAt(ring.place({c, s, k}));
                    EXPECT_EQ((std::array{found.cache, found.set, found.rank}), (std::array{c, s, k}));
                }
            }
        }
    }
    EXPECT_TRUE(std::any_of(scene.labels.begin(), scene.labels.end(),
                            [](const Label& label) { return label.text == "1 idle CPU"; }));
    for (const Target& target : scene.movingTargets) {
        EXPECT_TRUE(target.kind != Target::Kind::cpu || target.cpu != 1);
    }
}

TEST(SeveralCpus, NothingCoversTheirNumbers) {
    TestStage stage("vecadd", "chiron-vecadd");
    std::size_t passed = 0;
    for (double t = 600.1; t < 900; t += 0.7) {
        const Scene& scene = stage.at(t, View{});
        for (std::size_t i = 0; i < scene.moving.size(); ++i) {
            if (scene.movingTargets[i].kind != Target::Kind::cpu) continue;
            const auto meets = [&](const Glyph& g) {
                return glm::distance(g.at, scene.moving[i].at) < g.radius + scene.moving[i].radius;
            };
            const auto disc = scene.moving.begin() + static_cast<std::ptrdiff_t>(i);
            EXPECT_TRUE(std::none_of(disc + 1, scene.moving.end(), meets)) << t;
            passed += static_cast<std::size_t>(std::count_if(scene.moving.begin(), disc, meets));
        }
    }
    EXPECT_GT(passed, 0u) << "blocks pass under them";
}

TEST(SeveralCpus, HaveNamesAlsoAmongLargeLetters) {
    for (const float textScale : {1.0f, 1.5f, 2.0f}) {
        TestStage stage("vecadd", "chiron-vecadd");
        View view;
        view.size = {1024, 520};
        view.textScale = textScale;
        const Scene& scene = stage.at(100, view);
        for (const char* name : {"CPU 0", "CPU 1", "CPU 2", "CPU 3"}) {
            const auto isOf = [&](const Label& l) {
                return l.kind == Label::Kind::curved && l.text.starts_with(name) &&
                       l.size >= 0.4f * stage.layout().text;
            };
            EXPECT_TRUE(std::any_of(scene.labels.begin(), scene.labels.end(), isOf)) << name << " at " << textScale;
        }
    }
}

TEST(SeveralCpus, AWayLeadsFromTheOneThatActsToItsName) {
    TestStage stage("vecadd", "chiron-vecadd");
    const View view;
    const Scene& scene = stage.at(700.4, view);
    const std::uint32_t acts = stage.snapshot(700.4, view).current()->access.cpu;
    const float outer = stage.layout().levels.front().outer();
    const float angle = stage.layout().cpuAngle(acts, outer);
    const glm::vec2 name = scene.centre + outer * glm::vec2(std::cos(angle), std::sin(angle));
    const glm::vec2 number = scene.centre + stage.layout().cpuPlace(acts);
    const auto leads = [&](const Ribbon& r) {
        return glm::distance(r.path.front(), number) < 0.1f && glm::distance(r.path.back(), name) < 0.1f;
    };
    EXPECT_EQ(std::count_if(scene.ribbons.begin(), scene.ribbons.end(), leads), 1);
}

/// The arrow of an invalidation: where it begins, whether it comes to a place, and the number of its colours.
struct Arrow {
    glm::vec2 from{0};
    float missesBy = 1e9f;  ///< the distance of its nearest end from the place
    std::size_t tones = 0;
};
Arrow arrowIn(const Scene& scene, sim::Tick tick, glm::vec2 place) {
    Arrow arrow;
    std::vector<std::uint32_t> colours;
    const Rgba red = paletteFor(scene.ground).flash;
    for (std::size_t i = 0; i < scene.trails.size(); ++i) {
        const Stroke& s = scene.trails[i];
        const bool isFill = s.colourA.r == red.r && s.colourA.g == red.g && s.colourA.b == red.b;
        if (scene.trailTargets[i].tick != tick || scene.trailTargets[i].cache != 1 || isFill) continue;
        if (colours.empty()) arrow.from = s.a;
        arrow.missesBy = std::min(arrow.missesBy, glm::distance(s.b, place));
        const std::uint32_t colour = s.colourA.r << 16 | s.colourA.g << 8 | s.colourA.b;
        if (std::find(colours.begin(), colours.end(), colour) == colours.end()) colours.push_back(colour);
    }
    arrow.tones = colours.size();
    return arrow;
}

TEST_F(Pair, AnArrowLeadsFromTheWriterToTheBlockOfTheLoser) {
    view_.trails = 1;
    const Scene scene = at(2.9, std::nullopt);
    const RingLayout both({*trace_, run_->machine(), *memorySlots_, *looks_}, view_);
    const glm::vec2 lost = scene.centre + both.linePlace({0, 1, {}}, 0);
    const Arrow arrow = arrowIn(scene, sim::Tick{2}, lost);
    EXPECT_LT(glm::distance(arrow.from, scene.centre + both.cpuPlace(0)), 0.1f);
    EXPECT_GT(arrow.missesBy, both.radii[0]) << "a block that is there now hides its head";
    EXPECT_LT(arrow.missesBy, 2 * both.radii[0]);
    EXPECT_EQ(arrow.tones, 1u) << "CPU 1 had read the very bytes";
    EXPECT_TRUE(scene.legend.taken);
    EXPECT_FALSE(scene.legend.falseSharing);
}

TEST_F(Pair, ANumberStandsWhereACopyWasLost) {
    view_.numbered = true;
    view_.stage = true;
    const Scene scene = at(3, std::nullopt);
    const RingLayout both({*trace_, run_->machine(), *memorySlots_, *looks_}, view_);
    const glm::vec2 lost = scene.centre + both.linePlace({0, 1, {}}, 0);
    const auto number =
        std::find_if(scene.labels.begin(), scene.labels.end(), [](const Label& label) { return label.text == "①"; });
    ASSERT_NE(number, scene.labels.end());
    EXPECT_LT(glm::distance(number->at, lost), 0.2f * both.unit);
    EXPECT_TRUE(oneBegins(labels(scene), "lost"));
    view_.numbered = false;
    EXPECT_FALSE(oneBegins(labels(at(3, std::nullopt)), "①"));
}

TEST_F(Pair, AnArrowOfFalseSharingHasTwoTones) {
    play("region A 0x1000 32 8 rows=4\nR 0x1000 8 cpu=1\nW 0x1010 8 cpu=0\n");
    const Scene scene = at(1.9, std::nullopt);
    EXPECT_EQ(arrowIn(scene, sim::Tick{1}, scene.centre).tones, 2u);
    EXPECT_TRUE(scene.legend.falseSharing);
}

}  // namespace
}  // namespace whorl::scene
