// Random access to the accesses of a trace: decodes them chunk by chunk, applies the trace's address map, and caches
// the last chunk. Use one per thread. It does not own the trace, which must outlive its use.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sim/base/types.h"
#include "sim/trace/access.h"
#include "sim/trace/packed_accesses.h"

namespace whorl::sim {

class Trace;

/// Returned spans belong to the cursor and are valid until it decodes another chunk.
class TraceCursor {
  public:
    explicit TraceCursor(const Trace& trace);

    /// The accesses of a chunk: Trace::kChunk of them, or fewer in the last.
    std::span<const PackedAccess> chunk(std::size_t index);
    /// The accesses from tick t to the end of its chunk; empty at the end of the trace.
    std::span<const PackedAccess> from(Tick t);
    /// The access at tick t, which must exist.
    Access at(Tick t);
    /// When each access of a chunk was captured, in the capturing tool's unit; empty if unknown.
    std::span<const std::uint64_t> stamps(std::size_t index);

    /// Calls f(Tick, const Access&) for each access in [from, to), up to the end of the trace.
    template <class F>
    void forEach(Tick from, Tick to, F&& f) {
        for (std::uint64_t t = from.value; t < to.value;) {
            const std::span<const PackedAccess> rest = this->from(Tick{t});
            if (rest.empty()) return;
            const std::uint64_t stop = std::min<std::uint64_t>(to.value, t + rest.size());
            for (const PackedAccess& access : rest.first(stop - t)) f(Tick{t++}, access.unpack());
        }
    }

  private:
    friend class CursorLoan;

    const Trace* trace_;
    std::uint64_t serial_;  ///< of the trace of the cached chunk
    std::size_t kept_;      ///< index of the cached chunk
    std::span<const PackedAccess> accesses_;
    std::vector<PackedAccess> unsound_;  ///< replaces a chunk that cannot be decoded
    ChunkReader reader_;
};

/// Lends the thread's cursor, which may have the chunk cached already, or a new one if that is in use.
class CursorLoan {
  public:
    explicit CursorLoan(const Trace& trace);
    CursorLoan(const CursorLoan&) = delete;
    CursorLoan& operator=(const CursorLoan&) = delete;
    ~CursorLoan();

    TraceCursor& cursor() const { return *cursor_; }

  private:
    std::unique_ptr<TraceCursor> cursor_;
};

}  // namespace whorl::sim
