// The room that a text needs, estimated without a font: the scene decides where text fits, but has no fonts.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace whorl::scene {

/// The width of a text at most, pixels; `size` is the height of the text, pixels. UTF-8.
float widthOf(const std::string& text, float size);

/// The first letters of a text that fit into `room` pixels, with an ellipsis for the rest; empty if fewer than two fit.
/// Numbers and what is in brackets are whole, or left out.
std::string shortened(const std::string& text, float room, float size);

/// The parts of a text (divided by commas and semicolons) that fit into `room` pixels: counts in parentheses are left
/// out first, then the last parts. Empty when not even the first part fits.
std::string wholeParts(const std::string& text, float room, float size);

/// As wholeParts, but a first part that does not fit is shortened.
std::string fittingTitle(const std::string& text, float room, float size);

/// Whether the space at this place of a text may be the end of a line: a number stays whole, and with its % and with
/// what it numbers, as in "CPU 2" and "line 14".
bool mayEndLine(std::string_view text, std::size_t space);

/// The words of a text in lines that fit into `room` pixels; a longer word is shortened.
std::vector<std::string> wrapped(const std::string& text, float room, float size);

}  // namespace whorl::scene
