// Compresses the accesses of a trace to about half a byte per access, and decodes more than a hundred million accesses
// per second. A pack holds one or more chunks; it depends on no other pack. The decoder does not trust its input: bytes
// that no encoder produced are rejected, or decode to valid accesses.
//
// Method: programs repeat themselves. A *key* identifies an instruction by its constant properties (site, size, CPU,
// and whether it writes). Each access has a one-byte code for its key (the one that followed the previous key last
// time, or the time before; another known key; a new key) and its address: the key's last address plus its last step;
// the previous access's address plus the same offset as last time; a residual of 1 to 8 bytes relative to the key's
// last address, to one of the seven preceding accesses, or to 0; or, if the pack has a dictionary
// (address_dictionary.h), an entry of it, by its number or as a successor of another entry. Codes, residuals, entry
// numbers and new keys are stored as columns, each compressed by zstd, which finds the loops in them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/trace/access.h"
#include "sim/trace/column_codec.h"

namespace whorl::sim {

class AddressDictionary;
class AddressFinder;
class SuccessorMeter;

/// The maximum number of accesses in a chunk.
inline constexpr std::size_t kMaxChunk = std::size_t{1} << 16;
/// The maximum number of chunks in a pack. Decoding the last chunk requires decoding the others, which takes up to 1 ms
/// each.
inline constexpr std::size_t kMaxPackChunks = 8;

/// A dictionary for an encoder, and the number by which the decoder requests it.
struct DictionaryUse {
    const AddressDictionary* dictionary = nullptr;
    const AddressFinder* finder = nullptr;
    std::uint32_t number = 0;  ///< from 1; 0: none
};

/// Encodes packs, one after the other. Only the allocated tables are reused between packs.
class PackEncoder {
  public:
    PackEncoder();
    ~PackEncoder();
    PackEncoder(PackEncoder&&) noexcept;
    PackEncoder& operator=(PackEncoder&&) noexcept;

    /// Begins a pack. `absolute`: residuals relative to 0 are preferred unless others are shorter, which suits random
    /// addresses. `meter`, if given, sees the accesses of the pack.
    void start(const DictionaryUse& use = {}, bool absolute = false, SuccessorMeter* meter = nullptr);
    /// Adds a chunk, or a part of one: a chunk has 1 to kMaxChunk accesses, kMaxChunk in all but the last. `stamps`
    /// (the times of capture, in any unit) has one entry per access or is empty, in all chunks or in none.
    void add(std::span<const PackedAccess> accesses, std::span<const std::uint64_t> stamps = {});
    /// About the size of the pack, with Effort::quick.
    std::size_t quickBytes();
    /// The pack that was begun. May be called repeatedly, with different efforts.
    std::string finish(Effort effort);

    /// A pack of one chunk, for memory: quickly packed, and as quick to decode as possible.
    std::string finishQuickly();
    /// start(), add() and finishQuickly().
    std::string encode(std::span<const PackedAccess> accesses, std::span<const std::uint64_t> stamps = {});

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Decodes packs, of this version and of version 1. Returned spans belong to the decoder and are valid until the next
/// call of the same function.
class PackDecoder {
  public:
    PackDecoder();
    ~PackDecoder();
    PackDecoder(PackDecoder&&) noexcept;
    PackDecoder& operator=(PackDecoder&&) noexcept;

    /// Begins to decode a pack. `dictionary` is the one that packHead() names, or null; it must outlive the decoding.
    /// False if the bytes are not a valid pack, or a site is not below `sites`, or a CPU not below `cpus`.
    bool open(std::string_view bytes, std::uint64_t sites, std::uint32_t cpus = kMaxCpus,
              const AddressDictionary* dictionary = nullptr);
    /// The next chunk of the pack; empty after the last, or if the rest of the pack is invalid. The caller may modify
    /// it.
    std::span<PackedAccess> next();
    /// Gives the memory of the last chunk away, which stays valid there, and uses this memory for the next.
    void exchange(std::vector<PackedAccess>& memory);
    /// The stamps of a pack, one per access; empty if it has none or they are invalid. Does not disturb the decoding of
    /// a pack, be it the same or another.
    std::span<const std::uint64_t> decodeStamps(std::string_view bytes);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// The header of a pack.
struct PackHead {
    std::uint32_t accesses = 0;    ///< 1 to kMaxChunk * kMaxPackChunks; 0 if this is not a pack
    std::uint32_t dictionary = 0;  ///< number of the dictionary that it needs; 0: none
    bool stamped = false;
};
PackHead packHead(std::string_view bytes);

}  // namespace whorl::sim
