// Packs a chunk of a trace into about half a byte an access, and unpacks it at more than a hundred million accesses a
// second. A chunk can be unpacked without any other. Nothing is trusted on the way back: bytes that no encoder made are
// refused, or give accesses that are possible.
//
// How: a program does again what it did before. A *key* is what an instruction keeps from one time to the next (its
// site, size, CPU, and whether it writes). For each access a byte of code tells the key (that which followed the key
// before the last time, or the time before that; or a known one; or a new one) and the address: on from the last
// address of the key by the same step as last time; as far from the access before as last time; or at a residual, of 1
// to 8 bytes, from the last address of the key or from one of the seven accesses before. Codes, residuals and what is
// new are columns, each packed by zstd, which sees the loops in them.
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

/// The most accesses that a chunk can have.
inline constexpr std::size_t kMaxChunk = std::size_t{1} << 16;

/// Packs chunks, one after the other; it keeps its tables, and nothing else, between them.
class ChunkEncoder {
  public:
    ChunkEncoder();
    ~ChunkEncoder();
    ChunkEncoder(ChunkEncoder&&) noexcept;
    ChunkEncoder& operator=(ChunkEncoder&&) noexcept;

    /// Packs 1 to kMaxChunk accesses; `stamps` (when each was captured, in any unit) has as many, or is empty.
    std::string encode(std::span<const PackedAccess> accesses, std::span<const std::uint64_t> stamps = {});

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Unpacks chunks. What it gives is its own and is valid until the next call.
class ChunkDecoder {
  public:
    ChunkDecoder();
    ~ChunkDecoder();
    ChunkDecoder(ChunkDecoder&&) noexcept;
    ChunkDecoder& operator=(ChunkDecoder&&) noexcept;

    /// The accesses of a chunk; none when the bytes are not those of a chunk, or when a site is not below `sites`, or a
    /// CPU not below `cpus`. The caller may change them.
    std::span<PackedAccess> decode(std::string_view bytes, std::uint64_t sites, std::uint32_t cpus = kMaxCpus);
    /// The stamps of a chunk: as many as it has accesses, or none when it has none or they are not sound.
    std::span<const std::uint64_t> decodeStamps(std::string_view bytes);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// What the head of a chunk says, without a look at the rest.
struct ChunkHead {
    std::uint32_t accesses = 0;  ///< 1 to kMaxChunk; 0 when this is no chunk
    bool stamped = false;
};
ChunkHead chunkHead(std::string_view bytes);

}  // namespace whorl::sim
