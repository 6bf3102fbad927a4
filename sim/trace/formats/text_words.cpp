#include "sim/trace/formats/text_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "sim/base/text.h"

namespace whorl::sim {
namespace {

constexpr std::size_t kShown = 60;

/// Parses a number in a base; nothing if the text is empty, has other characters, or overflows.
template <unsigned base>
std::optional<std::uint64_t> number(std::string_view text) {
    constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t value = 0;
    for (const char c : text) {
        const unsigned d = digit(c);
        if (d >= base || value > (kMax - d) / base) return std::nullopt;
        value = value * base + d;
    }
    if (text.empty()) return std::nullopt;
    return value;
}

bool isHexPrefixed(std::string_view text) {
    return text.starts_with("0x") || text.starts_with("0X");
}

constexpr std::string_view kPlainEscapes = "\"\\nrt";
constexpr std::string_view kEscaped = "\"\\\n\r\t";

bool isControl(char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

/// Removes an escape sequence from the front of a text and returns its character.
std::optional<char> takeEscape(std::string_view& text) {
    if (text.size() < 2) return std::nullopt;
    const std::size_t plain = kPlainEscapes.find(text[1]);
    if (plain != std::string_view::npos) {
        text.remove_prefix(2);
        return kEscaped[plain];
    }
    if (text[1] != 'x' || text.size() < 4) return std::nullopt;
    const auto code = hexNumber(text.substr(2, 2));
    if (!code) return std::nullopt;
    text.remove_prefix(4);
    return static_cast<char>(*code);
}

/// Removes a quoted word from the front of a text.
std::optional<Word> takeQuoted(std::string_view& text) {
    Word word{.text = {}, .quoted = true};
    text.remove_prefix(1);
    while (!text.empty() && text[0] != '"') {
        if (text[0] == '\\') {
            const auto c = takeEscape(text);
            if (!c) return std::nullopt;
            word.text += *c;
        } else {
            word.text += text[0];
            text.remove_prefix(1);
        }
    }
    if (text.empty()) return std::nullopt;
    text.remove_prefix(1);
    if (!text.empty() && std::string_view(" \t#").find(text[0]) == std::string_view::npos) return std::nullopt;
    return word;
}

}  // namespace

std::string_view withoutByteOrderMark(std::string_view text) {
    constexpr std::string_view kMark = "\xef\xbb\xbf";
    if (text.starts_with(kMark)) text.remove_prefix(kMark.size());
    return text;
}

std::string_view firstLine(std::string_view text) {
    text = text.substr(0, text.find('\n'));
    if (text.ends_with('\r')) text.remove_suffix(1);
    return text;
}

std::optional<std::uint64_t> hexNumber(std::string_view text) {
    return number<16>(isHexPrefixed(text) ? text.substr(2) : text);
}

std::optional<std::uint64_t> prefixedHexNumber(std::string_view text) {
    return isHexPrefixed(text) ? hexNumber(text) : std::nullopt;
}

std::optional<std::uint64_t> decimalNumber(std::string_view text) {
    return number<10>(text);
}

std::optional<std::uint64_t> anyNumber(std::string_view text) {
    return isHexPrefixed(text) ? number<16>(text.substr(2)) : number<10>(text);
}

bool likeAddress(std::string_view word) {
    if (word.starts_with('-')) word.remove_prefix(1);
    if (isHexPrefixed(word)) word.remove_prefix(2);
    return !word.empty() && std::all_of(word.begin(), word.end(), [](char c) { return digit(c) < 16; });
}

bool hasBaseOpen(std::string_view line) {
    const std::string_view letter = takeWord(line);
    const bool isAccess = letter.size() == 1 && std::string_view("RWMrwm").find(letter) != std::string_view::npos;
    if (!isAccess || !decimalNumber(takeWord(line))) return false;
    const std::string_view size = takeWord(line);
    return (size.empty() || decimalNumber(size)) && withoutBlanks(line).empty();
}

std::string shown(std::string_view text) {
    std::string out;
    std::size_t characters = 0;
    while (!text.empty()) {
        if (characters >= kShown) return out + "…";
        const std::size_t length = printableLength(text);
        if (length > 0) {
            out += text.substr(0, length);
            ++characters;
        } else {
            out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
            characters += 4;
        }
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return out;
}

std::optional<std::vector<Word>> splitWords(std::string_view text) {
    std::vector<Word> words;
    while (true) {
        text = withoutBlanks(text);
        if (text.empty() || text[0] == '#') return words;
        if (text[0] == '"') {
            auto word = takeQuoted(text);
            if (!word) return std::nullopt;
            words.push_back(std::move(*word));
        } else {
            words.push_back({.text = std::string(takeWord(text, '#')), .quoted = false});
        }
    }
}

std::string inQuotes(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        const std::size_t escape = kEscaped.find(c);
        if (escape != std::string_view::npos) {
            out += '\\';
            out += kPlainEscapes[escape];
        } else if (isControl(c)) {
            out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
        } else {
            out += c;
        }
    }
    return out + '"';
}

std::string asWord(std::string_view text) {
    const bool bare = !text.empty() && text[0] != '"' && std::none_of(text.begin(), text.end(), [](char c) {
        return c == ' ' || c == '#' || isControl(c);
    });
    return bare ? std::string(text) : inQuotes(text);
}

}  // namespace whorl::sim
