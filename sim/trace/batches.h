// The loop that all passes over the accesses of a trace use: in order and in batches, with progress and cancellation.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

#include "sim/base/progress.h"
#include "sim/base/types.h"
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

}  // namespace whorl::sim
