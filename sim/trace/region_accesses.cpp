#include "sim/trace/region_accesses.h"

#include <algorithm>
#include <cstddef>

namespace whorl::sim {

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

}  // namespace whorl::sim
