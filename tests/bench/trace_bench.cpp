// How fast traces are packed, unpacked and read, on one core. The trace is synthetic, but like those of programs: loops
// over arrays, a stack, and pointers to anywhere. Rates are in accesses or lines per second.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <iterator>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/base/byte_sink.h"
#include "sim/base/memory_budget.h"
#include "sim/trace/formats/whorl_reader.h"
#include "sim/trace/formats/whorl_writer.h"
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
    PackEncoder encoder;
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
    PackEncoder encoder;
    std::vector<std::string> packs;
    for (std::size_t from = 0; from < kAccesses; from += kMaxChunk) packs.push_back(encoder.encode(chunkAt(from)));
    PackDecoder decoder;
    for (auto _ : state) {
        for (const std::string& pack : packs) {
            decoder.open(pack, kSites);
            benchmark::DoNotOptimize(decoder.next().data());
        }
    }
    perAccess(state);
}
BENCHMARK(decode)->Unit(benchmark::kMillisecond);

/// Regular code: a matrix product, whose accesses f gets. Returns their number.
template <class F>
std::size_t product(F&& f) {
    constexpr std::uint64_t kSize = 120;
    std::size_t count = 0;
    const auto touch = [&](Op op, std::uint64_t base, std::uint64_t row, std::uint64_t column, std::uint32_t site) {
        f(PackedAccess(op, ByteAddress{base + (row * kSize + column) * 8}, 8, SiteId{site}));
        ++count;
    };
    for (std::uint64_t i = 0; i < kSize; ++i) {
        for (std::uint64_t j = 0; j < kSize; ++j) {
            for (std::uint64_t k = 0; k < kSize; ++k) {
                touch(Op::read, 0x4a00000, i, k, 1);
                touch(Op::read, 0x4b00000, k, j, 2);
            }
            touch(Op::write, 0x4c00000, i, j, 3);
        }
    }
    return count;
}

Trace productTrace() {
    TraceBuilder builder("product");
    builder.siteAt(ByteAddress{1});
    builder.siteAt(ByteAddress{2});
    builder.siteAt(ByteAddress{3});
    product([&](const PackedAccess& a) { builder.add(a); });
    return builder.finish();
}

/// A trace written to a .whorl file and opened again.
Trace reopened(const Trace& trace) {
    sim::StringSink sink;
    Progress progress;
    if (!writeWhorl(trace, sink, progress)) throw std::runtime_error("not written");
    MemoryBudget budget;
    return *traceOf(sink.bytes(), "bench", budget, progress);
}

/// All of an opened file of regular code.
void decodeProduct(benchmark::State& state) {
    const Trace trace = reopened(productTrace());
    for (auto _ : state) {
        TraceCursor cursor(trace);
        for (std::size_t c = 0; c < trace.accesses().chunks(); ++c) benchmark::DoNotOptimize(cursor.chunk(c).data());
    }
    perAccess(state, trace.size());
}
BENCHMARK(decodeProduct)->Unit(benchmark::kMillisecond);

/// For comparison: running the same loops, which store the same accesses, a chunk's worth at a time.
void storeProduct(benchmark::State& state) {
    std::vector<PackedAccess> chunk(kMaxChunk);
    std::size_t count = 0;
    for (auto _ : state) {
        std::size_t next = 0;
        count = product([&](const PackedAccess& a) {
            chunk[next++ % kMaxChunk] = a;
            benchmark::ClobberMemory();
        });
    }
    perAccess(state, count);
}
BENCHMARK(storeProduct)->Unit(benchmark::kMillisecond);

/// A list of so many nodes in random order, walked over and over.
Trace listTrace(std::uint64_t nodes) {
    std::mt19937_64 random(1);
    std::vector<std::uint64_t> order(nodes);
    for (std::uint64_t i = 0; i < nodes; ++i) order[i] = 0x4a00000 + i * 48;
    std::shuffle(order.begin(), order.end(), random);
    TraceBuilder builder("list");
    for (std::size_t i = 0; i < kAccesses; ++i) {
        builder.add(PackedAccess(Op::read, ByteAddress{order[i % nodes]}, 8, SiteId{}));
    }
    return builder.finish();
}

/// From nothing to any chunk of an opened file whose packs need a large dictionary.
void anyChunk(benchmark::State& state) {
    const Trace trace = reopened(listTrace(400000));
    std::mt19937_64 random(7);
    std::vector<double> times;
    for (auto _ : state) {
        const std::size_t chunk = random() % trace.accesses().chunks();
        const auto start = std::chrono::steady_clock::now();
        benchmark::DoNotOptimize(TraceCursor(trace).chunk(chunk).data());
        times.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    }
    std::sort(times.begin(), times.end());
    state.counters["p99_ms"] = times[times.size() * 99 / 100];
    state.counters["trace_MB"] = static_cast<double>(trace.accesses().bytes()) / 1e6;
}
BENCHMARK(anyChunk)->Unit(benchmark::kMillisecond)->Iterations(200);

/// A binary search in random order: addresses that no instruction repeats.
Trace searchTrace() {
    constexpr std::uint64_t kNumbers = std::uint64_t{1} << 16;
    std::mt19937_64 random(1);
    TraceBuilder builder("search");
    while (builder.size() < kAccesses) {
        const std::uint64_t wanted = random() % kNumbers;
        for (std::uint64_t low = 0, high = kNumbers; low < high;) {
            const std::uint64_t middle = (low + high) / 2;
            builder.add(PackedAccess(Op::read, ByteAddress{0x4a00000 + middle * 8}, 8, SiteId{}));
            if (middle == wanted) break;
            (wanted < middle ? high : low) = wanted < middle ? middle : middle + 1;
        }
    }
    return builder.finish();
}

/// A .whorl file written, on one core. Items are accesses.
void write(benchmark::State& state, const Trace& trace) {
    for (auto _ : state) {
        sim::StringSink sink;
        Progress progress;
        if (!writeWhorl(trace, sink, progress)) state.SkipWithError("not written");
        state.counters["bytes/access"] = static_cast<double>(sink.bytes().size()) / static_cast<double>(trace.size());
    }
    perAccess(state, trace.size());
}
void writeProduct(benchmark::State& state) {
    write(state, productTrace());
}
BENCHMARK(writeProduct)->Unit(benchmark::kMillisecond);
void writeSearch(benchmark::State& state) {
    write(state, searchTrace());
}
BENCHMARK(writeSearch)->Unit(benchmark::kMillisecond);
void writeList(benchmark::State& state) {
    write(state, listTrace(400000));
}
BENCHMARK(writeList)->Unit(benchmark::kMillisecond);

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
