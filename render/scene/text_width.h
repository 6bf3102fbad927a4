// How much room a text takes, without a font: the scene decides where text fits, and others have the fonts.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace whorl::scene {

/// The width of a text at most, pixels; `size` is the height of the text, pixels. UTF-8.
float widthOf(const std::string& text, float size);

/// As many letters of a text as fit into `room` pixels, with an ellipsis for the rest; empty when fewer than two fit.
/// Numbers and what is in brackets are whole, or left out.
std::string shortened(const std::string& text, float room, float size);

/// As much of a text as fits into `room` pixels, of its parts, which commas and semicolons divide: without counts in
/// parentheses, then without the last parts. Empty when not even the first part fits.
std::string wholeParts(const std::string& text, float room, float size);

/// The same; the first part is shortened when it does not fit.
std::string fittingTitle(const std::string& text, float room, float size);

/// Whether the space at this place of a text may be the end of a line: a number stays whole, and with its % and with
/// what it numbers, as in "CPU 2" and "line 14".
bool mayEndLine(std::string_view text, std::size_t space);

/// The words of a text in lines that fit into `room` pixels; a longer word is shortened.
std::vector<std::string> wrapped(const std::string& text, float room, float size);

}  // namespace whorl::scene
