#include "sim/base/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>

namespace whorl::sim {

namespace {

constexpr std::size_t kLongestName = 64;  ///< longer words get no suggestion

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// The restricted Damerau-Levenshtein distance (Damerau 1964): letters substituted, missing or extra, or two neighbours
/// swapped.
std::size_t editsBetween(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before(b.size() + 1);
    std::vector<std::size_t> last(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const bool same = lower(a[i - 1]) == lower(b[j - 1]);
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
            const bool swapped =
                i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
            if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
        }
        before.swap(last);
        last.swap(row);
    }
    return last[b.size()];
}

}  // namespace

const std::string* nearestName(std::string_view word, std::span<const std::string> names) {
    if (word.empty() || word.size() > kLongestName) return nullptr;
    const std::string* best = nullptr;
    std::size_t fewest = std::max<std::size_t>(1, word.size() / 3) + 1;
    for (const std::string& name : names) {
        const std::size_t edits = editsBetween(word, name);
        // A one-letter name is one edit away from every other letter, which means nothing.
        if (edits >= fewest || edits >= name.size()) continue;
        fewest = edits;
        best = &name;
    }
    return best;
}

std::string joinNames(std::span<const std::string> names, std::string_view last) {
    std::string out;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (i > 0) out += i + 1 == names.size() ? fmt::format(" {} ", last) : ", ";
        out += names[i];
    }
    return out;
}

std::string didYouMean(std::string_view word, std::span<const std::string> names) {
    const std::string* near = nearestName(word, names);
    return near == nullptr ? "" : fmt::format("did you mean \"{}\"? ", *near);
}

std::string quotedText(std::string_view text) {
    constexpr std::size_t kMax = 40;
    const bool cut = text.size() > kMax;
    if (cut) {
        text = text.substr(0, kMax);
        // Do not cut within a multi-byte UTF-8 character.
        while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xC0u) == 0x80u) text.remove_suffix(1);
        if (!text.empty() && static_cast<unsigned char>(text.back()) >= 0xC0u) text.remove_suffix(1);
    }
    std::string out = "\"";
    while (!text.empty()) {
        // Replace unprintable characters by blanks, and invalid UTF-8 by the replacement character.
        const std::size_t whole = characterLength(text);
        if (printableLength(text) > 0) {
            out += text.substr(0, whole);
        } else {
            out += whole > 0 ? " " : "\uFFFD";
        }
        text.remove_prefix(std::max<std::size_t>(1, whole));
    }
    return out + (cut ? "…\"" : "\"");
}

std::string firstNames(std::span<const std::string> names, std::size_t most) {
    std::vector<std::string> quoted;
    for (const std::string& name : names.first(std::min(most, names.size()))) quoted.push_back(quotedText(name));
    if (names.size() <= most) return joinNames(quoted);
    return fmt::format("{}, … and {} more", fmt::join(quoted, ", "), names.size() - most);
}

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kBlanks = " \t\r\n";
    const std::size_t from = text.find_first_not_of(kBlanks);
    if (from == std::string_view::npos) return {};
    return text.substr(from, text.find_last_not_of(kBlanks) - from + 1);
}

bool sameName(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](unsigned char one, unsigned char other) { return std::tolower(one) == std::tolower(other); });
}

std::optional<std::uint64_t> wholeNumber(std::string_view text) {
    std::uint64_t value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc{} || stop != end) return std::nullopt;
    return value;
}

std::optional<std::uint64_t> parseBytes(std::string_view text) {
    const auto drop = [&](std::string_view ending) {
        if (!text.ends_with(ending)) return false;
        text.remove_suffix(ending.size());
        return true;
    };
    const bool binary = drop("iB");
    if (!binary) drop("B");
    unsigned shift = 0;
    if (drop("K") || drop("k")) {
        shift = 10;
    } else if (drop("M") || drop("m")) {
        shift = 20;
    } else if (drop("G") || drop("g")) {
        shift = 30;
    } else if (binary) {
        return std::nullopt;
    }
    const auto number = wholeNumber(text);
    if (!number || *number > (~std::uint64_t{0} >> shift)) return std::nullopt;
    return *number << shift;
}

std::string bytesInWords(std::uint64_t bytes) {
    if (bytes < 1024) return fmt::format("{} byte{}", bytes, bytes == 1 ? "" : "s");
    constexpr std::string_view kUnits = "KMGTPE";
    auto value = static_cast<double>(bytes) / 1024;
    std::size_t unit = 0;
    for (; value >= 1000 && unit + 1 < kUnits.size(); ++unit) value /= 1024;
    return fmt::format("{:.3g} {}B", value, kUnits[unit]);
}

std::string countInWords(std::uint64_t count) {
    if (count < 1000) return fmt::format("{}", count);
    constexpr std::string_view kUnits = "KMGTPE";
    auto value = static_cast<double>(count) / 1000;
    std::size_t unit = 0;
    for (; value >= 999.95 && unit + 1 < kUnits.size(); ++unit) value /= 1000;
    return fmt::format("{:.1f} {}", value, kUnits[unit]);
}

}  // namespace whorl::sim
