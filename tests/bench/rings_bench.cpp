// The rings as they are played at 1280 x 720: choreography alone, and whole frames painted by whatever renderer there
// is and read back. `paper` is the paper's scene, `million` caches of 32 KB, 1 MB and 8 MB before a million blocks.
// The counter `rate` is frames a second.
#include <benchmark/benchmark.h>
#include <malloc.h>

#include <cstdio>
#include <cstdlib>

#include "render/gl/frame.h"
#include "render/gl/offscreen_context.h"
#include "render/gl/painter.h"
#include "scene/rings/stage.h"
#include "sim/trace/trace_builder.h"

namespace whorl {
namespace {

constexpr int kWidth = 1280;
constexpr int kHeight = 720;

template <class T>
T orExit(sim::Expected<T> made) {
    if (!made) {
        std::fprintf(stderr, "%s\n", made.error().sentence().c_str());
        std::exit(1);
    }
    return std::move(*made);
}

/// Streams, loops and leaps over 64 MB.
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

scene::TestStage& paper() {
    static scene::TestStage stage("matmul:n=16", "paper");
    return stage;
}

scene::TestStage& million() {
    static scene::TestStage stage(millionBlocks(), *sim::loadMachine("32K/8/64, 1M/16/64, 8M/16/64"));
    return stage;
}

/// Plays on at a pace of so many accesses a second, seen at 60 frames a second.
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

void choreography(benchmark::State& state, scene::TestStage& (*of)(), double pace) {
    scene::TestStage& stage = of();
    Playing playing(stage, pace, stage.end() / 2);
    for (auto _ : state) {
        state.PauseTiming();
        const sim::Snapshot& snapshot = playing.snapshot();
        state.ResumeTiming();
        benchmark::DoNotOptimize(&stage.draw(snapshot, playing.view()));
    }
}

struct Screen {
    std::unique_ptr<gl::OffscreenContext> context = orExit(gl::OffscreenContext::create());
    std::unique_ptr<gl::Painter> painter = orExit(gl::Painter::create());
    std::unique_ptr<gl::Frame> frame = orExit(gl::Frame::create(kWidth, kHeight));
    std::vector<std::byte> pixels = std::vector<std::byte>(frame->bytes());
};

Screen& screen() {
    static Screen s = [] {
        // As the program does: llvmpipe frees its bins after every frame, and would pay for fresh pages in the next.
        mallopt(M_MMAP_THRESHOLD, 256 << 20);
        mallopt(M_TRIM_THRESHOLD, 512 << 20);
        mallopt(M_TOP_PAD, 16 << 20);
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

/// The yardstick for the machine.
void emptyFrame(benchmark::State& state) {
    Screen& s = screen();
    for (auto _ : state) {
        gl::clear(scene::hex(0x0B0E14), kWidth, kHeight);
        s.frame->read(s.pixels);
    }
}

BENCHMARK_CAPTURE(choreography, paper_30, paper, 30.0)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(choreography, paper_600, paper, 600.0)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(choreography, million_30, million, 30.0)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(choreography, million_600, million, 600.0)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(choreography, million_60000, million, 60000.0)->Unit(benchmark::kMicrosecond);
BENCHMARK(emptyFrame)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(frames, paper_30, paper, 30.0)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(frames, paper_600, paper, 600.0)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(frames, million_30, million, 30.0)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(frames, million_600, million, 600.0)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(frames, million_60000, million, 60000.0)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace whorl
