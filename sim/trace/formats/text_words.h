// The words and numbers in the lines of text formats, and quoting words when writing a line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace whorl::sim {

/// A text without the byte order mark with which some editors begin UTF-8.
std::string_view withoutByteOrderMark(std::string_view text);

/// The first line of a text, without its end ("\n" or "\r\n").
std::string_view firstLine(std::string_view text);

inline bool isBlank(char c) {
    return c == ' ' || c == '\t';
}

/// The text without leading blanks.
inline std::string_view withoutBlanks(std::string_view text) {
    std::size_t n = 0;
    while (n < text.size() && isBlank(text[n])) ++n;
    return text.substr(n);
}

/// Removes the first word, up to a blank or `stop`, and the blanks before it from the front of a text. Empty if there
/// is none.
inline std::string_view takeWord(std::string_view& text, char stop = ' ') {
    text = withoutBlanks(text);
    std::size_t n = 0;
    while (n < text.size() && !isBlank(text[n]) && text[n] != stop) ++n;
    const std::string_view word = text.substr(0, n);
    text.remove_prefix(n);
    return word;
}

/// Parses a number from 0 to 2^64 - 1; nothing for any other text. hexNumber accepts an optional 0x, which
/// prefixedHexNumber requires.
std::optional<std::uint64_t> hexNumber(std::string_view text);
std::optional<std::uint64_t> prefixedHexNumber(std::string_view text);
std::optional<std::uint64_t> decimalNumber(std::string_view text);
/// Parses a decimal number, or a hex number with 0x.
std::optional<std::uint64_t> anyNumber(std::string_view text);

/// Whether a word has the form of an address in hex, perhaps without 0x, even if it is negative or too large. Format
/// detection uses this form, so that the detected format's reader can report the error.
bool likeAddress(std::string_view word);
/// Whether a line is an access such as "r 10" or "r 10 4", whose address is decimal in Whorl's text but hex in other
/// formats, such as the extended form of din.
bool hasBaseOpen(std::string_view line);

/// A text as shown in errors: at most 60 characters, with unprintable bytes escaped as \x1b.
std::string shown(std::string_view text);

struct Word {
    std::string text;
    bool quoted = false;
};

/// Splits a text at blanks, up to "#" or its end. A word in double quotes may contain anything, with the escapes
/// \" \\ \n \r \t and \x1f. Nothing if a quoted word is unterminated, not followed by a blank, or has another escape.
std::optional<std::vector<Word>> splitWords(std::string_view text);

/// A text as one word, in quotes if necessary.
std::string asWord(std::string_view text);
/// A text as one word in quotes.
std::string inQuotes(std::string_view text);

}  // namespace whorl::sim
