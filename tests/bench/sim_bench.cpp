// How fast the simulator is, beside a careful loop written for just one case: one CPU, 32K/8/64 before 256K/8/64, LRU,
// write-back. The ratio of the two is what counts; both run in the same process, one after the other.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <random>

#include "bench/careful_loop.h"
#include "sim/measure/accountant.h"
#include "sim/programs/program.h"
#include "sim/run/run.h"
#include "sim/run/simulator.h"
#include "sim/trace/trace_builder.h"

namespace whorl::sim {
namespace {

MachineConfig machine() {
    return *parseGeometry("32K/8/64, 256K/8/64");
}

/// What Whorl's users look at: sorts and matrix multiplications.
std::vector<PackedAccess> accesses(std::size_t count) {
    std::vector<PackedAccess> out;
    out.reserve(count);
    for (const char* program : {"mergesort:n=60000", "matmul:n=80", "bubblesort:n=1200", "matmul:n=80,variant=transposed"}) {
        Progress progress;
        const auto run = parseProgramSpec(program).and_then([&](const ProgramSpec& s) { return runProgram(s, progress); });
        if (!run) throw std::runtime_error(run.error().sentence());
        run->forEach(Tick{0}, Tick{run->size()}, [&](Tick, const Access& a) {
            Access plain = a;
            plain.site = SiteId{};  // these go into traces that do not know the program's lines
            if (out.size() < count) out.emplace_back(plain);
        });
    }
    return out;
}

const std::vector<PackedAccess>& trace() {
    static const std::vector<PackedAccess> once = accesses(5'000'000);
    return once;
}

void rate(benchmark::State& state) {
    state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(trace().size()));
}

void carefulCounts(benchmark::State& state) {
    for (auto _ : state) {
        bench::CarefulLoop loop;
        for (const PackedAccess& a : trace()) loop.access(a.address().value, a.size(), a.isWrite());
        benchmark::DoNotOptimize(loop.l1Misses);
    }
    rate(state);
}
BENCHMARK(carefulCounts)->Unit(benchmark::kMillisecond);

void simulatorCounts(benchmark::State& state) {
    for (auto _ : state) {
        Simulator simulator(machine());
        simulator.play(trace(), nullptr);
        benchmark::DoNotOptimize(simulator.counters().memory.reads);
    }
    rate(state);
}
BENCHMARK(simulatorCounts)->Unit(benchmark::kMillisecond);

void carefulEvents(benchmark::State& state) {
    std::vector<bench::CarefulEvent> events(1 << 16);
    for (auto _ : state) {
        bench::CarefulLoop loop;
        std::size_t used = 0;
        for (const PackedAccess& a : trace()) {
            if (used + 64 > events.size()) used = 0;
            used += loop.accessTelling(a.address().value, a.size(), a.isWrite(), &events[used]);
        }
        benchmark::DoNotOptimize(events.data());
    }
    rate(state);
}
BENCHMARK(carefulEvents)->Unit(benchmark::kMillisecond);

void simulatorEvents(benchmark::State& state) {
    EventList events;
    for (auto _ : state) {
        Simulator simulator(machine());
        const std::span<const PackedAccess> all(trace());
        for (std::size_t at = 0; at < all.size(); at += 4096) {
            events.clear();
            simulator.play(all.subspan(at, std::min<std::size_t>(4096, all.size() - at)), &events);
            benchmark::DoNotOptimize(events.begin());
        }
    }
    rate(state);
}
BENCHMARK(simulatorEvents)->Unit(benchmark::kMillisecond);

/// Miss kinds, costs, and all else that the books hold, beside the counts.
void kindsAndCosts(benchmark::State& state) {
    TraceBuilder builder("bench");
    for (const PackedAccess& a : trace()) builder.add(a.unpack());
    const Trace known = builder.finish();
    EventList events;
    events.keepHitsApart();
    const MachineConfig config = machine();
    for (auto _ : state) {
        Simulator simulator(config);
        Accountant books(config, known);
        const std::span<const PackedAccess> all(trace());
        for (std::size_t at = 0; at < all.size(); at += 2048) {
            events.clear();
            const auto batch = all.subspan(at, std::min<std::size_t>(2048, all.size() - at));
            simulator.play(batch, &events);
            books.take(Tick{at}, batch, events);
        }
        benchmark::DoNotOptimize(books.kinds().data());
    }
    rate(state);
}
BENCHMARK(kindsAndCosts)->Unit(benchmark::kMillisecond);

/// From a packed trace to all that a run holds.
void fullRun(benchmark::State& state) {
    TraceBuilder builder("bench");
    for (const PackedAccess& a : trace()) builder.add(a.unpack());
    const auto known = std::make_shared<const Trace>(builder.finish());
    for (auto _ : state) {
        Run run(known, machine());
        Progress progress;
        run.build(progress);
        benchmark::DoNotOptimize(run.built());
    }
    rate(state);
}
BENCHMARK(fullRun)->Unit(benchmark::kMillisecond);

/// Any moment of a run of 80 million accesses: the time of one, the slowest of 100, and the memory of all.
void stateAt(benchmark::State& state) {
    static const auto run = [] {
        TraceBuilder builder("long");
        for (int i = 0; i < 20; ++i) {
            for (const PackedAccess& a : trace()) builder.add(a.unpack());
        }
        auto made = std::make_unique<Run>(std::make_shared<const Trace>(builder.finish()), machine());
        Progress progress;
        made->build(progress);
        return made;
    }();
    std::mt19937_64 random(7);
    std::vector<double> times;
    for (auto _ : state) {
        const Tick at{random() % run->trace().size()};
        const auto start = std::chrono::steady_clock::now();
        benchmark::DoNotOptimize(run->stateAt(at).counters().reads);
        times.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    }
    std::sort(times.begin(), times.end());
    std::size_t packed = 0;
    for (const std::string& chunk : run->trace().chunks()) packed += chunk.size();
    state.counters["p99_ms"] = times[times.size() * 99 / 100];
    state.counters["trace_MB"] = static_cast<double>(packed) / 1e6;
    state.counters["run_MB"] = static_cast<double>(run->bytes()) / 1e6;
}
BENCHMARK(stateAt)->Unit(benchmark::kMillisecond)->Iterations(1000);

void generalMachine(benchmark::State& state) {
    MachineConfig general = machine();
    general.levels[0].policy = Policy::treePlru;
    for (auto _ : state) {
        Simulator simulator(general);
        simulator.play(trace(), nullptr);
        benchmark::DoNotOptimize(simulator.counters().memory.reads);
    }
    rate(state);
}
BENCHMARK(generalMachine)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace whorl::sim
