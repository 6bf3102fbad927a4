// Small text helpers, mainly for error messages (lists, suggestions of similar names, quoting, numbers), the characters
// of texts in UTF-8, and digits.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace whorl::sim {

/// The name most similar to `word` by edit distance, or null if none is close enough: at most a third of the letters
/// (but always one) may be wrong, missing, extra or swapped with a neighbour. Case is ignored.
const std::string* nearestName(std::string_view word, std::span<const std::string> names);

/// "a", "a and b", "a, b and c"; `last` is the conjunction.
std::string joinNames(std::span<const std::string> names, std::string_view last = "and");

/// `did you mean "x"? ` if a name is similar to `word`, else empty: the start of a hint.
std::string didYouMean(std::string_view word, std::span<const std::string> names);

/// The text in double quotes, for use in a sentence: cut to 40 bytes, on one line, without control characters.
std::string quotedText(std::string_view text);

/// The first names in double quotes, and the number of further ones: `"a", "b", … and 7 more`.
std::string firstNames(std::span<const std::string> names, std::size_t most);

/// The text without leading and trailing whitespace.
std::string_view trimmed(std::string_view text);

/// Whether two names are the same, but for the case of ASCII letters.
bool sameName(std::string_view a, std::string_view b);

/// Parses a text of decimal digits only; nothing for any other text or a number beyond 64 bits.
std::optional<std::uint64_t> wholeNumber(std::string_view text);

/// Parses a number of bytes: "1536", "32K", "1M", "2g", "32KiB" (K is 1024). Nothing for other text or numbers beyond
/// 64 bits.
std::optional<std::uint64_t> parseBytes(std::string_view text);

/// A number of bytes in words, rounded to three digits: "512 bytes", "64 KB", "3.25 GB" (K is 1024).
std::string bytesInWords(std::uint64_t bytes);

/// A count in words, rounded: "512", "64.0 K", "12.4 M" (K is 1000).
std::string countInWords(std::uint64_t count);

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

/// Digit values by table lookup: most of a text trace is numbers.
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
