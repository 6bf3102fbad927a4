// The accesses of a trace as stored, in memory as in files: packs, and the dictionaries that some of them need.
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

/// Keeps packs elsewhere than in memory.
class PackStore {
  public:
    virtual ~PackStore() = default;
    /// The pack where it is from now on, as long as the store lives; empty if it could not be kept.
    virtual std::string_view keep(std::string_view pack) = 0;
};

class PackedAccesses {
  public:
    PackedAccesses() = default;
    PackedAccesses(PackedAccesses&&) = default;
    PackedAccesses& operator=(PackedAccesses&&) = default;

    /// Where a chunk is.
    struct Place {
        std::uint32_t pack = 0;
        std::uint32_t before = 0;  ///< chunks of the same pack that come before it
    };

    /// Appends a pack, of which all chunks but the last of the last pack are full.
    void add(std::string pack);
    /// The same for a pack that a store keeps.
    void add(std::string_view kept, std::shared_ptr<const PackStore> store);
    /// Appends a dictionary; the first has number 1.
    void addDictionary(std::string dictionary);

    std::size_t chunks() const { return places_.size(); }
    Place placeOf(std::size_t chunk) const { return places_[chunk]; }
    const std::vector<std::string_view>& packs() const { return packs_; }
    /// The bytes of a dictionary; empty if there is none of that number.
    std::string_view dictionary(std::uint32_t number) const;
    /// The memory that all takes; not what a store keeps.
    std::size_t bytes() const { return bytes_; }

    bool operator==(const PackedAccesses& other) const {
        return packs_ == other.packs_ && dictionaries_ == other.dictionaries_;
    }

  private:
    std::vector<std::string_view> packs_;
    std::deque<std::string> owned_;  ///< the bytes of packs that no store keeps; they stay where they are
    std::shared_ptr<const PackStore> store_;
    std::vector<std::string> dictionaries_;
    std::vector<Place> places_;  ///< of each chunk
    std::size_t bytes_ = 0;      ///< of packs and dictionaries

    void place(std::string_view pack);
};

/// Decodes chunks of packed accesses in any order; a chunk after the one before costs least. Returned spans belong to
/// the reader and are valid until the next call of the same function.
class ChunkReader {
  public:
    /// The accesses of a chunk, which the caller may modify; empty if they are invalid, or a site is not below `sites`,
    /// or a CPU not below `cpus`. Nothing of `from` may have changed since the last call, unless forget() was called.
    std::span<PackedAccess> chunk(const PackedAccesses& from, std::size_t index, std::uint64_t sites,
                                  std::uint32_t cpus);
    /// The stamps of a chunk: as many as it has accesses, or empty.
    std::span<const std::uint64_t> stamps(const PackedAccesses& from, std::size_t index);
    /// The next call is about other accesses.
    void forget();

  private:
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};

    PackDecoder decoder_;
    std::uint32_t open_ = kNone;  ///< the pack being decoded
    std::uint32_t next_ = 0;      ///< its next chunk
    std::uint32_t number_ = 0;    ///< of the dictionary
    std::optional<AddressDictionary> dictionary_;
    std::uint32_t stamped_ = kNone;  ///< the pack whose stamps are decoded
    std::span<const std::uint64_t> stamps_;

    const AddressDictionary* dictionary(const PackedAccesses& from, std::uint32_t number);
};

}  // namespace whorl::sim
