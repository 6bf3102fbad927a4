// How the rings share the room, and what stands out in them.
#include <gtest/gtest.h>

#include <algorithm>
#include <glm/vec2.hpp>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "render/scene/rings/level_labels.h"
#include "render/scene/rings/ring_layout.h"
#include "render/scene/text_width.h"
#include "scene/rings/stage.h"
#include "support/scene_texts.h"

namespace whorl::scene {
namespace {

float areaOf(const LevelRing& ring) {
    return ring.outer() * ring.outer() - ring.inner() * ring.inner();
}

TEST(RingRadii, FillTheRoomInProportion) {
    const std::vector<float> outer = outerRadii({{.weight = 1}, {.weight = 2}, {.weight = 4}}, 0.1f, 0.05f, 1);
    ASSERT_EQ(outer.size(), 3u);
    EXPECT_NEAR(outer.back(), 1, 1e-4f);
    const float first = outer[0] * outer[0] - 0.01f;
    const float inner = outer[0] + 0.05f;
    const float from = outer[1] + 0.05f;
    EXPECT_NEAR(outer[1] * outer[1] - inner * inner, 2 * first, 1e-3f);
    EXPECT_NEAR(outer[2] * outer[2] - from * from, 4 * first, 1e-3f);
}

TEST(RingRadii, KeepBreadthsThatAreFixedOrLeast) {
    const std::vector<float> outer =
        outerRadii({{.weight = 1e-6f, .least = 0.2f}, {.weight = 5, .breadth = 0.03f}, {.weight = 1}}, 0.1f, 0.05f, 1);
    EXPECT_NEAR(outer[0] - 0.1f, 0.2f, 1e-4f);
    EXPECT_NEAR(outer[1] - outer[0] - 0.05f, 0.03f, 1e-4f);
    EXPECT_NEAR(outer[2], 1, 1e-4f);
}

TEST(RingLayout, ALevelThatCanHardlyBeUsedIsSlimAndSaysSo) {
    TestStage stage("matmul:n=64", "desktop");
    View view;
    const Scene& scene = stage.at(1000, view);
    const RingLayout& layout = stage.layout();
    EXPECT_EQ(layout.isSlim, (std::vector<bool>{false, false, true}));
    EXPECT_GE(layout.levels[0].outer() - layout.levels[0].inner(), 0.18f * layout.unit);
    EXPECT_LT(layout.levels[2].outer() - layout.levels[2].inner(), 0.06f * layout.unit);
    EXPECT_TRUE(says(scene, "room for 524 288 blocks"));
    EXPECT_TRUE(says(scene, "the program touches 1 536"));

    view.rings = RingSizes::capacity;
    stage.at(1000, view);
    EXPECT_EQ(stage.layout().isSlim, (std::vector<bool>{false, false, false}));
    EXPECT_GT(areaOf(stage.layout().levels[2]), 4 * areaOf(stage.layout().levels[0]));
}

std::vector<float> outerOf(const RingLayout& layout) {
    std::vector<float> outer;
    for (const LevelRing& level : layout.levels) outer.push_back(level.outer() / layout.unit);
    return outer;
}

TEST(RingLayout, GrowsOutOfTheRingsOfAnotherMachine) {
    const std::vector<std::string> machines = {"paper", "1K/1/32", "1K/2/32, 4K/4/32", "256/1/32, 512/2/32, 8K/4/64"};
    for (const std::string& before : machines) {
        TestStage old("matmul:n=8", before);
        old.at(100, View{});
        for (const std::string& after : machines) {
            TestStage stage("matmul:n=8", after);
            stage.at(100, View{});
            const std::vector<float> last = outerOf(stage.layout());
            std::vector<float> now;
            View view;
            for (int step = 0; step <= 20; ++step) {
                view.growth = {outerOf(old.layout()), static_cast<float>(step) / 20};
                stage.at(100, view);
                const RingLayout& layout = stage.layout();
                const std::vector<float> next = outerOf(layout);
                float inner = layout.core / layout.unit;
                for (std::size_t l = 0; l < next.size(); ++l) {
                    EXPECT_GT(next[l], inner) << before << " to " << after << ", step " << step << ", level " << l;
                    EXPECT_NEAR(next[l], step == 0 ? next[l] : now[l], 0.06f) << "no jump";
                    inner = next[l];
                }
                EXPECT_LT(inner, layout.names / layout.unit);
                const std::size_t common = std::min(next.size(), view.growth.outer.size());
                if (step == 0 && common == next.size()) {
                    EXPECT_FLOAT_EQ(next.back(), view.growth.outer.back()) << "memory begins where it did";
                }
                now = next;
            }
            EXPECT_EQ(now, last);
        }
    }
}

TEST(LevelLabels, SayWhereThereIsNoRate) {
    TestStage stage("matmul:n=64", "desktop");
    const View view;
    EXPECT_TRUE(says(stage.at(0, view), "L3: no accesses yet"));
    EXPECT_TRUE(says(stage.at(100000, view), "L3: 0 hits of 713"));
    EXPECT_TRUE(says(stage.at(1000, view), "folded into"));
}

TEST(LevelLabels, ALevelOfVictimsSaysWhyItIsEmpty) {
    TestStage stage("matmul:n=64", "desktop");
    EXPECT_TRUE(says(stage.at(100000, View{}), "only what L2 evicts: nothing yet"));
    TestStage full("matmul:n=16", "4K/4/64, 8K/4/64, 64K/8/64");
    EXPECT_FALSE(says(full.at(1000, View{}), "nothing yet"));
}

/// Numbers do not stand apart from the words before them, and one set is not several.
TEST(LevelLabels, HaveNoHolesAndCountSets) {
    TestStage stage("bubblesort:n=32", "256/8/32, 1K/4/32");
    std::size_t rates = 0;
    for (double t = 1; t < stage.end(); t += 37) {
        for (const Label& label : stage.at(t, View{}).labels) {
            const std::string words = label.text.substr(0, label.text.find_last_not_of("\u2007") + 1);
            EXPECT_EQ(words.find("\u2007"), std::string::npos) << label.text;
            EXPECT_NE(label.text, "1 sets");
            rates += label.text.find("lately ") != std::string::npos ? 1u : 0u;
        }
    }
    EXPECT_GT(rates, 10u);
}

/// On the stage all text is large, the discs of the CPUs are not; each still has its number.
TEST(CpuNumbers, AreOnTheDiscsHoweverLargeOtherTextIs) {
    TestStage stage("vecadd:n=8", "128/8/16, 1K/8/16");
    View view;
    for (const float textScale : {1.0f, 1.6f, 2.5f}) {
        for (const glm::vec2 size : {glm::vec2(1280, 720), glm::vec2(1920, 1080), glm::vec2(1024, 768)}) {
            view.size = size;
            view.textScale = textScale;
            const Scene& scene = stage.at(20, view);
            for (std::uint32_t cpu = 0; cpu < 4; ++cpu) {
                const bool isThere = std::any_of(scene.labels.begin(), scene.labels.end(), [&](const Label& label) {
                    return label.isBare && label.text == std::to_string(cpu);
                });
                EXPECT_TRUE(isThere) << cpu << " at " << textScale;
            }
        }
    }
}

/// A glyph of an element has that element's name, not its block's.
TEST(GlyphNames, OfElementsDiffer) {
    TestStage stage("matmul:n=16");
    View view;
    view.grain = Grain::elements;
    view.zoom = 4;
    std::size_t names = 0;
    for (const double t : {3915.35, 4000.0}) {
        std::map<std::pair<std::size_t, std::string>, std::size_t> seen;
        const Scene& scene = stage.at(t, view);
        for (std::size_t i = 0; i < scene.labels.size(); ++i) {
            const Target& target = scene.labelTargets[i];
            if (target.kind != Target::Kind::line || scene.labels[i].text.find('[') == std::string::npos) continue;
            ++names;
            EXPECT_EQ(++seen[std::pair(std::size_t{target.level}, scene.labels[i].text)], 1u) << scene.labels[i].text;
        }
    }
    EXPECT_GT(names, 20u);
}

/// A verdict over the last accesses beside a rate over the run would contradict it.
TEST(LevelLabels, SayTheRateThatAVerdictIsAbout) {
    TestStage stage("mergesort:n=512", "paper");
    View view;
    std::size_t rates = 0;
    for (const bool compared : {false, true}) {
        view.compared = compared;
        for (const float width : {1280.0f, 640.0f, 480.0f, 320.0f}) {
            view.size = {width, 420};
            for (double t = 500; t < stage.end(); t += 997) {
                for (const Label& label : stage.at(t, view).labels) {
                    const bool tells =
                        label.text.find("lately") != std::string::npos && label.text.find("%") != std::string::npos;
                    rates += tells ? 1 : 0;
                    EXPECT_TRUE(tells || label.text.find("many ") == std::string::npos) << label.text;
                }
            }
        }
    }
    EXPECT_GT(rates, 100u);
}

/// Beside its ring, each level has its name, on any ground and before any audience.
TEST(LevelLabels, StandAlongTheirRings) {
    for (const bool isStage : {false, true}) {
        TestStage stage("matmul:n=16", "desktop");
        View view;
        view.stage = isStage;
        for (const glm::vec2 size :
             {glm::vec2(318, 423), glm::vec2(638, 463), glm::vec2(960, 700), glm::vec2(1080, 1080)}) {
            view.size = size;
            const Scene& scene = stage.at(3000, view);
            const auto& levels = stage.layout().levels;
            for (std::size_t l = 0; l < levels.size(); ++l) {
                const float end = l + 1 < levels.size() ? levels[l + 1].inner() : stage.layout().memory.inner;
                const std::string name = "L" + std::to_string(l + 1);
                EXPECT_TRUE(std::any_of(scene.labels.begin(), scene.labels.end(),
                                        [&](const Label& label) {
                                            const bool isBetween = label.at.x > levels[l].outer() && label.at.x < end;
                                            return label.kind == Label::Kind::curved && label.text.starts_with(name) &&
                                                   isBetween;
                                        }))
                    << name << " at " << size.x;
            }
        }
    }
}

/// What is written on a level does not step aside for each block that comes by.
TEST(LevelLabels, HoldStill) {
    for (const bool isStage : {false, true}) {
        TestStage stage("matmul:n=16", "paper");
        View view;
        view.stage = isStage;
        view.size = isStage ? glm::vec2(1080, 1080) : glm::vec2(650, 570);
        view.moveTicks = 0.8;
        view.pace = 2;
        std::map<std::string, std::set<float>> angles;
        for (double t = 1000; t < 1020; t += 0.1) {
            for (const Label& label : stage.at(t, view).labels) {
                if (label.kind == Label::Kind::curved && label.text.starts_with("L")) {
                    angles[label.text.substr(0, 2)].insert(std::round(20 * label.at.y));
                }
            }
        }
        for (const auto& [name, places] : angles) EXPECT_EQ(places.size(), 1u) << name << " on the stage: " << isStage;
    }
}

TEST(RingLayout, OnTheStageHasTheWholeHeight) {
    for (const char* machine : {"paper", "desktop", "coherence", "uncached"}) {
        TestStage stage("matmul:n=16", machine);
        View view;
        view.stage = true;
        for (const float side : {720.0f, 768.0f, 1080.0f}) {
            view.size = {side, side};
            stage.at(100, view);
            EXPECT_GE(2 * stage.layout().memory.outer, 0.92f * side) << machine;
        }
    }
}

/// 2 of a picture 1080 high.
TEST(RingLayout, OnTheStageNoLineIsThin) {
    for (const char* machine : {"paper", "coherence"}) {
        TestStage stage("matmul:n=16", machine);
        View view;
        view.stage = true;
        view.size = {1080, 1080};
        for (double t = 700; t < 720; t += 0.25) {
            const Scene& scene = stage.at(t, view);
            for (const Annulus& edge : scene.annuli) EXPECT_GE(edge.outer - edge.inner, 1.99f);
            for (const auto* strokes : {&scene.trails, &scene.threads, &scene.leaders}) {
                for (const Stroke& stroke : *strokes) EXPECT_GE(stroke.width, 2);
            }
            for (const auto* glyphs : {&scene.resting, &scene.moving}) {
                for (const Glyph& glyph : *glyphs) EXPECT_TRUE(glyph.rimWidth == 0 || glyph.rimWidth >= 2);
            }
        }
    }
}

/// Accesses of this many CPUs by turns.
sim::Trace byTurns(std::uint8_t cpus) {
    sim::TraceBuilder builder("by turns");
    for (std::uint64_t i = 0; i < 200; ++i) {
        sim::Access access;
        access.address = sim::ByteAddress{0x1000 + 8 * i};
        access.size = 8;
        access.cpu = static_cast<std::uint8_t>(i % cpus);
        builder.add(access);
    }
    return builder.finish();
}

TEST(CpuNumbers, AreReadFromAfar) {
    for (const std::uint8_t cpus : {2, 4, 8}) {
        auto machine = *sim::loadMachine("coherence");
        TestStage stage(byTurns(cpus), sim::withValue(machine, "cpus=" + std::to_string(cpus)).value());
        View view;
        view.stage = true;
        view.size = {1080, 1080};
        const Scene& scene = stage.at(50, view);
        std::size_t numbers = 0;
        for (std::size_t i = 0; i < scene.labels.size(); ++i) {
            if (scene.labelTargets[i].kind != Target::Kind::cpu) continue;
            ++numbers;
            EXPECT_GE(scene.labels[i].size, 24) << int{cpus};
        }
        EXPECT_EQ(numbers, std::size_t{cpus});
    }
}

TEST(LevelLabels, TellWhoseSectorIsWhose) {
    TestStage stage("windtunnel", "chiron-windtunnel");
    const Scene& scene = stage.at(1000, View{});
    for (int cpu = 0; cpu < 8; ++cpu) {
        const std::string name = "CPU " + std::to_string(cpu);
        EXPECT_TRUE(std::any_of(scene.labels.begin(), scene.labels.end(), [&](const Label& label) {
            return label.text.starts_with(name);
        })) << name;
    }
}

TEST(RegionLabels, AreNotCutWhereThereIsRoom) {
    TestStage stage("windtunnel", "chiron-windtunnel");
    View view;
    for (const glm::vec2 size : {glm::vec2(1280, 720), glm::vec2(1920, 1080)}) {
        view.size = size;
        for (const Label& label : stage.at(1000, view).labels) {
            EXPECT_EQ(label.text.find("…"), std::string::npos) << label.text;
        }
    }
}

TEST(RingLayout, TextStaysInProportionHoweverLargeItIsToBe) {
    TestStage stage("matmul:n=8", "paper");
    View view;
    view.size = {480, 320};
    view.textScale = 4;
    stage.at(100, view);
    EXPECT_LE(stage.layout().text, 0.2f * stage.layout().unit);
}

TEST(LevelLabels, NeverChangeTheWidthOfRates) {
    TestStage stage("matmul:n=8", "paper");
    const View view;
    std::vector<std::vector<std::size_t>> lengths;
    for (double t = 0; t < stage.end(); t += 13) {
        std::vector<std::size_t> now;
        const Scene& scene = stage.at(t, view);
        for (std::size_t i = 0; i < scene.labels.size(); ++i) {
            if (scene.labels[i].text.find(" hits ") == std::string::npos) continue;
            // Bytes of UTF-8 that begin a letter.
            const std::string& text = scene.labels[i].text;
            now.push_back(static_cast<std::size_t>(
                std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; })));
        }
        if (now.size() == 2) lengths.push_back(now);
    }
    ASSERT_GT(lengths.size(), 10u);
    for (const auto& now : lengths) EXPECT_EQ(now, lengths.front());
}

