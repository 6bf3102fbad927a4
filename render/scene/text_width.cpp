#include "render/scene/text_width.h"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace whorl::scene {

namespace {

constexpr float kLetter = 0.62F;  ///< the breadth of a letter at most, of the height of the text

/// Whether a byte of UTF-8 begins a letter.
bool beginsLetter(char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
}

}  // namespace

float widthOf(const std::string& text, float size) {
    return kLetter * size * static_cast<float>(std::count_if(text.begin(), text.end(), beginsLetter));
}

std::string shortened(const std::string& text, float room, float size) {
    if (widthOf(text, size) <= room) return text;
    const auto fit = static_cast<std::size_t>(std::max(0.0F, room / (kLetter * size)));
    if (fit < 3) return {};
    std::string out;
    std::size_t letters = 0;
    for (const char c : text) {
        if (beginsLetter(c) && ++letters >= fit) break;
        out += c;
    }
    // One of its own at the cut is enough.
    constexpr std::string_view kEllipsis = "…";
    if (out.ends_with(kEllipsis)) out.resize(out.size() - kEllipsis.size());
    return out.append(kEllipsis);
}

bool mayEndLine(std::string_view text, std::size_t space) {
    const auto isDigit = [&](std::size_t i) { return i < text.size() && text[i] >= '0' && text[i] <= '9'; };
    const std::size_t next = space + 1;
    if (next < text.size() && text[next] == '%') return false;
    if (space == 0 || !isDigit(next)) return true;
    // A group of three digits goes on with the number.
    const bool isGroup = isDigit(next + 1) && isDigit(next + 2) && !isDigit(next + 3);
    if (isDigit(space - 1) && isGroup) return false;
    const std::size_t begin = text.find_last_of(" \n(", space - 1) + 1;
    const std::string_view word = text.substr(begin, space - begin);
    if (word.size() == 2 && word[0] == 'L' && isDigit(space - 1)) return false;
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
