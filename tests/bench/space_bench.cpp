// How long a frame of 1280 x 720 of a view in space takes while it turns: making the scene, painting it and reading it
// back; and how long it takes to find what is under the pointer.
#include <benchmark/benchmark.h>

#include <memory>
#include <random>
#include <vector>

#include "bench/bench_help.h"
#include "render/gl/frame.h"
#include "render/gl/offscreen_context.h"
#include "render/gl/space_painter.h"
#include "render/scene/space/block_pick.h"
#include "render/scene/space/block_scene.h"
#include "render/scene/space/folded_graph.h"
#include "render/scene/space/folded_scene.h"

namespace whorl {
namespace {

constexpr int kWidth = 1280;
constexpr int kHeight = 720;

/// One context for all the benchmarks, and a framebuffer.
struct Stage {
    std::unique_ptr<gl::OffscreenContext> context;
    std::unique_ptr<gl::SpacePainter> painter;
    std::unique_ptr<gl::Frame> frame;
    std::vector<std::byte> pixels;
};

Stage& stage() {
    static Stage s = [] {
        keepFreedMemory();
        Stage made;
        made.context = orExit(gl::OffscreenContext::create());
        made.painter = orExit(gl::SpacePainter::create());
        made.frame = orExit(gl::Frame::create(kWidth, kHeight));
        made.pixels.resize(made.frame->bytes());
        made.frame->bind();
        return made;
    }();
    return s;
}

void show(const scene::SpaceScene& scene) {
    Stage& s = stage();
    s.painter->paint(scene, {0, 0, kWidth, kHeight}, kHeight);
    s.frame->read(s.pixels);
    benchmark::DoNotOptimize(s.pixels.data());
}

/// Nodes with a cost distribution as in real programs: few cost much.
const scene::FoldedGraph& graph(std::size_t count) {
    static std::vector<std::unique_ptr<scene::FoldedGraph>> graphs;
    for (const auto& g : graphs) {
        if (g->size() == count) return *g;
    }
    std::mt19937 random(7);
    std::vector<sim::CostNode> nodes(count);
    for (std::size_t i = 0; i < count; ++i) {
        nodes[i].address = sim::ByteAddress{0x1000 + 4 * i};
        nodes[i].cycles = 1'000'000 / (1 + random() % 1000) + random() % 500;
    }
    graphs.push_back(std::make_unique<scene::FoldedGraph>(nodes, scene::NodeOrder::address));
    return *graphs.back();
}

/// `blocks` blocks, each with `stays` stays, that migrate between eight caches over ten million cycles.
const sim::HistoryLevel& level(std::uint32_t blocks, std::uint32_t stays) {
    static std::vector<std::unique_ptr<sim::HistoryLevel>> levels;
    for (const auto& l : levels) {
        if (l->blocks.size() == blocks && l->stays.size() == std::size_t{blocks} * stays) return *l;
    }
    auto l = std::make_unique<sim::HistoryLevel>();
    l->caches = 8;
    std::mt19937 random(11);
    const sim::Cycles each = 10'000'000 / (stays / 8);
    for (std::uint32_t b = 0; b < blocks; ++b) {
        l->blocks.push_back({sim::BlockAddress{0x400 + b}, random() % 100'000, b * stays});
        for (std::uint32_t i = 0; i < stays; ++i) {
            sim::Stay stay;
            stay.block = b;
            stay.cache = static_cast<std::uint8_t>(i / (stays / 8));
            stay.cpu = stay.cache;
            stay.from = i % (stays / 8) * each + random() % (each / 2);
            stay.to = stay.from + 1 + random() % (each / 2);
            stay.leaving = random() % 2 == 0 ? sim::Leaving::invalidated : sim::Leaving::replaced;
            l->stays.push_back(stay);
        }
    }
    levels.push_back(std::move(l));
    return *levels.back();
}

void foldedFrame(benchmark::State& state) {
    const scene::FoldedGraph& g = graph(static_cast<std::size_t>(state.range(0)));
    scene::FoldedLook look;
    look.camera = homeCamera(g, look);
    for (auto _ : state) {
        look.camera.turn({4, 0}, look.size);
        show(foldedScene(g, look));
    }
    state.counters["tiles"] = static_cast<double>(foldedScene(g, look).surface.nodes.size());
}

void foldedPick(benchmark::State& state) {
    const scene::FoldedGraph& g = graph(static_cast<std::size_t>(state.range(0)));
    scene::FoldedLook look;
    look.camera = homeCamera(g, look);
    const scene::SpaceScene scene = foldedScene(g, look);
    float x = 0;
    for (auto _ : state) {
        x += 1;
        benchmark::DoNotOptimize(pickNode(scene, {300 + static_cast<int>(x) % 680, 360}));
    }
}

void blockFrame(benchmark::State& state, scene::BlockLook::Draw draw) {
    const scene::BlockView view(
        level(static_cast<std::uint32_t>(state.range(0)), static_cast<std::uint32_t>(state.range(1))), 0, 10'000'000,
        scene::BlockOrder::cost);
    scene::BlockLook look;
    look.draw = draw;
    look.camera = homeCamera(view, look, scene::blockCamera(1));
    float way = 4;
    for (auto _ : state) {
        look.camera.turn({way, 0}, look.size);
        way = -way;
        show(blockScene(view, look));
    }
    const scene::SpaceScene scene = blockScene(view, look);
    state.counters["boxes"] = static_cast<double>(scene.boxes.size());
    state.counters["faces"] = static_cast<double>(scene.faces.size());
    state.counters["lines"] = static_cast<double>(scene.segments.size());
    state.counters["points"] = static_cast<double>(scene.points.size());
}

void blockSceneOnly(benchmark::State& state) {
    const scene::BlockView view(level(100, 1000), 0, 10'000'000, scene::BlockOrder::cost);
    scene::BlockLook look;
    look.camera = homeCamera(view, look, scene::blockCamera(1));
    for (auto _ : state) benchmark::DoNotOptimize(blockScene(view, look));
}

void blockPick(benchmark::State& state) {
    const scene::BlockView view(level(100, 1000), 0, 10'000'000, scene::BlockOrder::cost);
    scene::BlockLook look;
    look.camera = homeCamera(view, look, scene::blockCamera(1));
    int x = 0;
    for (auto _ : state) {
        ++x;
        benchmark::DoNotOptimize(pickStay(view, look, {200 + x % 880, 100 + x % 520}));
    }
}

void restingFrame(benchmark::State& state) {
    const scene::FoldedGraph& g = graph(1'000'000);
    scene::FoldedLook look;
    look.camera = homeCamera(g, look);
    const scene::SpaceScene scene = foldedScene(g, look);
    for (auto _ : state) show(scene);
}

// The renderer has threads of its own, so wall-clock time and the work of the whole process count.
#define WHORL_FRAME(...) BENCHMARK(__VA_ARGS__)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime()
#define WHORL_BLOCKS(draw)                                            \
    BENCHMARK_CAPTURE(blockFrame, draw, scene::BlockLook::Draw::draw) \
        ->Unit(benchmark::kMillisecond)                               \
        ->MeasureProcessCPUTime()                                     \
        ->UseRealTime()                                               \
        ->Args({100, 1000})                                           \
        ->Args({1000, 96})

WHORL_FRAME(restingFrame);
WHORL_FRAME(foldedFrame)->Arg(200)->Arg(20'000)->Arg(1'000'000);
WHORL_BLOCKS(automatic);
WHORL_BLOCKS(boxes);
WHORL_BLOCKS(lines);
WHORL_BLOCKS(points);
WHORL_BLOCKS(faces);
BENCHMARK(blockSceneOnly)->Unit(benchmark::kMillisecond);
BENCHMARK(foldedPick)->Arg(20'000)->Arg(1'000'000)->Unit(benchmark::kMicrosecond);
BENCHMARK(blockPick)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace whorl
