// The words of a line of Whorl's own form: how they are cut, and how they are written so that they read back.
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

/// Cuts a text at blanks, up to "#" or its end. A word in double quotes may hold anything, with \" \\ \n \r \t and \x1f
/// for what a line cannot hold. Nothing when a quoted word has no end, is not followed by a blank, or has another
/// backslash.
std::optional<std::vector<Word>> splitWords(std::string_view text);

/// A text as one word: as it is, or in quotes where it must.
std::string asWord(std::string_view text);
/// A text as one word in quotes.
std::string inQuotes(std::string_view text);

}  // namespace whorl::sim
