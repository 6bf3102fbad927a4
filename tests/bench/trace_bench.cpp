// How fast traces are packed, unpacked and read, on one core. The trace is synthetic, but like those of programs: loops
// over arrays, a stack, and pointers to anywhere. Rates are in accesses or lines per second.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <array>
#include <cstring>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "sim/trace/reader.h"
#include "sim/trace/trace_builder.h"

namespace whorl::sim {
namespace {

constexpr std::size_t kAccesses = std::size_t{1} << 21;
constexpr std::uint32_t kSites = 4096;

/// Loops of a few instructions each, every one with its own access pattern.
std::vector<PackedAccess> madeUp() {
    std::mt19937_64 random(1);
    std::vector<PackedAccess> out;
    out.reserve(kAccesses);
    std::uint64_t array = 0x4a00000;
    while (out.size() < kAccesses) {
        const auto loop = static_cast<std::uint32_t>(1 + random() % (kSites - 16));
        const std::uint32_t length = 3 + loop % 9;
        const std::uint64_t rounds = 1 + random() % 200;
        for (std::uint64_t r = 0; r < rounds && out.size() < kAccesses; ++r) {
            for (std::uint32_t i = 0; i < length && out.size() < kAccesses; ++i) {
                const std::uint64_t way = (loop + i) % 4;
                const std::uint64_t address = way == 0   ? array + r * 8 + i * 0x10000
                                              : way == 3 ? 0x4000000 + random() % 0x40000 / 8 * 8
                                                         : 0x1ffeffe000 - loop % 64 * 32 - i * 8;
                const Op op = i % 3 == 2 ? Op::write : Op::read;
                out.emplace_back(op, ByteAddress{address}, 8, SiteId{loop + i});
            }
        }
        array += 0x40;
    }
    return out;
}

const std::vector<PackedAccess>& accesses() {
    static const std::vector<PackedAccess> all = madeUp();
    return all;
}

/// In lackey's format.
std::string textOf(bool instructions) {
    std::string text;
    for (const PackedAccess& a : accesses()) {
        if (instructions) text += fmt::format("I  {:08x},3\n", 0x400000 + a.site().value * 4);
        text += fmt::format(" {} {:08x},{}\n", a.isWrite() ? 'S' : 'L', a.address().value, a.size());
    }
    return text;
}

std::span<const PackedAccess> chunkAt(std::size_t from) {
    return std::span(accesses()).subspan(from, std::min(kMaxChunk, kAccesses - from));
}

void perAccess(benchmark::State& state, std::size_t things = kAccesses) {
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(things));
}

void encode(benchmark::State& state) {
    accesses();
    ChunkEncoder encoder;
    std::size_t bytes = 0;
    for (auto _ : state) {
        bytes = 0;
        for (std::size_t from = 0; from < kAccesses; from += kMaxChunk) bytes += encoder.encode(chunkAt(from)).size();
    }
    perAccess(state);
    state.counters["bytes/access"] = static_cast<double>(bytes) / static_cast<double>(kAccesses);
}
BENCHMARK(encode)->Unit(benchmark::kMillisecond);

void decode(benchmark::State& state) {
    ChunkEncoder encoder;
    std::vector<std::string> chunks;
    for (std::size_t from = 0; from < kAccesses; from += kMaxChunk) chunks.push_back(encoder.encode(chunkAt(from)));
    ChunkDecoder decoder;
    for (auto _ : state) {
        for (const std::string& chunk : chunks) benchmark::DoNotOptimize(decoder.decode(chunk, kSites).data());
    }
    perAccess(state);
}
BENCHMARK(decode)->Unit(benchmark::kMillisecond);

/// From text to a consumer that does nothing: the cost of reading.
void stream(benchmark::State& state, bool instructions) {
    const std::string text = textOf(instructions);
    for (auto _ : state) {
        const auto streamed = streamText(
            text, "bench", {}, [](std::span<const PackedAccess> some) { benchmark::DoNotOptimize(some.data()); });
        if (!streamed) state.SkipWithError("not read");
    }
    perAccess(state, kAccesses * (instructions ? 2 : 1));
}
BENCHMARK_CAPTURE(stream, data_only, false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(stream, with_instructions, true)->Unit(benchmark::kMillisecond);

/// From text to a trace.
void parse(benchmark::State& state) {
    const std::string text = textOf(true);
    for (auto _ : state) {
        if (!parseTrace(text, "bench", {})) state.SkipWithError("not read");
    }
    perAccess(state, kAccesses * 2);
}
BENCHMARK(parse)->Unit(benchmark::kMillisecond);

/// A Chiron trace of 16 MB: four CPUs with misses, whose blocks are filled and evicted as in caches of two ways.
std::string scanChiron() {
    constexpr std::size_t kBytes = std::size_t{16} << 20;
    std::mt19937_64 random(1);
    std::string text = "i 32\ni 128\ni 4\ni 2\nc field 10000000000 100000000 0\n";
    text.reserve(kBytes + 1024);
    std::array<std::array<std::uint64_t, 512>, 4> held{};  // by L1 cache: the address in each of its sets
    auto out = std::back_inserter(text);
    for (std::uint64_t time = 1000; text.size() < kBytes; time += 20 + random() % 50) {
        const std::uint64_t cpu = random() % 4;
        const std::uint64_t address = 0x40000000 + random() % 0x40000 * 4;
        const std::uint64_t source = 1000000 + random() % 500;
        std::uint64_t& there = held[cpu][address / 32 % 512];
        if (there / 32 == address / 32) continue;
        fmt::format_to(out, "m {:o} {} 1 {}\n", address, cpu, source);
        if (there != 0) fmt::format_to(out, "b {:o} {} 1 {} {} {:o}\n", address, cpu, source, time, there);
        fmt::format_to(out, "h {:o} {} 1 {} {}\n", address, cpu, source, time);
        fmt::format_to(out, "{} {:o} {} {} 20\n", random() % 3 == 0 ? 'W' : 'R', address, cpu, source);
        there = address;
    }
    return text;
}

/// From a Chiron trace to a trace with its recording. Items are bytes.
void parseChiron(benchmark::State& state) {
    const std::string text = scanChiron();
    for (auto _ : state) {
        const auto trace = parseTrace(text, "bench", {});
        if (!trace) state.SkipWithError(trace.error().sentence().c_str());
    }
    perAccess(state, text.size());
}
BENCHMARK(parseChiron)->Unit(benchmark::kMillisecond);

/// For comparison: counting the lines of the same text.
void countLines(benchmark::State& state) {
    const std::string text = scanChiron();
    for (auto _ : state) {
        std::size_t lines = 0;
        const char* end = text.data() + text.size();
        for (const char* p = text.data(); p != end; ++lines) {
            p = static_cast<const char*>(std::memchr(p, '\n', static_cast<std::size_t>(end - p))) + 1;
        }
        benchmark::DoNotOptimize(lines);
    }
    perAccess(state, text.size());
}
BENCHMARK(countLines)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace whorl::sim