TEST(LevelRing, CellsOfLargeLevelsStandOutOnBothGrounds) {
    TestStage stage("mergesort:n=4000", "desktop");
    for (const Ground ground : {Ground::dark, Ground::light}) {
        View view;
        view.ground = ground;
        const Scene& scene = stage.at(stage.end() / 2, view);
        ASSERT_FALSE(scene.cells.empty());
        std::size_t drawn = 0;
        for (const Stroke& cell : scene.cells) {
            if (cell.colourA.a == 0) continue;
            ++drawn;
            EXPECT_EQ(cell.colourA.a, 255);
            EXPECT_GE(contrast(cell.colourA, scene.background), 3);
        }
        EXPECT_GT(drawn, 100u);
    }
}

TEST(GlyphNames, StandOnLargeGlyphsOnly) {
    TestStage stage("matmul:n=8", "paper");
    View view;
    const auto names = [&] {
        const Scene& scene = stage.at(stage.end() / 2, view);
        return std::count_if(scene.labels.begin(), scene.labels.end(),
                             [](const Label& label) { return label.text.find("][") != std::string::npos; });
    };
    EXPECT_EQ(names(), 0);
    view.zoom = 5;
    view.focus = {0.5f, 0};
    EXPECT_GT(names(), 3);
}

TEST(GlyphNames, LieWithinTheirGlyphs) {
    TestStage stage("matmul:n=16", "paper");
    View view = ofSize({1080, 1080});
    view.stage = true;
    std::size_t named = 0;
    for (double t = 1000; t < 4000; t += 500) {
        const Scene& scene = stage.at(t, view);
        for (std::size_t i = 0; i < scene.resting.size(); ++i) {
            const Glyph& glyph = scene.resting[i];
            for (const Label& label : scene.labels) {
                if (label.kind != Label::Kind::plain || label.at != glyph.at) continue;
                const glm::vec2 corner(widthOf(label.text, label.size) / 2, 0.36f * label.size);
                EXPECT_LE(glm::length(corner), glyph.radius + 0.01f) << label.text;
                ++named;
            }
        }
    }
    EXPECT_GT(named, 60u) << "neighbours, too";
}

