// The accesses of a trace in their stored form, the same in memory and in files: packs, and the dictionaries that some
// packs need.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/trace/address_dictionary.h"
#include "sim/trace/pack_codec.h"

namespace whorl::sim {

/// A store of packs outside of memory.
class PackStore {
  public:
    virtual ~PackStore() = default;
    /// Stores a pack. Returns the stored bytes, valid as long as the store lives; empty if it could not be stored.
    virtual std::string_view keep(std::string_view pack) = 0;
};

class PackedAccesses {
  public:
    PackedAccesses() = default;
    PackedAccesses(PackedAccesses&&) = default;
    PackedAccesses& operator=(PackedAccesses&&) = default;

    /// The location of a chunk.
    struct Place {
        std::uint32_t pack = 0;
        std::uint32_t before = 0;  ///< chunks before it in the same pack
    };

    /// Appends a pack. All chunks must be full except the last one of the last pack.
    void add(std::string pack);
    /// Appends a pack whose bytes a store keeps.
    void add(std::string_view kept, std::shared_ptr<const PackStore> store);
    /// Appends a dictionary; the first has number 1.
    void addDictionary(std::string dictionary);

    std::size_t chunks() const { return places_.size(); }
    Place placeOf(std::size_t chunk) const { return places_[chunk]; }
    const std::vector<std::string_view>& packs() const { return packs_; }
    /// The bytes of a dictionary; empty if there is none with that number.
    std::string_view dictionary(std::uint32_t number) const;
    /// Memory used, in bytes, without the packs that a store keeps.
    std::size_t bytes() const { return bytes_; }

    bool operator==(const PackedAccesses& other) const {
        return packs_ == other.packs_ && dictionaries_ == other.dictionaries_;
    }

  private:
    std::vector<std::string_view> packs_;
    std::deque<std::string> owned_;  ///< bytes of packs that no store keeps; their addresses do not change
    std::shared_ptr<const PackStore> store_;
    std::vector<std::string> dictionaries_;
    std::vector<Place> places_;  ///< by chunk
    std::size_t bytes_ = 0;      ///< bytes of packs and dictionaries

    void place(std::string_view pack);
};

/// Decodes chunks of packed accesses in any order; consecutive chunks cost least. Returned spans belong to the reader
/// and are valid until the next call of the same function.
class ChunkReader {
  public:
    /// The accesses of a chunk, which the caller may modify; empty if they are invalid, or a site is not below `sites`,
    /// or a CPU not below `cpus`. `from` must not have changed since the last call, unless forget() was called.
    std::span<PackedAccess> chunk(const PackedAccesses& from, std::size_t index, std::uint64_t sites,
                                  std::uint32_t cpus);
    /// See PackDecoder::exchange().
    void exchange(std::vector<PackedAccess>& memory) { decoder_.exchange(memory); }
    /// The stamps of a chunk, one per access; or empty.
    std::span<const std::uint64_t> stamps(const PackedAccesses& from, std::size_t index);
    /// Discards the decoding state: required before a call with other accesses.
    void forget();

  private:
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};

    PackDecoder decoder_;
    std::uint32_t open_ = kNone;  ///< the pack being decoded
    std::uint32_t next_ = 0;      ///< its next chunk
    std::uint32_t number_ = 0;    ///< number of the unpacked dictionary
    std::optional<AddressDictionary> dictionary_;
    std::uint32_t stamped_ = kNone;  ///< the pack whose stamps are decoded
    std::span<const std::uint64_t> stamps_;

    const AddressDictionary* dictionary(const PackedAccesses& from, std::uint32_t number);
};

}  // namespace whorl::sim
