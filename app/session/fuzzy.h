// How well a text fits what somebody types to find it. Pure functions.
#pragma once

#include <optional>
#include <string_view>

namespace whorl::app {

/// How well `text` fits `typed`: the higher the better, comparable only for the same `typed`; nothing if it does not
/// fit. Each word of `typed` must be in the text, in any order of the words, its letters in their order: side by side,
/// or in words of the text that begin with some of them. Case is ignored. Letters that follow each other and letters
/// that start words count more, and of equal fits the shorter text. Empty `typed` fits everything.
std::optional<int> fuzzyScore(std::string_view typed, std::string_view text);

}  // namespace whorl::app
