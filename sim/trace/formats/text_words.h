// Splitting a line of Whorl's text format into words, and quoting words when writing one.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace whorl::sim {

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
