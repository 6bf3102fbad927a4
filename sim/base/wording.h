// Small helpers for sentences that people read: what they may have meant, what there is to choose from.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace whorl::sim {

/// The name among `names` that a person most likely meant by `word`: at most a third of its letters (and always one)
/// are wrong, missing, extra or swapped with their neighbours. Upper and lower case count as the same. Null when none
/// is near.
const std::string* nearestName(std::string_view word, std::span<const std::string> names);

/// "a", "a and b", "a, b and c"; `last` is the word before the last.
std::string listed(std::span<const std::string> names, std::string_view last = "and");

/// "did you mean "x"? " when a name is near, else nothing: to open a hint.
std::string didYouMean(std::string_view word, std::span<const std::string> names);

/// The text in double quotes as it may stand in a sentence: cut to 40 bytes, on one line, without control characters.
std::string quotedText(std::string_view text);

/// The text without blanks at its ends.
std::string_view trimmed(std::string_view text);

/// A whole number from 0, all of the text and nothing but digits; nothing for other text or beyond 64 bits.
std::optional<std::uint64_t> wholeNumber(std::string_view text);

/// A number of bytes: "1536", "32K", "1M", "2g", "32KiB" (K is 1024). Nothing for other text or beyond 64 bits.
std::optional<std::uint64_t> bytesFrom(std::string_view text);

}  // namespace whorl::sim
