// How fast counts are computed from lackey's text, as in `whorl stats TRACE`, compared with a hand-written loop that
// reads and simulates just one case: 32K/8/64 before 256K/8/64. The ratio is what counts; both run in one process on
// one text.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <random>
#include <string>

#include "bench/careful_loop.h"
#include "bench/careful_parser.h"
#include "sim/replay/simulator.h"
#include "sim/trace/reader.h"

namespace whorl::sim {
namespace {

constexpr std::size_t kAccesses = 8'000'000;

/// Loops over arrays of several sizes, a stack, and random accesses to a heap: about 88 % hits in L1.
std::string madeUp() {
    std::mt19937_64 random(1);
    std::string text = "==1== Lackey, an example Valgrind tool\n";
    text.reserve(kAccesses * 16 + 64);
    std::uint64_t streams[4] = {0x4010000, 0x4200000, 0x4800000, 0x5000000};
    for (std::size_t i = 0; i < kAccesses; ++i) {
        const std::uint64_t r = random();
        std::uint64_t address = 0;
        if (r % 16 < 7) {
            address = 0x1ffeff0000 + (r >> 8) % 4096 / 8 * 8;
        } else if (r % 16 < 15) {
            const std::size_t s = r >> 4 & 3;
            streams[s] += 8;
            if ((streams[s] & ((0x2000u << 2 * s) - 1)) == 0) streams[s] -= 0x2000u << 2 * s;
            address = streams[s];
        } else {
            address = 0x8000000 + (r >> 8) % 0x40000 / 8 * 8;
        }
        fmt::format_to(std::back_inserter(text), " {} {:08x},8\n", r >> 40 & 3 ? 'L' : 'S', address);
    }
    return text + std::string(64, '\n');
}

/// The text of the trace, followed by blank lines for parsers that read beyond its end.
const std::string& paddedText() {
    static const std::string once = madeUp();
    return once;
}

void rate(benchmark::State& state) {
    state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(kAccesses));
}

template <const char* (*kAddress)(const char*, std::uint64_t&)>
void careful(benchmark::State& state) {
    std::string_view text = paddedText();
    text.remove_prefix(text.find('\n') + 1);
    text.remove_suffix(64);
    for (auto _ : state) {
        bench::CarefulLoop loop;
        bench::parseCarefully<kAddress>(
            text, [&](std::uint64_t address, std::uint32_t size, bool write) { loop.access(address, size, write); });
        benchmark::DoNotOptimize(loop.l1Misses);
        state.counters["misses"] = static_cast<double>(loop.l1Misses);
    }
    rate(state);
}

void carefulByTable(benchmark::State& state) {
    careful<bench::addressByTable>(state);
}
BENCHMARK(carefulByTable)->Unit(benchmark::kMillisecond);

void carefulBySse(benchmark::State& state) {
    careful<bench::addressBySse>(state);
}
BENCHMARK(carefulBySse)->Unit(benchmark::kMillisecond);

void streamedCounts(benchmark::State& state) {
    const MachineConfig machine = *parseGeometry("32K/8/64, 256K/8/64");
    for (auto _ : state) {
        Simulator simulator(machine);
        const auto streamed = streamText(paddedText(), "bench", {},
                                         [&](std::span<const PackedAccess> some) { simulator.play(some, nullptr); });
        if (!streamed) state.SkipWithError("not read");
        state.counters["misses"] = static_cast<double>(simulator.counters().level(0).misses());
    }
    rate(state);
}
BENCHMARK(streamedCounts)->Unit(benchmark::kMillisecond);

/// The two halves separately.
void streamedOnly(benchmark::State& state) {
    for (auto _ : state) {
        const auto streamed = streamText(paddedText(), "bench", {}, [](std::span<const PackedAccess> some) {
            benchmark::DoNotOptimize(some.data());
        });
        if (!streamed) state.SkipWithError("not read");
    }
    rate(state);
}
BENCHMARK(streamedOnly)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace whorl::sim
