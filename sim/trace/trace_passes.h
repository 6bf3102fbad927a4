// Passes over the accesses of a whole trace: the loop that all passes use, and what the short ones find.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/jobs.h"
#include "sim/base/progress.h"
#include "sim/base/types.h"
#include "sim/trace/footprint.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// Calls f(Tick, std::span<const PackedAccess>) with batches of consecutive accesses, until the range or the trace
/// ends; the tick is that of the first access. mostFrom(Tick) returns the maximum size of the batch that begins there,
/// at least one; no batch extends beyond a chunk. Progress advances by the accesses of each batch. Returns false if it
/// was cancelled, which it checks before each batch.
template <class MostFrom, class F>
bool forEachBatch(const Trace& trace, Range range, MostFrom&& mostFrom, Progress& progress, F&& f) {
    const CursorLoan loan(trace);
    for (Tick t = range.from; t < range.to;) {
        if (progress.cancelled()) return false;
        const std::span<const PackedAccess> rest = loan.cursor().from(t);
        if (rest.empty()) break;
        const std::uint64_t size = std::min<std::uint64_t>({rest.size(), mostFrom(t), range.to.value - t.value});
        f(t, rest.first(size));
        t.value += size;
        progress.advance(size);
    }
    return true;
}

/// Calls f(Tick, accesses) for each chunk, or the part of it in the range, as forEachBatch() does. With threads, a long
/// range is decoded in a thread of its own, ahead of `f`.
bool forEachChunk(const Trace& trace, Range range, Progress& progress, const ThreadRunner& threads,
                  const std::function<void(Tick, std::span<const PackedAccess>)>& f);

/// The tick of the first access that is not unrecorded; the size of the trace if there is none. Reads all accesses
/// before it.
Tick firstRecorded(const Trace& trace);

/// The maximum number of chunks of a trace that are counted, 1.6 million accesses: that takes some ten milliseconds,
/// and in a random sample of that size a share is off by less than 0.2 %.
inline constexpr std::size_t kMaxCountedChunks = 24;

/// The recorded accesses to each region, by index into Trace::regions(). In a trace of more chunks than
/// kMaxCountedChunks, counts only those of a fixed selection of chunks, spread evenly over the trace. An access
/// belongs to the region of its first byte.
std::vector<std::uint64_t> regionAccesses(const Trace& trace);

/// A function of a program, and its share of the recorded accesses.
struct BusyFunction {
    std::string name;  ///< empty: there is none
    double share = 0;
};

/// The function whose code makes most accesses, but for main, in which everything happens. Counts as regionAccesses()
/// does.
BusyFunction busiestFunction(const Trace& trace);

/// The memory that all accesses touch, by mapped address. Nothing if it was cancelled.
std::optional<Footprint> footprintOf(const TraceParts& parts, Progress& progress);

/// The memory that each CPU touches, by CPU. Nothing if it was cancelled.
std::optional<std::vector<Footprint>> footprintsByCpu(const TraceParts& parts, Progress& progress);

}  // namespace whorl::sim
