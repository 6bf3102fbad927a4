// Characters of text in UTF-8.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace whorl::sim {

/// The length in bytes of the character at the start of a text, 1 to 4. 0 if the text is empty or its first bytes are
/// not valid UTF-8, which excludes overlong forms, surrogates and code points beyond U+10FFFF.
constexpr std::size_t characterLength(std::string_view text) {
    if (text.empty()) return 0;
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned first = byte(0);
    if (first < 0x80) return 1;
    const std::size_t length = first >= 0xf5 ? 0 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
    if (length == 0 || length > text.size()) return 0;
    const unsigned least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    const unsigned most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    if (byte(1) < least || byte(1) > most) return 0;
    for (std::size_t i = 2; i < length; ++i) {
        if ((byte(i) & 0xc0u) != 0x80) return 0;
    }
    return length;
}

/// The length of a printable character, as characterLength() counts it; 0 also for a control character, which could
/// command a terminal.
constexpr std::size_t printableLength(std::string_view text) {
    const std::size_t length = characterLength(text);
    const bool isControl = (length == 1 && (static_cast<unsigned char>(text[0]) < 0x20 || text[0] == 0x7f)) ||
                           (length == 2 && text[0] == '\xc2' && static_cast<unsigned char>(text[1]) < 0xa0);
    return isControl ? 0 : length;
}

/// The number of characters in a text that is UTF-8 throughout.
constexpr std::size_t characterCount(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(
        text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0u) != 0x80; }));
}

/// Appends a character, given as its code point.
inline void appendCharacter(std::string& to, std::uint32_t code) {
    const auto tail = [&](unsigned shift) { to += static_cast<char>(0x80 | (code >> shift & 0x3f)); };
    if (code < 0x80) {
        to += static_cast<char>(code);
    } else if (code < 0x800) {
        to += static_cast<char>(0xc0 | code >> 6);
        tail(0);
    } else if (code < 0x10000) {
        to += static_cast<char>(0xe0 | code >> 12);
        tail(6);
        tail(0);
    } else {
        to += static_cast<char>(0xf0 | code >> 18);
        tail(12);
        tail(6);
        tail(0);
    }
}

}  // namespace whorl::sim
