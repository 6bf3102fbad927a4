// The rings while playing at 1280 x 720: making the scene alone, and whole frames, painted by the installed renderer
// and read back. `paper` is the scene of the paper; `large` has about 10 600 resting elements; `million` has caches of
// 32 KB, 1 MB and 8 MB and a million blocks of memory. The counter `rate` is frames per second; `elements` are the
// resting glyphs and cells of the scene.
#include <benchmark/benchmark.h>

#include <cstdlib>

#include "bench/bench_help.h"
#include "render/gl/frame.h"
#include "render/gl/offscreen_context.h"
#include "render/gl/painter.h"
#include "scene/rings/stage.h"
#include "sim/trace/reader.h"
#include "sim/trace/trace_builder.h"

namespace whorl {
namespace {

constexpr int kWidth = 1280;
constexpr int kHeight = 720;

/// Streams, loops and jumps over 64 MB.
sim::Trace millionBlocks() {
    constexpr std::uint64_t kMega = std::uint64_t{1} << 20;
    sim::TraceBuilder builder("million");
    builder.addRegion(
        {.name = "mesh", .base = sim::ByteAddress{1u << 28}, .size = 32 * kMega, .elementSize = 8, .rows = 4 * kMega});
    builder.addRegion(
        {.name = "field", .base = sim::ByteAddress{2u << 28}, .size = 16 * kMega, .elementSize = 8, .rows = 2 * kMega});
    builder.addRegion(
        {.name = "index", .base = sim::ByteAddress{3u << 28}, .size = 16 * kMega, .elementSize = 4, .rows = 4 * kMega});
    std::uint64_t random = 1;
    for (std::uint64_t i = 0; i < 600'000; ++i) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        const std::uint64_t draw = random >> 33;
        sim::Access access;
        access.size = 8;
        access.op = draw % 4 == 0 ? sim::Op::write : sim::Op::read;
        switch (draw % 5) {
            case 0:
            case 1:
                access.address = sim::ByteAddress{(1u << 28) + i * 64 % (32 * kMega)};
                break;
            case 2:
                access.address = sim::ByteAddress{(2u << 28) + i * 64 % (16 * kMega)};
                break;
            case 3:
                access.address = sim::ByteAddress{(3u << 28) + draw * 64 % (16 * kMega)};
                break;
            default:
                access.address = sim::ByteAddress{(1u << 28) + draw * 64 % (4 * kMega)};
        }
        builder.add(access);
    }
    return builder.finish();
}

/// Loops over `blocks` blocks; every third access is to a random one.
sim::Trace streamOver(std::uint64_t blocks) {
    sim::TraceBuilder builder("stream");
    builder.addRegion({.name = "array",
                       .base = sim::ByteAddress{1u << 28},
                       .size = blocks * 64,
                       .elementSize = 8,
                       .rows = blocks * 8});
    std::uint64_t random = 1;
    for (std::uint64_t i = 0; i < 300'000; ++i) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        const std::uint64_t block = i % 3 == 0 ? (random >> 33) % blocks : i % blocks;
        builder.add({.address = sim::ByteAddress{(1u << 28) + block * 64},
                     .size = 8,
                     .op = i % 4 == 0 ? sim::Op::write : sim::Op::read});
    }
    return builder.finish();
}

scene::TestStage& paper() {
    static scene::TestStage stage("matmul:n=16", "paper");
    return stage;
}

/// 512 + 4096 blocks in caches and 24 000 in memory, of which neighbours share a slot.
scene::TestStage& large() {
    static scene::TestStage stage(streamOver(24'000), *sim::loadMachine("32K/8/64, 256K/8/64"));
    return stage;
}

scene::TestStage& million() {
    static scene::TestStage stage(millionBlocks(), *sim::loadMachine("32K/8/64, 1M/16/64, 8M/16/64"));
    return stage;
}

/// A sort on a laptop's caches; a trace file of WHORL_BENCH_TRACE in its place.
scene::TestStage& laptop() {
    static scene::TestStage stage = [] {
        const char* path = std::getenv("WHORL_BENCH_TRACE");
        sim::Progress progress;
        sim::Trace trace = path ? orExit(sim::readTrace(path, {}, progress)) : sim::test::ran("mergesort:n=50000");
        return scene::TestStage(std::move(trace), *sim::loadMachine("laptop"));
    }();
    return stage;
}

/// Plays at a pace in accesses per second, displayed at 60 frames per second.
class Playing {
  public:
    Playing(scene::TestStage& stage, double pace, double from)
        : stage_(stage), step_(pace / 60), t_(from), from_(from) {
        view_.size = {kWidth, kHeight};
        view_.pace = pace;
        view_.moveTicks = scene::moveTicksAt(pace);
        view_.lapse = pace > 120 ? static_cast<std::uint64_t>(pace / 60) : 1;
        next();
    }
    const sim::Snapshot& snapshot() {
        t_ = t_ + step_ < stage_.end() ? t_ + step_ : from_;
        return stage_.snapshot(t_, view_);
    }
    const scene::Scene& next() { return stage_.draw(snapshot(), view_); }
    const scene::View& view() const { return view_; }

  private:
    scene::TestStage& stage_;
    scene::View view_;
    double step_;
    double t_;
    double from_;
};

void makeScene(benchmark::State& state, scene::TestStage& (*of)(), double pace) {
    scene::TestStage& stage = of();
    Playing playing(stage, pace, stage.end() / 2);
    for (auto _ : state) {
        state.PauseTiming();
        const sim::Snapshot& snapshot = playing.snapshot();
        state.ResumeTiming();
        benchmark::DoNotOptimize(&stage.draw(snapshot, playing.view()));
    }
    const scene::Scene& last = playing.next();
    state.counters["elements"] = static_cast<double>(last.resting.size() + last.cells.size());
}

struct Screen {
    std::unique_ptr<gl::OffscreenContext> context = orExit(gl::OffscreenContext::create());
    std::unique_ptr<gl::Painter> painter = orExit(gl::Painter::create());
    std::unique_ptr<gl::Frame> frame = orExit(gl::Frame::create(kWidth, kHeight));
    std::vector<std::byte> pixels = std::vector<std::byte>(frame->bytes());
};

Screen& screen() {
    static Screen s = [] {
        keepFreedMemory();
        Screen made;
        made.frame->bind();
        return made;
    }();
    return s;
}

void frames(benchmark::State& state, scene::TestStage& (*of)(), double pace) {
    scene::TestStage& stage = of();
    Screen& s = screen();
    Playing playing(stage, pace, stage.end() / 2);
    for (auto _ : state) {
        s.painter->paint(playing.next(), {0, 0, kWidth, kHeight}, kHeight);
        s.frame->read(s.pixels);
        benchmark::DoNotOptimize(s.pixels.data());
    }
    state.counters["rate"] = benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

/// Calibrates for the machine.
void emptyFrame(benchmark::State& state) {
    Screen& s = screen();
    for (auto _ : state) {
        gl::clear(scene::hex(0x0B0E14), kWidth, kHeight);
        s.frame->read(s.pixels);
    }
}

#define WHORL_SCENES(stage, pace) \
    BENCHMARK_CAPTURE(makeScene, stage##_##pace, stage, double{pace})->Unit(benchmark::kMicrosecond)
// The renderer has threads of its own, so wall-clock time and the work of the whole process count.
#define WHORL_FRAMES(stage, pace)                                  \
    BENCHMARK_CAPTURE(frames, stage##_##pace, stage, double{pace}) \
        ->Unit(benchmark::kMillisecond)                            \
        ->MeasureProcessCPUTime()                                  \
        ->UseRealTime()

WHORL_SCENES(paper, 30);
WHORL_SCENES(paper, 600);
WHORL_SCENES(large, 30);
WHORL_SCENES(large, 600);
WHORL_SCENES(laptop, 30);
WHORL_SCENES(laptop, 600);
WHORL_SCENES(laptop, 20000);
WHORL_SCENES(million, 30);
WHORL_SCENES(million, 600);
WHORL_SCENES(million, 60000);
BENCHMARK(emptyFrame)->Unit(benchmark::kMillisecond)->UseRealTime();
WHORL_FRAMES(paper, 30);
WHORL_FRAMES(paper, 600);
WHORL_FRAMES(large, 30);
WHORL_FRAMES(large, 600);
WHORL_FRAMES(laptop, 30);
WHORL_FRAMES(laptop, 600);
WHORL_FRAMES(laptop, 20000);
WHORL_FRAMES(million, 30);
WHORL_FRAMES(million, 600);
WHORL_FRAMES(million, 60000);

}  // namespace
}  // namespace whorl
