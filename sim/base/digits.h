// Digit values by table lookup: most of a text trace is numbers.
#pragma once

#include <array>
#include <cstdint>

namespace whorl::sim {

inline constexpr std::array<std::uint8_t, 256> kDigits = [] {
    std::array<std::uint8_t, 256> table{};
    table.fill(0xff);
    for (unsigned i = 0; i < 10; ++i) table['0' + i] = static_cast<std::uint8_t>(i);
    for (unsigned i = 0; i < 6; ++i) {
        table['a' + i] = static_cast<std::uint8_t>(10 + i);
        table['A' + i] = static_cast<std::uint8_t>(10 + i);
    }
    return table;
}();

/// The value of a decimal or hex digit; 255 for any other character.
inline unsigned digit(char c) {
    return kDigits[static_cast<unsigned char>(c)];
}

}  // namespace whorl::sim
