#include "sim/trace/formats/chiron_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>

#include "sim/base/digits.h"
#include "sim/trace/formats/chiron_text.h"

namespace whorl::sim {
namespace {

/// So many digits fit into 64 bits in any of the bases.
constexpr std::ptrdiff_t kSafeDigits = 16;

bool inFileBase(char field) {
    return field == 'a' || field == 'o' || field == 'z';
}

std::string upper(std::string_view name) {
    std::string out(name.substr(name.find(' ') + 1));
    std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return std::toupper(c); });
    return out;
}

const char* pastBlanks(const char* p, const char* end) {
    while (p != end && isBlank(*p)) ++p;
    return p;
}

std::optional<std::uint64_t> octalNumber(std::string_view text) {
    std::uint64_t value = 0;
    for (const char c : text) {
        if (digit(c) > 7 || value > std::numeric_limits<std::uint64_t>::max() >> 3) return std::nullopt;
        value = value << 3 | digit(c);
    }
    return text.empty() ? std::nullopt : std::optional(value);
}

}  // namespace

std::string_view chironFieldName(char field) {
    switch (field) {
        case 'a':
            return "an address";
        case 'o':
            return "a replaced address";
        case 'z':
            return "a size";
        case 'p':
            return "a CPU";
        case 'c':
            return "a cache";
        case 'l':
            return "a level";
        case 's':
            return "a source";
        case 't':
            return "a time";
        case 'w':
            return "a wait";
        default:
            return "a number";
    }
}

std::string chironForm(char letter) {
    if (letter == 'c') return "expected c NAME ADDRESS SIZE CPU, and maybe a CLASS";
    std::string form = fmt::format("expected {}", letter);
    for (const char field : chironFields(letter)) {
        form += field == 'z' ? ", and maybe a SIZE" : " " + upper(chironFieldName(field));
    }
    return form;
}

bool ChironWords::refuse(std::string what, std::string hint) {
    malformed_ = {.what = std::move(what), .hint = std::move(hint), .noise = true};
    return false;
}

bool ChironWords::takeNumber(char field, std::string_view word, std::uint64_t& value) {
    const bool isHex = word.starts_with("0x") || word.starts_with("0X");
    const unsigned base = inFileBase(field) ? (isHex ? 16 : base_) : 10;
    const auto number = base == 16 ? hexNumber(word) : base == 8 ? octalNumber(word) : decimalNumber(word);
    if (number) {
        value = *number;
        return true;
    }
    const std::string_view kind = base == 16 ? "hex" : base == 8 ? "octal" : "decimal";
    return refuse(fmt::format("\"{}\" is not {}", shown(word), chironFieldName(field)),
                  fmt::format("expected a number of 64 bits, which is {} here", kind));
}

bool ChironWords::take(char letter, std::string_view behind) {
    const char* p = behind.data();
    const char* const end = p + behind.size();
    std::size_t place = 0;
    hasSize_ = isModify_ = false;
    for (const char field : chironFields(letter)) {
        p = pastBlanks(p, end);
        if (p == end) {
            if (field == 'z') return true;
            return refuse(fmt::format("no {}", chironFieldName(field).substr(chironFieldName(field).find(' ') + 1)),
                          chironForm(letter));
        }
        const unsigned base = inFileBase(field) ? base_ : 10;
        const char* const from = p;
        std::uint64_t value = 0;
        for (unsigned d = 0; p != end && (d = digit(*p)) < base; ++p) value = value * base + d;
        if ((p != end && !isBlank(*p)) || p - from > kSafeDigits) {
            while (p != end && !isBlank(*p)) ++p;
            if (!takeNumber(field, {from, static_cast<std::size_t>(p - from)}, value)) return false;
        }
        values_[place++] = value;
        hasSize_ = field == 'z';
    }
    return takeRest(letter, p, end);
}

/// What stands behind the last number: nothing, or the "m" of a modify.
bool ChironWords::takeRest(char letter, const char* p, const char* end) {
    p = pastBlanks(p, end);
    if (letter == 'w' && p != end && *p == 'm' && pastBlanks(p + 1, end) == end) {
        isModify_ = true;
        return true;
    }
    if (p == end) return true;
    return refuse(fmt::format("\"{}\" is too much", shown({p, static_cast<std::size_t>(end - p)})), chironForm(letter));
}

}  // namespace whorl::sim
