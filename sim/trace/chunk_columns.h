// What the two halves of the chunk codec must agree on: the columns, the codes, and the state that both keep.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace whorl::sim {

/// The columns of a chunk, in the order in which they stand in it.
enum class ChunkColumn : std::uint8_t { codes, residuals, knownKeys, keySites, keyRests, stamps };
inline constexpr std::size_t kColumns = 6;

/// The head of a chunk, as it stands in it: then come the columns, packed.
struct ChunkLayout {
    std::uint32_t accesses = 0;
    std::uint32_t keys = 0;
    std::array<std::uint32_t, kColumns> plainBytes{};
    std::array<std::uint32_t, kColumns> packedBytes{};
};

/// The lower two bits of a code: where the key of an access comes from.
enum class KeyFrom : std::uint8_t { successor, otherSuccessor, knownKeys, isNew };

/// The upper six bits of a code: 0 the key's step again, 1 the same way from the access before as last time, and from 2
/// on a residual, of one of six widths, from one of eight bases.
inline constexpr unsigned kByStep = 0;
inline constexpr unsigned kByOffset = 1;
inline constexpr unsigned kByResidual = 2;
inline constexpr std::array<std::uint8_t, 6> kWidths = {1, 2, 3, 4, 6, 8};
inline constexpr unsigned kBases = 8;  ///< base 0: the key's last address; base n: the n-th access before
inline constexpr unsigned kAddressCodes = kByResidual + kBases * kWidths.size();
static_assert(kAddressCodes <= 64);

/// What is known of a key. Key 0 is before the first access: nothing leads to it, so as a successor it is "a new one".
struct ChunkKey {
    std::uint64_t last = 0;    ///< its last address
    std::uint64_t step = 0;    ///< from the address before that to the last
    std::uint64_t offset = 0;  ///< from the access before it, the last time
    std::uint32_t site = 0;
    std::uint32_t rest = 0;

    void moveTo(std::uint64_t address, std::uint64_t before) {
        step = address - last;
        offset = address - before;
        last = address;
    }
};

/// The keys that followed a key the last time, and before that another one.
struct Successors {
    std::uint32_t recent = 0;
    std::uint32_t other = 0;

    void follow(std::uint32_t key) {
        other = recent == key ? other : recent;
        recent = key;
    }
};

/// Signed numbers as unsigned ones that are small when they are near 0.
constexpr std::uint64_t folded(std::uint64_t difference) {
    return difference << 1 ^ (0 - (difference >> 63));
}
constexpr std::uint64_t unfolded(std::uint64_t f) {
    return f >> 1 ^ (0 - (f & 1));
}

/// Flags and CPU first: a number whose size is most often one or two bytes.
constexpr std::uint32_t turned(std::uint32_t rest) {
    return rest << 9 | rest >> 23;
}
constexpr std::uint32_t turnedBack(std::uint32_t rest) {
    return rest >> 9 | rest << 23;
}

/// Appends a number in as few bytes as it needs, 7 bits a byte, the lowest first; the last byte is below 128.
inline void appendVarint(std::string& to, std::uint64_t n) {
    for (; n >= 128; n >>= 7) to += static_cast<char>(n | 128);
    to += static_cast<char>(n);
}

/// Takes such a number off a text. False when there is none.
inline bool readVarint(std::string_view& from, std::uint64_t& n) {
    n = 0;
    for (unsigned shift = 0; shift < 64 && !from.empty(); shift += 7) {
        const auto byte = static_cast<unsigned char>(from[0]);
        from.remove_prefix(1);
        n |= std::uint64_t{byte & 127u} << shift;
        if (byte < 128) return true;
    }
    return false;
}

}  // namespace whorl::sim
