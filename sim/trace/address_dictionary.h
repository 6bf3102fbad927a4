// Addresses to which a program returns irregularly, such as the nodes of a list, each with the addresses that followed
// it. Shared by packs (see pack_codec.h): a pack can refer to addresses used long ago without depending on another
// pack.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/trace/access.h"
#include "sim/trace/column_codec.h"

namespace whorl::sim {

/// An entry is referred to by its index. Entries are in order of address, which takes the least space. If there are
/// many and most have successors, entries that follow each other are neighbours instead, so that decoding does not wait
/// for memory.
class AddressDictionary {
  public:
    /// The maximum number of entries, which are unpacked in about 5 ms.
    static constexpr std::size_t kMaxEntries = std::size_t{1} << 19;
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};

    struct Entry {
        std::uint64_t address = 0;
        std::array<std::uint32_t, 2> next = {kNone, kNone};  ///< the entries that followed most often

        bool operator==(const Entry&) const = default;
    };

    AddressDictionary() = default;
    explicit AddressDictionary(std::vector<Entry> entries) : entries_(std::move(entries)) {}
    /// Builds a dictionary for consecutive accesses. It has at most half as many entries as accesses, which may exceed
    /// kMaxEntries.
    static AddressDictionary of(std::span<const PackedAccess> accesses);

    const std::vector<Entry>& entries() const { return entries_; }
    bool empty() const { return entries_.empty(); }

    std::string packed(Effort effort) const;
    /// Decodes the result of packed(); nothing if the bytes are not a valid dictionary.
    static std::optional<AddressDictionary> unpacked(std::string_view bytes);

  private:
    std::vector<Entry> entries_;
};

/// Finds entries by address.
class AddressFinder {
  public:
    explicit AddressFinder(std::span<const AddressDictionary::Entry> entries);

    /// The index of the entry with an address, or AddressDictionary::kNone.
    std::uint32_t find(std::uint64_t address) const;
    /// Has the memory fetched that find() will read for the i-th of some accesses and the next ones: call it for each.
    template <class AddressOf>
    void fetch(std::size_t i, std::size_t size, const AddressOf& addressOf) const {
        if (i + 2 * kAhead < size) __builtin_prefetch(&slots_[slotOf(addressOf(i + 2 * kAhead))]);
        if (i + kAhead >= size) return;
        const std::uint32_t index = slots_[slotOf(addressOf(i + kAhead))];
        if (index != AddressDictionary::kNone) __builtin_prefetch(&entries_[index]);
    }

  private:
    static constexpr std::size_t kAhead = 8;  ///< as many accesses take as long as memory does

    std::span<const AddressDictionary::Entry> entries_;
    std::vector<std::uint32_t> slots_;  ///< hash table of indices, with open addressing; a power of two

    std::size_t slotOf(std::uint64_t address) const {
        // Regular distances must not become runs of slots.
        std::uint64_t hash = address * 0x9e3779b97f4a7c15;
        hash = (hash ^ hash >> 32) * 0xd6e8feb86659fd93;
        return hash >> 32 & (slots_.size() - 1);
    }
};

}  // namespace whorl::sim
