// The loop under all that goes through the accesses of a trace: in their order, many at a time, with progress and
// cancellation.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

#include "sim/base/progress.h"
#include "sim/base/types.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// Calls f(Tick, std::span<const PackedAccess>) with batches of neighbouring accesses, of which the first has the tick,
/// until the range or the trace ends. mostFrom(Tick) gives the most accesses of the batch that begins there, at least
/// one; no batch goes beyond a chunk. Progress advances by the accesses of each batch. False when it was cancelled,
/// which is looked at before each batch.
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
