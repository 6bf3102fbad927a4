// How fast the simulator is, beside a careful loop written for just one case: one CPU, 32K/8/64 before 256K/8/64, LRU,
// write-back. The ratio of the two is what counts; both run in the same process, one after the other.
#include <benchmark/benchmark.h>

#include <random>

#include "bench/careful_loop.h"
#include "sim/run/simulator.h"

namespace whorl::sim {
namespace {

MachineConfig machine() {
    return *parseGeometry("32K/8/64, 256K/8/64");
}

/// Loops over arrays of several sizes, a stack, and a heap that is jumped about in: about 97 % hits in L1.
std::vector<PackedAccess> accesses(std::size_t count) {
    std::mt19937_64 random(1);
    std::vector<PackedAccess> out;
    out.reserve(count);
    std::uint64_t streams[4] = {0x10000, 0x200000, 0x800000, 0x1000000};
    while (out.size() < count) {
        const std::uint64_t r = random();
        Access a;
        a.size = 8;
        a.op = r % 4 == 0 ? Op::write : Op::read;
        if (r % 16 < 7) {
            a.address = ByteAddress{0x7ff0000 + (r >> 8) % 4096 / 8 * 8};
        } else if (r % 16 < 15) {
            const std::size_t s = r >> 4 & 3;
            streams[s] += 8;
            if ((streams[s] & ((0x2000u << 2 * s) - 1)) == 0) streams[s] -= 0x2000u << 2 * s;
            a.address = ByteAddress{streams[s]};
        } else {
            a.address = ByteAddress{0x4000000 + (r >> 8) % 0x40000 / 8 * 8};
        }
        out.emplace_back(a);
    }
    return out;
}

const std::vector<PackedAccess>& trace() {
    static const std::vector<PackedAccess> once = accesses(4'000'000);
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
