// Variable-length encoding of numbers: small numbers take few bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace whorl::sim {

/// Zigzag encoding: signed differences as unsigned numbers that are small near 0.
constexpr std::uint64_t folded(std::uint64_t difference) {
    return difference << 1 ^ (0 - (difference >> 63));
}
constexpr std::uint64_t unfolded(std::uint64_t f) {
    return f >> 1 ^ (0 - (f & 1));
}

inline constexpr std::size_t kMaxVarint = 10;  ///< bytes

/// Writes a number as a varint: 7 bits per byte, the lowest first; the last byte is below 128. `to` must have room for
/// kMaxVarint bytes. Returns the position after the varint.
inline char* putVarint(char* to, std::uint64_t n) {
    for (; n >= 128; n >>= 7) *to++ = static_cast<char>(n | 128);
    *to++ = static_cast<char>(n);
    return to;
}
inline void appendVarint(std::string& to, std::uint64_t n) {
    std::array<char, kMaxVarint> bytes;
    to.append(bytes.data(), putVarint(bytes.data(), n));
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
