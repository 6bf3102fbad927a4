#include "render/scene/text_width.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

namespace whorl::scene {

namespace {

/// How far the letters of DejaVu Sans go from ' ' to '~', and how high a line is: its ascender and descender.
constexpr std::array<std::uint16_t, 95> kAdvances{
    651,  821,  942,  1716, 1303, 1946, 1597, 563,  799,  799,  1024, 1716, 651,  739,  651,  690,   //
    1303, 1303, 1303, 1303, 1303, 1303, 1303, 1303, 1303, 1303, 690,  690,  1716, 1716, 1716, 1087,  //
    2048, 1401, 1405, 1430, 1577, 1294, 1178, 1587, 1540, 604,  604,  1343, 1141, 1767, 1532, 1612,  //
    1235, 1612, 1423, 1300, 1251, 1499, 1401, 2025, 1403, 1251, 1403, 799,  690,  799,  1716, 1024,  //
    1024, 1255, 1300, 1126, 1300, 1260, 721,  1300, 1298, 569,  569,  1186, 569,  1995, 1298, 1253,  //
    1300, 1300, 842,  1067, 803,  1298, 1212, 1675, 1212, 1212, 1075, 1303, 690,  1303, 1716};
constexpr float kLine = 1901 + 483;
constexpr float kDash = 1024;   ///< "–", in ranges
constexpr float kTimes = 1716;  ///< "×", in sizes
constexpr float kOther = 2191;  ///< as broad as the broadest letter with an accent or of Greek

constexpr std::string_view kEllipsis = "…";
constexpr float kEllipsisAdvance = 2048;

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

bool isInWord(char c) {
    return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/// The bytes of the letter of UTF-8 that begins here.
std::size_t bytesAt(std::string_view text, std::size_t at) {
    std::size_t bytes = 1;
    while (at + bytes < text.size() && (static_cast<unsigned char>(text[at + bytes]) & 0xC0) == 0x80) ++bytes;
    return bytes;
}

float advanceOf(std::string_view letter) {
    const auto c = static_cast<unsigned char>(letter.front());
    if (c >= ' ' && c <= '~') return kAdvances[c - std::size_t{' '}];
    if (letter == "–") return kDash;
    if (letter == "×") return kTimes;
    return letter == kEllipsis ? kEllipsisAdvance : kOther;
}

/// Whether a space is within a number, before a group of three digits: "8 448".
bool isGrouping(std::string_view text, std::size_t at) {
    if (at == 0 || at + 3 >= text.size() || text[at] != ' ' || !isDigit(text[at - 1])) return false;
    const std::string_view group = text.substr(at + 1, 3);
    const bool isLonger = at + 4 < text.size() && isDigit(text[at + 4]);
    return !isLonger && std::all_of(group.begin(), group.end(), isDigit);
}

/// Whether two neighbours, of which the second is at this byte, belong to one number: "8 448", "2.5", "0x40", "16K".
bool isInNumber(std::string_view text, std::size_t at) {
    const auto joins = [&](std::size_t i) {
        const bool isPoint =
            text[i] == '.' && i > 0 && i + 1 < text.size() && isDigit(text[i - 1]) && isDigit(text[i + 1]);
        return isInWord(text[i]) || isPoint || isGrouping(text, i);
    };
    if (!joins(at - 1) || !joins(at)) return false;
    std::size_t first = at - 1;
    while (first > 0 && joins(first - 1)) --first;
    return isDigit(text[first]) || (isDigit(text[at - 1]) && isDigit(text[at]));
}

/// The last place at or before a byte where a text may end.
std::size_t endBefore(std::string_view text, std::size_t at) {
    while (at > 0 && at < text.size() && isInNumber(text, at)) --at;
    const std::string_view kept = text.substr(0, at);
    const std::size_t open = kept.rfind('[');
    if (open != std::string_view::npos && kept.find(']', open) == std::string_view::npos) at = open;
    return text.substr(0, at).find_last_not_of(' ') + 1;
}

}  // namespace

float widthOf(const std::string& text, float size) {
    float units = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t bytes = bytesAt(text, at);
        units += advanceOf(std::string_view(text).substr(at, bytes));
        at += bytes;
    }
    return units / kLine * size;
}

std::string shortened(const std::string& text, float room, float size) {
    if (widthOf(text, size) <= room) return text;
    float units = kEllipsisAdvance;
    std::size_t fit = 0;
    for (std::size_t bytes = 0; fit < text.size(); fit += bytes) {
        bytes = bytesAt(text, fit);
        units += advanceOf(std::string_view(text).substr(fit, bytes));
        if (units / kLine * size > room) break;
    }
    std::string out = text.substr(0, endBefore(text, fit));
    // One of its own at the cut is enough.
    if (out.ends_with(kEllipsis)) out.resize(out.size() - kEllipsis.size());
    if (out.size() < 2) return {};
    return out.append(kEllipsis);
}

std::string wholeParts(const std::string& text, float room, float size) {
    std::string out = text;
    if (widthOf(out, size) > room) {
        const std::size_t open = out.rfind(" (");
        const std::size_t close = out.find(')', open);
        if (open != std::string::npos && close != std::string::npos && isDigit(out[open + 2])) {
            out.erase(open, close + 1 - open);
        }
    }
    while (!out.empty() && widthOf(out, size) > room) {
        const std::size_t comma = std::max(out.rfind(", ") + 1, out.rfind("; ") + 1);
        out.resize(comma == 0 ? 0 : comma - 1);
    }
    return out;
}

std::string fittingTitle(const std::string& text, float room, float size) {
    const std::string parts = wholeParts(text, room, size);
    return parts.empty() ? shortened(text, room, size) : parts;
}

bool mayEndLine(std::string_view text, std::size_t space) {
    const std::size_t next = space + 1;
    if (next < text.size() && text[next] == '%') return false;
    if (space == 0 || next >= text.size() || !isDigit(text[next])) return true;
    if (isGrouping(text, space)) return false;
    const std::size_t begin = text.find_last_of(" \n(", space - 1) + 1;
    const std::string_view word = text.substr(begin, space - begin);
    if (word.size() == 2 && word[0] == 'L' && isDigit(word[1])) return false;
    constexpr std::string_view kNumbered[] = {"CPU", "CPUs", "line", "lines", "set", "sets", "access"};
    return std::find(std::begin(kNumbered), std::end(kNumbered), word) == std::end(kNumbered);
}

std::vector<std::string> wrapped(const std::string& text, float room, float size) {
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = text.find(' ', at);
        while (end < text.size() && !mayEndLine(text, end)) end = text.find(' ', end + 1);
        end = std::min(end, text.size());
        const std::string word = text.substr(at, end - at);
        at = end + 1;
        if (!lines.empty() && widthOf(lines.back() + ' ' + word, size) <= room) {
            lines.back() += ' ' + word;
        } else {
            lines.push_back(shortened(word, room, size));
        }
    }
    return lines;
}

}  // namespace whorl::scene
