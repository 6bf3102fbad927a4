// How long a frame of a view of cells takes at 1280 x 720 in software, for a trace that touches a million blocks spread
// over a gigabyte: unchanged, as the baseline; while it is panned and zoomed; and while it plays. The program draws
// 60 frames a second if a frame takes at most 16.7 ms.
#include <benchmark/benchmark.h>

#include <memory>
#include <string>

#include "app/export/offscreen_renderer.h"
#include "bench/bench_help.h"
#include "sim/machine/machine_config.h"
#include "sim/trace/trace_builder.h"

namespace whorl::app {
namespace {

constexpr std::uint64_t kBlocks = std::uint64_t{1} << 20;
constexpr std::uint64_t kApart = 1024;  ///< bytes from a block to the next: a gigabyte in all

/// Two sweeps, the second in another order.
const Opened& gigabyte() {
    static const Opened opened = [] {
        sim::TraceBuilder trace("a gigabyte");
        for (const std::uint64_t factor : {std::uint64_t{1}, std::uint64_t{5}}) {
            for (std::uint64_t i = 0; i < kBlocks; ++i) {
                const std::uint64_t block = i * factor % kBlocks;
                const sim::ByteAddress at{0x1000'0000 + block * kApart + block % 16 * 64};
                trace.add(sim::Access{.address = at, .size = 8});
            }
        }
        Opened made;
        auto accesses = std::make_shared<const sim::Trace>(std::move(trace).finish());
        made.memorySlots = std::make_shared<const scene::MemorySlots>(*accesses, 64);
        made.regionLooks = std::make_shared<const scene::RegionLooks>(*accesses);
        made.run = std::make_shared<sim::Run>(std::move(accesses), orExit(sim::parseGeometry("32K/8/64, 1M/16/64")));
        sim::Progress progress;
        made.run->build(progress);
        return made;
    }();
    return opened;
}

/// A stage, and a session with one view on it.
struct Frames {
    explicit Frames(const std::string& word)
        : stage(orExit(OffscreenRenderer::create(1280, 720, scene::Ground::dark, 1))) {
        keepFreedMemory();
        session.opened = gigabyte();
        session.panels = false;
        const ViewId view = *viewNamed(word, session.opened.run->machine());
        session.viewSettings.shown = {view};
        session.viewSettings.active = view;
        session.player.seek(session.end(), session.end());
        draw();
    }
    CellChoice& choice() { return session.viewSettings.cells[session.viewSettings.active]; }
    void draw() { benchmark::DoNotOptimize(stage->draw(session, scene::View::kAtRest).data()); }

    std::unique_ptr<OffscreenRenderer> stage;
    Session session;
};

void unchanged(benchmark::State& state) {
    Frames frames("memory");
    for (auto _ : state) frames.draw();
}

/// The scale is the argument: pixels of a cell, or, negative, how often 2 x 2 cells are folded into one.
scene::CellScale scaleOf(std::int64_t argument) {
    return argument > 0 ? scene::CellScale{static_cast<int>(argument), 0}
                        : scene::CellScale{1, static_cast<int>(-argument)};
}

void panned(benchmark::State& state) {
    Frames frames("memory");
    int down = 0;
    for (auto _ : state) {
        down = (down + 7) % 2000;
        frames.choice().sight = CellSight{scaleOf(state.range(0)), {down / 2, down}};
        frames.draw();
    }
}

/// From everything to single cells and back.
void zoomed(benchmark::State& state) {
    Frames frames("memory");
    scene::CellScale scale{1, 5};
    bool isInward = true;
    for (auto _ : state) {
        scale = isInward ? scale.larger() : scale.smaller();
        if (scale.pixels >= 32 || scale.fold >= 5) isInward = !isInward;
        frames.choice().sight = CellSight{scale, {0, 300}};
        frames.draw();
    }
}

void playing(benchmark::State& state) {
    Frames frames("memory-live");
    frames.choice().halfLife = static_cast<double>(state.range(0));
    double at = 1'000'000;
    for (auto _ : state) {
        at += 37.5;
        frames.session.player.seek(at, frames.session.end());
        frames.draw();
    }
}

BENCHMARK(unchanged)->Unit(benchmark::kMillisecond);
BENCHMARK(panned)->Arg(-3)->Arg(0)->Arg(4)->Arg(16)->Unit(benchmark::kMillisecond);
BENCHMARK(zoomed)->Unit(benchmark::kMillisecond);
BENCHMARK(playing)->Arg(200)->Arg(20'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace whorl::app