TEST(GlyphNames, AreShortenedToWhatTellsBlocksOfAnObjectApart) {
    TestStage stage("vecadd:n=8", "128/8/16, 1K/8/16");
    View view = ofSize({1080, 1080});
    view.stage = true;
    const auto has = [&](const char* name) {
        const auto& labels = stage.at(30, view).labels;
        return std::any_of(labels.begin(), labels.end(), [&](const Label& label) { return label.text == name; });
    };
    EXPECT_TRUE(has("GS")) << "Global.GS";
    view.focus = {-0.4f, -0.7f};
    bool isThere = false;
    for (view.zoom = 1; view.zoom < 3; view.zoom += 0.25f) isThere |= has("+0x10");
    EXPECT_TRUE(isThere) << "Global.GS+0x10";
}

TEST(GlyphNames, LeaveTheMarkOfDirtyBlocksFree) {
    TestStage stage("matmul:n=8", "paper");
    View view;
    view.zoom = 8;
    view.focus = {0.3f, 0};
    std::size_t named = 0;
    for (double t = 0; t < stage.end(); t += stage.end() / 16) {
        const Scene& scene = stage.at(t, view);
        for (const Label& label : scene.labels) {
            if (label.text.find("][") == std::string::npos || label.kind != Label::Kind::plain) continue;
            for (std::size_t i = 0; i < scene.resting.size(); ++i) {
                const Glyph& glyph = scene.resting[i];
                const glm::vec2 off = label.at - glyph.at;
                if (glyph.coreRadius <= 0 || glm::length(off) > glyph.radius) continue;
                EXPECT_GE(off.y - 0.5f * label.size, glyph.coreRadius) << label.text;
                ++named;
            }
        }
    }
    EXPECT_GT(named, 3u);
}

TEST(Subject, OnALargeMachineWhatIsCachedStandsOut) {
    for (const auto& [machine, isLarge] :
         {std::pair("paper", false), std::pair("paper4", false), std::pair("desktop", true)}) {
        TestStage stage("matmul:n=16", machine);
        const View view;
        const Scene& scene = stage.at(1000, view);
        EXPECT_EQ(scene.legend.uncached, isLarge) << machine;
        std::vector<int> dim(2);
        std::vector<int> all(2);
        for (std::size_t i = 0; i < scene.resting.size(); ++i) {
            if (scene.restingTargets[i].kind != Target::Kind::slot) continue;
            const bool cached = stage.isCached(scene.restingTargets[i].address);
            ++all[cached ? 1 : 0];
            dim[cached ? 1 : 0] += scene.resting[i].fill.a < 200 ? 1 : 0;
        }
        EXPECT_EQ(dim[isLarge ? 0 : 1], all[isLarge ? 0 : 1]) << machine;
        EXPECT_EQ(dim[isLarge ? 1 : 0], 0) << machine;
        EXPECT_GT(all[0], 10);
        EXPECT_GT(all[1], 10);
    }
}

}  // namespace
}  // namespace whorl::scene
