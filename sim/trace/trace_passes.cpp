#include "sim/trace/trace_passes.h"

#include <algorithm>
#include <cstddef>

namespace whorl::sim {

namespace {

/// The fewest accesses that are worth starting a thread.
constexpr std::uint64_t kFewestAhead = 4 * Trace::kChunk;
/// The number of chunks by which decoding may be ahead: they stay in the processor's cache.
constexpr std::size_t kChunksAhead = 4;

struct DecodedChunk {
    Tick first;
    std::vector<PackedAccess> memory;
    std::span<const PackedAccess> accesses;  ///< those in the range
};

}  // namespace

bool forEachChunk(const Trace& trace, Range range, Progress& progress, const ThreadRunner& threads,
                  const std::function<void(Tick, std::span<const PackedAccess>)>& f) {
    const auto wholeChunks = [](Tick) { return Trace::kChunk; };
    if (!threads || range.size() < kFewestAhead) return forEachBatch(trace, range, wholeChunks, progress, f);
    const auto decode = [&](Handover<DecodedChunk>& to) {
        const CursorLoan loan(trace);
        for (Tick t = range.from; t < range.to;) {
            DecodedChunk* const chunk = to.next();
            if (chunk == nullptr || progress.cancelled()) return;
            const std::span<const PackedAccess> rest = loan.cursor().from(t);
            if (rest.empty()) return;
            chunk->first = t;
            chunk->accesses = rest.first(std::min<std::uint64_t>(rest.size(), range.to.value - t.value));
            loan.cursor().exchange(chunk->memory);
            t.value += chunk->accesses.size();
            to.give();
        }
    };
    inTwoThreads<DecodedChunk>(threads, kChunksAhead, decode, [&](const DecodedChunk& chunk) {
        if (progress.cancelled()) return;
        f(chunk.first, chunk.accesses);
        progress.advance(chunk.accesses.size());
    });
    return !progress.cancelled();
}

Tick firstRecorded(const Trace& trace) {
    const CursorLoan loan(trace);
    std::uint64_t before = 0;
    while (before < trace.size()) {
        const auto accesses = loan.cursor().from(Tick{before});
        const auto first =
            std::find_if(accesses.begin(), accesses.end(), [](const auto& a) { return !a.unrecorded(); });
        before += static_cast<std::uint64_t>(first - accesses.begin());
        if (first != accesses.end()) break;
    }
    return Tick{before};
}

namespace {

/// The chunks to count, ascending. In a long trace each is the first of its pack, which can be decoded on its own.
std::vector<std::size_t> countedChunks(const PackedAccesses& accesses) {
    const std::size_t chunks = accesses.chunks();
    const std::size_t count = std::min(chunks, kMaxCountedChunks);
    std::vector<std::size_t> counted;
    counted.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        std::size_t chunk = i * chunks / count;
        if (count < chunks) chunk -= accesses.placeOf(chunk).before;
        if (counted.empty() || counted.back() < chunk) counted.push_back(chunk);
    }
    return counted;
}

}  // namespace

std::vector<std::uint64_t> regionAccesses(const Trace& trace) {
    const std::vector<Region>& regions = trace.regions();
    std::vector<std::uint64_t> counts(regions.size() + 1);
    // Use a separate cursor: the thread's cursor keeps a chunk for drawing.
    TraceCursor cursor(trace);
    std::size_t last = regions.size();
    for (const std::size_t chunk : countedChunks(trace.accesses())) {
        for (const PackedAccess& access : cursor.chunk(chunk)) {
            if (access.unrecorded()) continue;
            const ByteAddress a = access.address();
            if (last == regions.size() || !regions[last].contains(a)) last = trace.regionAt(a);
            ++counts[last];
        }
    }
    counts.pop_back();  // accesses outside of all regions
    return counts;
}

BusyFunction busiestFunction(const Trace& trace) {
    std::vector<std::uint64_t> counts(trace.functions().size() + 1);
    std::uint64_t all = 0;
    TraceCursor cursor(trace);
    for (const std::size_t chunk : countedChunks(trace.accesses())) {
        for (const PackedAccess& access : cursor.chunk(chunk)) {
            if (access.unrecorded()) continue;
            ++all;
            ++counts[std::min<std::size_t>(trace.site(access.site()).function, trace.functions().size())];
        }
    }
    counts.pop_back();  // accesses of no function
    BusyFunction busiest;
    for (std::size_t f = 0; f < counts.size(); ++f) {
        const double share = static_cast<double>(counts[f]) / static_cast<double>(std::max<std::uint64_t>(all, 1));
        const std::string& name = trace.functions()[f];
        // Without symbols it is only an offset, which no option takes.
        const bool isNamed =
            !name.empty() && name.find("+0x") == std::string::npos && name.find(' ') == std::string::npos;
        if (isNamed && name != "main" && share > busiest.share) busiest = {.name = name, .share = share};
    }
    return busiest;
}

namespace {

/// Calls use(access) for every access, with its mapped address. False if it was cancelled.
template <class F>
bool eachAccess(const TraceParts& parts, Progress& progress, F&& use) {
    ChunkReader reader;
    std::uint64_t done = 0;
    progress.setTotal(parts.size);
    for (std::size_t c = 0; c < parts.accesses->chunks(); ++c) {
        if (progress.cancelled()) return false;
        const auto accesses = reader.chunk(*parts.accesses, c, parts.sites.size(), parts.cpus);
        if (parts.map != nullptr) parts.map->apply(accesses, Tick{c * Trace::kChunk});
        for (const PackedAccess& a : accesses) use(a);
        done += accesses.size();
        progress.setDone(done);
    }
    return true;
}

}  // namespace

std::optional<Footprint> footprintOf(const TraceParts& parts, Progress& progress) {
    FootprintBuilder footprint;
    const auto touch = [&](const PackedAccess& a) { footprint.touch(a.address(), a.size()); };
    if (!eachAccess(parts, progress, touch)) return std::nullopt;
    return footprint.finish();
}

std::optional<std::vector<Footprint>> footprintsByCpu(const TraceParts& parts, Progress& progress) {
    std::vector<FootprintBuilder> builders(parts.cpus);
    const auto touch = [&](const PackedAccess& a) { builders[a.cpu()].touch(a.address(), a.size()); };
    if (!eachAccess(parts, progress, touch)) return std::nullopt;
    std::vector<Footprint> footprints;
    footprints.reserve(builders.size());
    for (FootprintBuilder& builder : builders) footprints.push_back(builder.finish());
    return footprints;
}

}  // namespace whorl::sim
