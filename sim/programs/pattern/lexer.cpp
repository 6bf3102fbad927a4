#include "sim/programs/pattern/lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>

#include "sim/base/text.h"
#include "sim/programs/pattern/pattern.h"

namespace whorl::sim {

namespace {

/// A sign comes before those that are prefixes of it.
constexpr std::array<std::string_view, 16> kSigns = {"..=", "..", "{", "}", "[", "]", "(", ")",
                                                     ",",   ";",  "+", "-", "*", "/", "%", "="};

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

bool isWord(char c) {
    return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/// Parses a word of digits and letters as a number: decimal, perhaps with K, M or G, or hexadecimal after 0x.
std::optional<std::uint64_t> numberIn(std::string_view word) {
    if (!word.starts_with("0x") && !word.starts_with("0X")) return parseBytes(word);
    std::uint64_t value = 0;
    const auto [stop, error] = std::from_chars(word.data() + 2, word.data() + word.size(), value, 16);
    if (error != std::errc{} || stop != word.data() + word.size()) return std::nullopt;
    return value;
}

}  // namespace

void PatternLexer::skipBlanks() {
    while (at_ < text_.size()) {
        const std::string_view rest = text_.substr(at_);
        if (rest[0] == '#' || rest.starts_with("//")) {
            at_ += static_cast<std::uint32_t>(std::min(rest.find('\n'), rest.size()));
        } else if (rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\r' || rest[0] == '\n') {
            line_ += rest[0] == '\n' ? 1 : 0;
            ++at_;
        } else {
            return;
        }
    }
}

PatternToken PatternLexer::next() {
    skipBlanks();
    const std::string_view rest = text_.substr(at_);
    PatternToken token{.at = at_, .line = line_};
    if (rest.empty()) return token;
    if (isWord(rest[0])) {
        const auto* const end = std::find_if_not(rest.begin(), rest.end(), isWord);
        token.text = rest.substr(0, static_cast<std::size_t>(end - rest.begin()));
        token.kind = PatternToken::Kind::name;
        if (isDigit(rest[0])) token = number(token);
    } else {
        token.kind = PatternToken::Kind::sign;
        const auto* const sign =
            std::find_if(kSigns.begin(), kSigns.end(), [&](std::string_view known) { return rest.starts_with(known); });
        if (sign == kSigns.end()) {
            throwFault(at_,
                       fmt::format("{} has no meaning in a pattern",
                                   quotedText(rest.substr(0, std::max<std::size_t>(characterLength(rest), 1)))),
                       "remove it; see docs/patterns.md for what a pattern has");
        }
        token.text = *sign;
    }
    at_ += static_cast<std::uint32_t>(token.text.size());
    return token;
}

PatternToken PatternLexer::number(PatternToken token) const {
    const auto value = numberIn(token.text);
    if (!value) {
        throwFault(token.at, fmt::format("{} is not a number", quotedText(token.text)),
                   "write a whole number such as 16, 4K or 0x1000; a name begins with a letter");
    }
    if (*value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
        throwFault(token.at, fmt::format("{} is too large", quotedText(token.text)),
                   "the largest number is 0x7fffffffffffffff");
    }
    token.kind = PatternToken::Kind::number;
    token.number = static_cast<std::int64_t>(*value);
    return token;
}

}  // namespace whorl::sim
