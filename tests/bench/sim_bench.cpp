// Speed of the simulator, compared with a careful loop written for just one case: one CPU, 32K/8/64 before 256K/8/64,
// LRU, write-back. The ratio of the two is what counts; both run in the same process, one after the other.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <random>

#include "bench/careful_loop.h"
#include "sim/programs/program.h"
#include "sim/replay/joint_measures.h"
#include "sim/replay/measuring.h"
#include "sim/replay/run.h"
#include "sim/replay/simulator.h"
#include "sim/replay/totals/ledger_builder.h"
#include "sim/trace/trace_builder.h"

namespace whorl::sim {
namespace {

MachineConfig machine() {
    return *parseGeometry("32K/8/64, 256K/8/64");
}

/// Typical programs of Whorl's users: sorts and matrix multiplications.
std::vector<PackedAccess> accesses(std::size_t count) {
    std::vector<PackedAccess> out;
    out.reserve(count);
    for (const char* program :
         {"mergesort:n=60000", "matmul:n=80", "bubblesort:n=1200", "matmul:n=80,variant=transposed"}) {
        Progress progress;
        const auto run =
            parseProgramSpec(program).and_then([&](const ProgramSpec& s) { return runProgram(s, progress); });
        if (!run) throw std::runtime_error(run.error().sentence());
        run->forEach(Tick{0}, Tick{run->size()}, [&](Tick, const Access& a) {
            Access plain = a;
            plain.site = SiteId{};  // used in traces without the program's lines
            if (out.size() < count) out.emplace_back(plain);
        });
    }
    return out;
}

const std::vector<PackedAccess>& trace() {
    static const std::vector<PackedAccess> once = accesses(5'000'000);
    return once;
}

/// A trace with many misses: a stack, loops over arrays of several sizes, random accesses to a heap. 88 % hits in the
/// nearest level.
const std::vector<PackedAccess>& jumpyTrace() {
    static const std::vector<PackedAccess> once = [] {
        std::mt19937_64 random(1);
        std::vector<PackedAccess> out(trace().size());
        std::uint64_t streams[4] = {0x4010000, 0x4200000, 0x4800000, 0x5000000};
        for (PackedAccess& a : out) {
            const std::uint64_t r = random();
            ByteAddress address{0x8000000 + (r >> 8) % 0x40000 / 8 * 8};
            if (r % 16 < 7) {
                address.value = 0x1ffeff0000 + (r >> 8) % 4096 / 8 * 8;
            } else if (r % 16 < 15) {
                const std::size_t s = r >> 4 & 3;
                streams[s] += 8;
                if ((streams[s] & ((0x2000u << 2 * s) - 1)) == 0) streams[s] -= 0x2000u << 2 * s;
                address.value = streams[s];
            }
            a = PackedAccess((r >> 40 & 3) != 0 ? Op::read : Op::write, address, 8, SiteId{});
        }
        return out;
    }();
    return once;
}

Trace packed(const std::vector<PackedAccess>& accesses) {
    TraceBuilder builder("bench");
    for (const PackedAccess& a : accesses) builder.add(a.unpack());
    return builder.finish();
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

void counts(benchmark::State& state, const std::vector<PackedAccess>& accesses) {
    for (auto _ : state) {
        Simulator simulator(machine());
        simulator.play(accesses, nullptr);
        benchmark::DoNotOptimize(simulator.counters().memory.reads);
    }
    rate(state);
}

void simulatorCounts(benchmark::State& state) {
    counts(state, trace());
}
BENCHMARK(simulatorCounts)->Unit(benchmark::kMillisecond);

void jumpyCounts(benchmark::State& state) {
    counts(state, jumpyTrace());
}
BENCHMARK(jumpyCounts)->Unit(benchmark::kMillisecond);

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

/// Miss kinds, costs, and the rest of a ledger, besides the counts.
void kinds(benchmark::State& state, const std::vector<PackedAccess>& accesses) {
    const Trace known = packed(accesses);
    EventList events;
    events.separateHits();
    const MachineConfig config = machine();
    for (auto _ : state) {
        Simulator simulator(config);
        LedgerBuilder ledgerBuilder(config, known);
        std::vector<IndexEntry> entries;
        ledgerBuilder.indexInto(entries);
        const std::span<const PackedAccess> all(accesses);
        for (std::size_t at = 0; at < all.size(); at += 2048) {
            events.clear();
            const auto batch = all.subspan(at, std::min<std::size_t>(2048, all.size() - at));
            simulator.play(batch, &events);
            ledgerBuilder.take({Tick{at}, batch, events, simulator.sums(), simulator});
            if (at % Trace::kChunk == 0) entries.clear();
        }
        benchmark::DoNotOptimize(ledgerBuilder.kinds().data());
    }
    rate(state);
}

void kindsAndCosts(benchmark::State& state) {
    kinds(state, trace());
}
BENCHMARK(kindsAndCosts)->Unit(benchmark::kMillisecond);

void jumpyKinds(benchmark::State& state) {
    kinds(state, jumpyTrace());
}
BENCHMARK(jumpyKinds)->Unit(benchmark::kMillisecond);

/// The machine's share of that.
void eventsOnly(benchmark::State& state, const std::vector<PackedAccess>& accesses) {
    EventList events;
    events.separateHits();
    for (auto _ : state) {
        Simulator simulator(machine());
        const std::span<const PackedAccess> all(accesses);
        for (std::size_t at = 0; at < all.size(); at += 2048) {
            events.clear();
            simulator.play(all.subspan(at, std::min<std::size_t>(2048, all.size() - at)), &events);
            benchmark::DoNotOptimize(events.begin());
        }
    }
    rate(state);
}

void hitsApart(benchmark::State& state) {
    eventsOnly(state, trace());
}
BENCHMARK(hitsApart)->Unit(benchmark::kMillisecond);

void jumpyHitsApart(benchmark::State& state) {
    eventsOnly(state, jumpyTrace());
}
BENCHMARK(jumpyHitsApart)->Unit(benchmark::kMillisecond);

/// From a packed trace to a complete run.
void runs(benchmark::State& state, const std::vector<PackedAccess>& accesses) {
    const auto known = std::make_shared<const Trace>(packed(accesses));
    for (auto _ : state) {
        Run run(known, machine());
        Progress progress;
        run.build(progress);
        benchmark::DoNotOptimize(run.built());
    }
    rate(state);
}

void fullRun(benchmark::State& state) {
    runs(state, trace());
}
BENCHMARK(fullRun)->Unit(benchmark::kMillisecond);

void jumpyRun(benchmark::State& state) {
    runs(state, jumpyTrace());
}
BENCHMARK(jumpyRun)->Unit(benchmark::kMillisecond);

/// The state at any tick of a run of 80 million accesses: the time of one, the slowest of 100, and the memory of all.
void stateAt(benchmark::State& state) {
    static const auto run = [] {
        TraceBuilder builder("long");
        for (int i = 0; i < 16; ++i) {
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
    state.counters["p99_ms"] = times[times.size() * 99 / 100];
    state.counters["trace_MB"] = static_cast<double>(run->trace().accesses().bytes()) / 1e6;
    state.counters["run_MB"] = static_cast<double>(run->bytes()) / 1e6;
}
BENCHMARK(stateAt)->Unit(benchmark::kMillisecond)->Iterations(1000);

/// Five machines that differ in the ways of the nearest level, in one pass: compare with measuredAlone.
void measuredJointly(benchmark::State& state) {
    std::vector<MachineConfig> machines;
    for (const std::uint32_t ways : {1u, 2u, 4u, 8u, 16u}) {
        machines.push_back(machine());
        machines.back().levels[0].ways = ways;
        machines.back().levels[0].size = std::uint64_t{ways} * 64 * 64;
    }
    const auto shared = std::make_shared<const Trace>(packed(trace()));
    for (auto _ : state) {
        Progress progress;
        benchmark::DoNotOptimize(measureJointly(*shared, machines, {Tick{0}, Tick{shared->size()}}, progress));
    }
    rate(state);
}
BENCHMARK(measuredJointly)->Unit(benchmark::kMillisecond);

void measuredAlone(benchmark::State& state) {
    const auto shared = std::make_shared<const Trace>(packed(trace()));
    for (auto _ : state) {
        Progress progress;
        benchmark::DoNotOptimize(measure(shared, machine(), {Tick{0}, Tick{shared->size()}}, false, progress));
    }
    rate(state);
}
BENCHMARK(measuredAlone)->Unit(benchmark::kMillisecond);

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
