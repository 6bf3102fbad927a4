// Looks into the accesses of a trace, which are packed: unpacks them chunk by chunk and keeps the last one. One for
// each thread. Where things lie in another way than in the chunks, it moves the accesses. It does not own the trace,
// which must be there when it is asked.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sim/base/types.h"
#include "sim/trace/access.h"
#include "sim/trace/chunk_codec.h"

namespace whorl::sim {

class Trace;

/// What it gives is its own and is valid until it is asked for another chunk.
class TraceCursor {
  public:
    explicit TraceCursor(const Trace& trace);

    /// The accesses of a chunk: Trace::kChunk of them, or fewer in the last.
    std::span<const PackedAccess> chunk(std::size_t index);
    /// From an access on to the end of its chunk; nothing at the end of the trace.
    std::span<const PackedAccess> from(Tick t);
    /// One access, which there must be.
    Access at(Tick t);
    /// When each access of a chunk was captured, in the unit of whoever captured it; empty when it is not known.
    std::span<const std::uint64_t> stamps(std::size_t index);

    /// Calls f(Tick, const Access&) for each access in [from, to), at most to the end.
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
    std::uint64_t serial_;  ///< of the trace that the chunk is from
    std::size_t kept_;      ///< the chunk that is unpacked
    std::span<const PackedAccess> accesses_;
    std::vector<PackedAccess> unsound_;  ///< in place of a chunk that cannot be unpacked
    ChunkDecoder decoder_;
};

/// A cursor for a short while: that of the thread, which may have the chunk already, or a new one when it is on loan.
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
