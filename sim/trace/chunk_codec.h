// Compresses a chunk of a trace to about half a byte per access, and decodes more than a hundred million accesses per
// second. Chunks are independent of each other. The decoder does not trust its input: bytes that no encoder produced
// are rejected, or decode to valid accesses.
//
// Method: programs repeat themselves. A *key* identifies an instruction by what stays the same (its site, size, CPU,
// and whether it writes). Each access has a one-byte code for its key (the one that followed the previous key last
// time, or the time before; another known key; a new key) and its address: the key's last address plus its last step;
// the previous access's address plus the same offset as last time; or a residual of 1 to 8 bytes relative to the key's
// last address or to one of the seven preceding accesses. Codes, residuals and new keys are stored as columns, each
// compressed by zstd, which finds the loops in them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/trace/access.h"

namespace whorl::sim {

/// The maximum number of accesses in a chunk.
inline constexpr std::size_t kMaxChunk = std::size_t{1} << 16;

/// Encodes chunks, one after the other. Only the allocated tables are reused between chunks.
class ChunkEncoder {
  public:
    ChunkEncoder();
    ~ChunkEncoder();
    ChunkEncoder(ChunkEncoder&&) noexcept;
    ChunkEncoder& operator=(ChunkEncoder&&) noexcept;

    /// Encodes 1 to kMaxChunk accesses. `stamps` (when each was captured, in any unit) has as many entries or is empty.
    std::string encode(std::span<const PackedAccess> accesses, std::span<const std::uint64_t> stamps = {});

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Decodes chunks. Returned spans belong to the decoder and are valid until the next call.
class ChunkDecoder {
  public:
    ChunkDecoder();
    ~ChunkDecoder();
    ChunkDecoder(ChunkDecoder&&) noexcept;
    ChunkDecoder& operator=(ChunkDecoder&&) noexcept;

    /// The accesses of a chunk; empty if the bytes are not a valid chunk, or a site is not below `sites`, or a CPU not
    /// below `cpus`. The caller may modify them.
    std::span<PackedAccess> decode(std::string_view bytes, std::uint64_t sites, std::uint32_t cpus = kMaxCpus);
    /// The stamps of a chunk: as many as it has accesses, or empty if it has none or they are invalid.
    std::span<const std::uint64_t> decodeStamps(std::string_view bytes);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// The header of a chunk.
struct ChunkHead {
    std::uint32_t accesses = 0;  ///< 1 to kMaxChunk; 0 if this is not a chunk
    bool stamped = false;
};
ChunkHead chunkHead(std::string_view bytes);

}  // namespace whorl::sim
