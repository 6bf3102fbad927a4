// Small text helpers, mainly for error messages: lists, suggestions of similar names, quoting, numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace whorl::sim {

/// The name most similar to `word` by edit distance, or null if none is close enough: at most a third of the letters
/// (but always one) may be wrong, missing, extra or swapped with a neighbour. Case is ignored.
const std::string* nearestName(std::string_view word, std::span<const std::string> names);

/// "a", "a and b", "a, b and c"; `last` is the conjunction.
std::string joinNames(std::span<const std::string> names, std::string_view last = "and");

/// `did you mean "x"? ` if a name is similar to `word`, else empty: the start of a hint.
std::string didYouMean(std::string_view word, std::span<const std::string> names);

/// The text in double quotes, for use in a sentence: cut to 40 bytes, on one line, without control characters.
std::string quotedText(std::string_view text);

/// The first names in double quotes, and the number of further ones: `"a", "b", … and 7 more`.
std::string firstNames(std::span<const std::string> names, std::size_t most);

/// The text without leading and trailing whitespace.
std::string_view trimmed(std::string_view text);

/// Parses a text of decimal digits only; nothing for any other text or a number beyond 64 bits.
std::optional<std::uint64_t> wholeNumber(std::string_view text);

/// Parses a number of bytes: "1536", "32K", "1M", "2g", "32KiB" (K is 1024). Nothing for other text or numbers beyond
/// 64 bits.
std::optional<std::uint64_t> parseBytes(std::string_view text);

/// A number of bytes in words, rounded to three digits: "512 bytes", "64 KB", "3.25 GB" (K is 1024).
std::string bytesInWords(std::uint64_t bytes);

/// A count in words, rounded: "512", "64.0 K", "12.4 M" (K is 1000).
std::string countInWords(std::uint64_t count);

}  // namespace whorl::sim
