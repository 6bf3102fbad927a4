// How long a frame of 1280 x 720 takes: painting it and reading it back. The names say what changes from frame to
// frame. The first, an empty frame, calibrates for the machine.
#include <benchmark/benchmark.h>

#include <cmath>
#include <memory>
#include <numbers>
#include <span>
#include <vector>

#include "bench/bench_help.h"
#include "render/gl/frame.h"
#include "render/gl/offscreen_context.h"
#include "render/gl/painter.h"
#include "render/gl/tiles.h"

namespace whorl {
namespace {

constexpr int kWidth = 1280;
constexpr int kHeight = 720;

/// One context for all the benchmarks, and a framebuffer.
struct Stage {
    std::unique_ptr<gl::OffscreenContext> context;
    std::unique_ptr<gl::Painter> painter;
    std::unique_ptr<gl::Frame> frame;
    std::vector<std::byte> pixels;
};

Stage& stage() {
    static Stage s = [] {
        keepFreedMemory();
        Stage made;
        made.context = orExit(gl::OffscreenContext::create());
        made.painter = orExit(gl::Painter::create());
        made.frame = orExit(gl::Frame::create(kWidth, kHeight));
        made.pixels.resize(made.frame->bytes());
        made.frame->bind();
        return made;
    }();
    return s;
}

void show(const scene::Scene& scene) {
    Stage& s = stage();
    s.painter->paint(scene, {0, 0, kWidth, kHeight}, kHeight);
    s.frame->read(s.pixels);
    benchmark::DoNotOptimize(s.pixels.data());
}

glm::vec2 polar(glm::vec2 centre, float radius, float angle) {
    return centre + radius * glm::vec2(std::cos(angle), std::sin(angle));
}

/// Ground: soft discs for two levels, circles, and `ribbons` arms of a spiral.
scene::Scene ground(int ribbons) {
    scene::Scene s;
    s.size = {kWidth, kHeight};
    s.centre = {kWidth / 2, kHeight / 2};
    s.background = scene::hex(0x0B0E14);
    const scene::Rgba blue = scene::hex(0x1B3A8A);
    for (const float inner : {25.0F, 130.0F}) {
        s.annuli.push_back({inner, inner + 20, scene::hex(0x1B3A8A, 0), blue});
        s.annuli.push_back({inner + 20, inner + 70, blue, blue});
        s.annuli.push_back({inner + 70, inner + 90, blue, scene::hex(0x1B3A8A, 0)});
    }
    for (const float r : {120.0F, 225.0F, 340.0F}) {
        s.annuli.push_back({r, r + 1, scene::hex(0xFFFFFF, 60), scene::hex(0xFFFFFF, 60)});
    }
    for (int i = 0; i < ribbons; ++i) {
        scene::Ribbon ribbon{.path = {}, .width = 14, .colour = scene::hex(0xFFFFFF, 18)};
        const float start = 2 * std::numbers::pi_v<float> * static_cast<float>(i) / static_cast<float>(ribbons);
        for (int k = 0; k <= 48; ++k) {
            const auto u = static_cast<float>(k) / 48;
            ribbon.path.push_back(polar(s.centre, 30 + u * 190, start + 2 * u));
        }
        s.ribbons.push_back(std::move(ribbon));
    }
    return s;
}

/// `count` glyphs in circles, of radius `small` to `large`, in eight hues; every third one is a ghost.
void addGlyphs(scene::Scene& s, int count, float small, float large) {
    constexpr std::uint32_t kHues[] = {0xF3EF55, 0xC64C9A, 0x78FFFF, 0xC09CFE, 0xF69518, 0x307AED, 0x887B29, 0x18C59D};
    for (int i = 0; i < count; ++i) {
        const float u = static_cast<float>(i) / static_cast<float>(count);
        scene::Glyph g;
        g.at = polar(s.centre, 30 + 310 * std::sqrt(u), static_cast<float>(i) * 2.399963F);
        g.radius = small + (large - small) * static_cast<float>(i % 16) / 15;
        g.fill = scene::hex(kHues[i / 64 % 8], i % 3 == 0 ? 56 : 255);
        if (i % 3 == 0) {
            g.rim = scene::hex(kHues[i / 64 % 8], 115);
            g.rimWidth = 1;
        }
        s.resting.push_back(g);
    }
}

/// A few glyphs moving at time `t`, with their trails.
void addMotion(scene::Scene& s, int t) {
    s.moving.clear();
    s.trails.clear();
    for (int i = 0; i < 12; ++i) {
        const auto angle = static_cast<float>(t) * 0.05F + static_cast<float>(i) * 0.4F;
        const glm::vec2 here = polar(s.centre, 180, angle);
        s.moving.push_back({.at = here, .radius = 7, .fill = scene::hex(0xFF7A66), .rim = {}, .glow = 1});
        glm::vec2 last = polar(s.centre, 180, angle - 0.6F);
        for (int k = 1; k <= 12; ++k) {
            const glm::vec2 next = polar(s.centre, 180, angle - 0.6F + 0.05F * static_cast<float>(k));
            s.trails.push_back({last, next, 2, scene::hex(0xFF7A66, static_cast<std::uint8_t>(15 * (k - 1))),
                                scene::hex(0xFF7A66, static_cast<std::uint8_t>(15 * k))});
            last = next;
        }
    }
}

void emptyFrame(benchmark::State& state) {
    Stage& s = stage();
    for (auto _ : state) {
        gl::clear(scene::hex(0x0B0E14), kWidth, kHeight);
        s.frame->read(s.pixels);
    }
}

/// The cost of finding that nothing changed.
void compareResting(benchmark::State& state) {
    scene::Scene before = ground(0);
    addGlyphs(before, 30000, 1.5F, 3);
    const scene::Scene after = before;
    using List = std::span<const scene::Glyph>;
    for (auto _ : state) {
        benchmark::DoNotOptimize(gl::compare(List(before.resting), List(after.resting), 100, [](const auto&) {}));
    }
}

/// What changes from one frame to the next.
enum class Change { motion, fewBlocks, temperature, everything };

void play(benchmark::State& state, scene::Scene s, Change change) {
    const std::vector<scene::Glyph> restingFirst = s.resting;
    int t = 0;
    for (auto _ : state) {
        ++t;
        addMotion(s, t);
        const auto step = static_cast<std::size_t>(t);
        if (change == Change::fewBlocks) {
            // Four sets of eight blocks move by one place.
            s.resting = restingFirst;
            for (std::size_t set = 0; set < 4; ++set) {
                for (std::size_t k = 0; k < 8; ++k) {
                    s.resting[(step * 577 + set * 7919 + k) % s.resting.size()].fill = scene::hex(0xFFFFFF);
                }
            }
        }
        if (change == Change::temperature) s.annuli[1].innerColour.b = static_cast<std::uint8_t>(100 + t % 50);
        if (change == Change::everything) s.centre.x = kWidth / 2 + static_cast<float>(t % 7);
        if (change == Change::everything) s.resting[step % s.resting.size()].at.x += 1;
        if (change == Change::everything) {
            for (scene::Glyph& g : s.resting) g.at.y += t % 2 == 0 ? 1.0F : -1.0F;
            for (scene::Stroke& c : s.cells) c.a.y += t % 2 == 0 ? 1.0F : -1.0F;
        }
        show(s);
    }
}

void smallScene(benchmark::State& state, Change change) {
    scene::Scene s = ground(60);
    addGlyphs(s, 300, 5, 8);
    play(state, std::move(s), change);
}

void largeScene(benchmark::State& state, Change change) {
    scene::Scene s = ground(64);
    addGlyphs(s, 30000, 1.5F, 3);
    play(state, std::move(s), change);
}

void manyCells(benchmark::State& state, Change change) {
    scene::Scene s = ground(0);
    addGlyphs(s, 300, 2, 3);
    for (int i = 0; i < 17000; ++i) {
        const auto angle = static_cast<float>(i % 1024) * 2 * std::numbers::pi_v<float> / 1024;
        const float radius = 110 + 6.5F * static_cast<float>(i / 1024 * 2);
        const scene::Rgba colour = i % 2 == 0 ? scene::hex(0xF69518) : scene::hex(0x307AED);
        s.cells.push_back(
            {polar(s.centre, radius, angle), polar(s.centre, radius + 10, angle + 0.02F), 1.1F, colour, colour});
    }
    play(state, std::move(s), change);
}

// The renderer has threads of its own, so wall-clock time and the work of the whole process count.
#define WHORL_FRAMES(scene, change)                  \
    BENCHMARK_CAPTURE(scene, change, Change::change) \
        ->Unit(benchmark::kMillisecond)              \
        ->MeasureProcessCPUTime()                    \
        ->UseRealTime()

BENCHMARK(compareResting)->Unit(benchmark::kMicrosecond);
BENCHMARK(emptyFrame)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();
WHORL_FRAMES(smallScene, motion);
WHORL_FRAMES(smallScene, temperature);
WHORL_FRAMES(smallScene, everything);
WHORL_FRAMES(largeScene, motion);
WHORL_FRAMES(largeScene, fewBlocks);
WHORL_FRAMES(largeScene, temperature);
WHORL_FRAMES(largeScene, everything);
WHORL_FRAMES(manyCells, motion);
WHORL_FRAMES(manyCells, everything);

}  // namespace
}  // namespace whorl
