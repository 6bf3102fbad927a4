// Definitions that the encoder and the decoder of packs share: the columns, the codes, and the prediction state.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace whorl::sim {

/// The first bytes of a pack. (A pack of version 1 begins with its number of accesses, which is smaller.)
inline constexpr std::uint32_t kPackMark = 0x4b434150;  // "PACK"

/// The columns of a pack, in the order in which they are stored. Numbers of several bytes have a column for each byte,
/// since bytes of the same weight resemble each other most.
enum class PackColumn : std::uint8_t {
    codes,
    residuals,  ///< all bytes of the residuals, or only the lowest ones
    residuals1,
    residuals2,
    residuals3,  ///< the fourth byte and those after it
    entries,
    entries1,
    entries2,
    knownKeys,
    knownKeys1,
    knownKeys2,
    keySites,
    keyRests,
    stamps
};
inline constexpr std::size_t kPackColumns = 14;
inline constexpr std::size_t kResidualColumns = 4;

/// The lower two bits of a code: how to find the key of an access.
enum class KeyFrom : std::uint8_t { successor, otherSuccessor, knownKeys, isNew };

/// The upper six bits of a code: how to find the address.
inline constexpr unsigned kByStep = 0;    ///< the key's last address plus its last step
inline constexpr unsigned kByOffset = 1;  ///< the preceding access's address plus the key's last offset from it
/// From here on, a residual of one of six widths relative to one of eight bases.
inline constexpr unsigned kByResidual = 2;
inline constexpr std::array<std::uint8_t, 6> kWidths = {1, 2, 3, 4, 6, 8};
inline constexpr unsigned kBases = 8;  ///< base 0: the key's last address; base n: the n-th access before
/// From here on, a residual of one of six widths relative to 0.
inline constexpr unsigned kAbsolute = kByResidual + kBases * kWidths.size();
/// From here on, with the help of a dictionary: an entry; a successor of the last entry accessed; a successor of the
/// last entry that the key accessed.
inline constexpr unsigned kByEntry = kAbsolute + kWidths.size();
inline constexpr unsigned kAfterLast = kByEntry + 1;
inline constexpr unsigned kAfterKeys = kAfterLast + 2;
inline constexpr unsigned kAddressCodes = kAfterKeys + 2;
static_assert(kAddressCodes <= 64);

/// The prediction state of a key. Key 0 precedes the first access and is never a successor, so as a successor it means
/// "a new key".
struct ChunkKey {
    std::uint64_t last = 0;    ///< the key's last address
    std::uint64_t step = 0;    ///< last address minus the one before
    std::uint64_t offset = 0;  ///< last address minus that of the access that preceded it
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

/// Rotates flags and CPU to the low bits, so that the varint mostly takes one or two bytes.
constexpr std::uint32_t turned(std::uint32_t rest) {
    return rest << 9 | rest >> 23;
}
constexpr std::uint32_t turnedBack(std::uint32_t rest) {
    return rest >> 9 | rest << 23;
}

}  // namespace whorl::sim
