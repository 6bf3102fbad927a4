// How long a snapshot of a long run takes, and the memory needed for all: 80 million accesses on presets of three
// sizes. Two traces: one like typical programs, and one whose many random accesses strain the outer levels.
#include <benchmark/benchmark.h>

#include <time.h>

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "sim/replay/run.h"
#include "sim/trace/trace_builder.h"

namespace whorl::sim {
namespace {

constexpr std::uint64_t kAccesses = 80'000'000;
constexpr int kMoments = 400;  ///< requested per measurement: four of them are beyond the 99th percentile

/// A stack, loops over arrays of 8 KB to 8 MB, and `jumps` of 64 accesses at random in 64 MB.
Trace madeUp(std::uint64_t jumps) {
    TraceBuilder builder("made up");
    std::mt19937_64 random(1);
    std::uint64_t streams[6] = {0x4010000, 0x4200000, 0x4800000, 0x5000000, 0x6000000, 0x8000000};
    for (std::uint64_t i = 0; i < kAccesses; ++i) {
        const std::uint64_t r = random();
        Access a;
        a.size = 8;
        a.op = (r >> 60 & 3) != 0 ? Op::read : Op::write;
        if (r % 64 < jumps) {
            a.address = ByteAddress{0x7f0000000000 + (r >> 8) % 0x4000000 / 8 * 8};
        } else if ((r >> 6 & 1) != 0) {
            a.address = ByteAddress{0x1ffeff0000 + (r >> 8) % 4096 / 8 * 8};
        } else {
            const std::size_t s = (r >> 8) % 6;
            streams[s] += 8;
            if ((streams[s] & ((0x2000u << 2 * s) - 1)) == 0) streams[s] -= 0x2000u << 2 * s;
            a.address = ByteAddress{streams[s]};
        }
        builder.add(a);
    }
    return builder.finish();
}

struct Input {
    std::shared_ptr<const Trace> trace;
    std::uint64_t jumps = 0;
};

/// The trace with `jumps` random accesses of 64; only the last one is kept.
const std::shared_ptr<const Trace>& traceWith(std::uint64_t jumps) {
    static Input input;
    if (!input.trace || input.jumps != jumps) {
        input.trace.reset();
        input = {.trace = std::make_shared<const Trace>(madeUp(jumps)), .jumps = jumps};
    }
    return input.trace;
}

double megabytes(std::size_t bytes) {
    return static_cast<double>(bytes) / 1e6;
}

/// CPU seconds of this thread, so that other processes do not affect it.
double ownTime() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

void anyMoment(benchmark::State& state, std::uint64_t jumps, const std::string& preset) {
    const auto& trace = traceWith(jumps);
    Run run(trace, *loadMachine(preset));
    Progress progress;
    double since = 0;
    const auto lap = [&] {
        const double now = ownTime();
        return now - std::exchange(since, now);
    };
    lap();
    run.build(progress);
    state.counters["build_s"] = lap();
    std::mt19937_64 random(2);
    std::vector<double> times;
    times.reserve(kMoments);
    for (auto _ : state) {
        for (int i = 0; i < kMoments; ++i) {
            const Tick at{random() % (kAccesses + 1)};
            lap();
            benchmark::DoNotOptimize(run.stateAt(at));
            times.push_back(lap() * 1e3);
        }
    }
    std::sort(times.begin(), times.end());
    const auto percentile = [&](std::size_t p) { return times[times.size() * p / 100]; };
    state.counters["p50_ms"] = percentile(50);
    state.counters["p99_ms"] = percentile(99);
    state.counters["run_MB"] = megabytes(run.bytes());
    state.counters["trace_MB"] = megabytes(trace->accesses().bytes());
}

// Trace by trace, so that each is made once.
BENCHMARK_CAPTURE(anyMoment, usual_default, 1, "default")->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(anyMoment, usual_server, 1, "server")->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(anyMoment, usual_desktop, 1, "desktop")->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(anyMoment, hard_default, 16, "default")->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(anyMoment, hard_server, 16, "server")->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(anyMoment, hard_desktop, 16, "desktop")->Iterations(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace whorl::sim
