#include "sim/trace/formats/text_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/trace/formats/line_reader.h"

namespace whorl::sim {
namespace {

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
