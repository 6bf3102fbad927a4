#include "sim/trace/formats/line_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "sim/base/digits.h"
#include "sim/base/utf8.h"

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

}  // namespace

bool LineReader::refuseAddress(std::string_view word, std::string form, bool noise) {
    if (word.empty()) return refuse("no address", std::move(form), noise);
    const std::string_view why = !likeAddress(word)      ? ""
                                 : word.starts_with('-') ? ": it is negative"
                                 : hexNumber(word)       ? ": 0x is missing before its hex digits"
                                                         : ": it has more than 64 bits";
    return refuse(fmt::format("\"{}\" is not an address{}", shown(word), why), std::move(form), noise);
}

bool LineReader::possible(std::uint64_t address, std::uint64_t size) {
    if (size == 0) return refuse("an access of 0 bytes");
    if (size > kMaxAccessSize) {
        return refuse(fmt::format("an access of {} bytes", size),
                      fmt::format("at most {} are possible", kMaxAccessSize));
    }
    return withinMemory(address, size) || refuse("an access past the end of the address space");
}

bool isTooLong(std::string_view line) {
    return line.size() > kMaxLine;
}

Error lineError(const std::string& name, std::uint64_t number, std::string_view line, std::uint64_t length,
                const Malformed& why) {
    const std::string what = isTooLong(line) ? fmt::format("a line of {} bytes", length) : why.what;
    std::string hint = isTooLong(line) ? fmt::format("a line has at most {}", kMaxLine) : why.hint;
    if (why.noise) hint += fmt::format("{}--lenient skips such lines", hint.empty() ? "" : "; ");
    return {.where = fmt::format("{}:{}", name, number),
            .what = fmt::format("{}: \"{}\"", what, shown(line)),
            .hint = std::move(hint)};
}

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

}  // namespace whorl::sim
