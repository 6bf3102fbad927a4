// How long a user waits for Chiron's views: from a trace file to the first picture of all of them, for the history of a
// run, and for a run with another memory layout.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>

#include "app/export/offscreen_renderer.h"
#include "app/tasks/opening.h"
#include "bench/bench_help.h"
#include "sim/analysis/history_of.h"
#include "sim/replay/replay.h"
#include "sim/report/chiron_writer.h"

namespace whorl::app {
namespace {

Opened opened(const std::string& input) {
    sim::Progress progress;
    return orExit(open({.input = input, .machine = "", .reading = {}}, nullptr, progress));
}

/// A wind tunnel that runs twice as long, in Chiron's format: about 16 MB. Removed at exit.
class ChironFile {
  public:
    ChironFile() : path_(std::filesystem::temp_directory_path() / ("whorl-viewSettings-" + std::to_string(getpid()))) {
        sim::Progress progress;
        const Opened run = opened("windtunnel:steps=6");
        if (const auto done = sim::writeChiron(run.run->trace(), run.run->machine(), path_, progress); !done) {
            std::fprintf(stderr, "%s\n", done.error().sentence().c_str());
            std::exit(1);
        }
    }
    ~ChironFile() {
        std::error_code ignored;
        std::filesystem::remove(path_, ignored);
        std::filesystem::remove(path_ + ".files", ignored);
    }
    ChironFile(const ChironFile&) = delete;
    ChironFile& operator=(const ChironFile&) = delete;

    const std::string& path() const { return path_; }

  private:
    std::string path_;
};

const std::string& chironFile() {
    static const ChironFile file;
    return file.path();
}

class Watch {
  public:
    /// Milliseconds since the last call.
    double lap() {
        const auto now = std::chrono::steady_clock::now();
        const double passed = std::chrono::duration<double, std::milli>(now - last_).count();
        last_ = now;
        return passed;
    }

  private:
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

/// From the file to a picture of 1280 x 720 with the views of sources, of objects and of both levels, as in the
/// program: read, and drawn from the recording while another thread simulates it. The counters give the milliseconds of
/// each part.
void firstFrame(benchmark::State& state) {
    keepFreedMemory();
    const std::string& path = chironFile();
    double read = 0;
    double drawn = 0;
    for (auto _ : state) {
        state.PauseTiming();
        const auto stage = orExit(OffscreenRenderer::create(1280, 720, scene::Ground::dark, 1));
        state.ResumeTiming();
        Watch watch;
        sim::Progress progress;
        Session session;
        session.opened = opened(path);
        read += watch.lap();
        std::thread building([&, run = session.opened.run] { run->build(progress); });
        session.panels = false;
        session.viewSettings.shown.clear();
        for (const char* word : {"source", "object", "block:L1", "block:L2"}) {
            session.viewSettings.shown.push_back(*viewNamed(word, session.opened.run->machine()));
        }
        session.viewSettings.active = session.viewSettings.shown.front();
        session.player.seek(session.end(), session.end());
        benchmark::DoNotOptimize(stage->draw(session, scene::View::kAtRest).data());
        drawn += watch.lap();
        state.PauseTiming();
        progress.cancel();
        building.join();
        state.ResumeTiming();
    }
    const auto each = benchmark::Counter::kAvgIterations;
    state.counters["megabytes"] = static_cast<double>(std::filesystem::file_size(path)) / 1e6;
    state.counters["read"] = benchmark::Counter(read, each);
    state.counters["drawn"] = benchmark::Counter(drawn, each);
}

/// A wind tunnel whose quadrants are moved to separate blocks, up to the history that the views show.
void whatIf(benchmark::State& state) {
    const auto trace = opened("windtunnel").run->sharedTrace();
    const OpenRequest request{.input = "windtunnel",
                              .machine = "",
                              .reading = {},
                              .changes = {sim::parseLayoutChange("spread:quadrants:256:64").value()}};
    for (auto _ : state) {
        sim::Progress progress;
        const Opened changed = orExit(open(request, trace, progress));
        changed.run->build(progress);
        benchmark::DoNotOptimize(
            sim::historyOf(*changed.run, {sim::Tick{0}, sim::Tick{changed.run->trace().size()}}, progress));
    }
    state.counters["accesses"] = static_cast<double>(trace->size());
}

void historyOfRun(benchmark::State& state) {
    const Opened tunnel = opened("windtunnel");
    sim::Progress progress;
    tunnel.run->build(progress);
    const sim::Range all{sim::Tick{0}, sim::Tick{tunnel.run->trace().size()}};
    for (auto _ : state) benchmark::DoNotOptimize(sim::historyOf(*tunnel.run, all, progress));
}

/// The history of a program with many objects and short stays. Against the plainest way through the same accesses, a
/// replay that nobody observes, and with what a stay takes in memory.
void historyOfManyBodies(benchmark::State& state) {
    const Opened bodies = opened("nbody:bodies=512");
    sim::Progress progress;
    bodies.run->build(progress);
    const sim::Range all{sim::Tick{0}, sim::Tick{bodies.run->trace().size()}};
    double replayed = 0;
    double made = 0;
    double stays = 0;
    double bytes = 0;
    for (auto _ : state) {
        Watch watch;
        sim::Simulator machine = bodies.run->stateAt(all.from);
        sim::replay(bodies.run->trace(), machine, all, progress);
        replayed += watch.lap();
        const auto history = sim::historyOf(*bodies.run, all, progress);
        made += watch.lap();
        stays = bytes = 0;
        for (const sim::HistoryLevel& level : history->levels) {
            stays += static_cast<double>(level.stays.size());
            bytes += static_cast<double>(level.stays.bytes() + level.changes.bytes());
        }
    }
    state.counters["times_replay"] = made / replayed;
    state.counters["bytes_per_stay"] = bytes / stays;
}

// The renderer has threads of its own, so wall-clock time counts.
BENCHMARK(firstFrame)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime()->Iterations(3);
BENCHMARK(whatIf)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime()->Iterations(3);
BENCHMARK(historyOfManyBodies)->Unit(benchmark::kMillisecond)->Iterations(3);
BENCHMARK(historyOfRun)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime()->Iterations(3);

}  // namespace
}  // namespace whorl::app
