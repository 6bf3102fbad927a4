// What encoder and decoder of chunks share: the columns, the codes, and the prediction state.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace whorl::sim {

/// The columns of a chunk, in the order in which they are stored.
enum class ChunkColumn : std::uint8_t { codes, residuals, knownKeys, keySites, keyRests, stamps };
inline constexpr std::size_t kColumns = 6;

/// The header of a chunk as stored; the compressed columns follow.
struct ChunkLayout {
    std::uint32_t accesses = 0;
    std::uint32_t keys = 0;
    std::array<std::uint32_t, kColumns> plainBytes{};
    std::array<std::uint32_t, kColumns> packedBytes{};
};

/// The lower two bits of a code: how the key of an access is found.
enum class KeyFrom : std::uint8_t { successor, otherSuccessor, knownKeys, isNew };

/// The upper six bits of a code: 0 repeats the key's step, 1 repeats its offset from the preceding access, and values
/// from 2 on are a residual of one of six widths relative to one of eight bases.
inline constexpr unsigned kByStep = 0;
inline constexpr unsigned kByOffset = 1;
inline constexpr unsigned kByResidual = 2;
inline constexpr std::array<std::uint8_t, 6> kWidths = {1, 2, 3, 4, 6, 8};
inline constexpr unsigned kBases = 8;  ///< base 0: the key's last address; base n: the n-th access before
inline constexpr unsigned kAddressCodes = kByResidual + kBases * kWidths.size();
static_assert(kAddressCodes <= 64);

/// The prediction state of a key. Key 0 stands before the first access and is never a successor, so as a successor it
/// means "a new key".
struct ChunkKey {
    std::uint64_t last = 0;    ///< its last address
    std::uint64_t step = 0;    ///< last address minus the one before
    std::uint64_t offset = 0;  ///< last address minus that of the preceding access then
    std::uint32_t site = 0;
    std::uint32_t rest = 0;

    void moveTo(std::uint64_t address, std::uint64_t before) {
        step = address - last;
        offset = address - before;
        last = address;
    }
};

/// The key that followed a key last time, and the last different one before that.
struct Successors {
    std::uint32_t recent = 0;
    std::uint32_t other = 0;

    void follow(std::uint32_t key) {
        other = recent == key ? other : recent;
        recent = key;
    }
};

/// Zigzag encoding: signed differences as unsigned numbers that are small near 0.
constexpr std::uint64_t folded(std::uint64_t difference) {
    return difference << 1 ^ (0 - (difference >> 63));
}
constexpr std::uint64_t unfolded(std::uint64_t f) {
    return f >> 1 ^ (0 - (f & 1));
}

/// Rotates flags and CPU to the low bits, so that the number mostly takes one or two bytes.
constexpr std::uint32_t turned(std::uint32_t rest) {
    return rest << 9 | rest >> 23;
}
constexpr std::uint32_t turnedBack(std::uint32_t rest) {
    return rest >> 9 | rest << 23;
}

/// Appends a number as a varint: 7 bits per byte, the lowest first; the last byte is below 128.
inline void appendVarint(std::string& to, std::uint64_t n) {
    for (; n >= 128; n >>= 7) to += static_cast<char>(n | 128);
    to += static_cast<char>(n);
}

/// Removes a varint from the front of a text. False if there is none.
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
