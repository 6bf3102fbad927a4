#include "sim/trace/formats/chiron_text.h"

#include <algorithm>
#include <optional>

#include "sim/base/digits.h"
#include "sim/trace/formats/line_reader.h"
#include "sim/trace/formats/text_words.h"

namespace whorl::sim {
namespace {

/// The highest digit of a word that is a plain number; 0 of any other.
unsigned highestDigit(std::string_view word) {
    if (word.starts_with("0x") || word.starts_with("0X")) return 0;
    unsigned highest = 0;
    for (const char c : word) highest = std::max(highest, digit(c));
    return highest < 16 ? highest : 0;
}

/// The same of all addresses and sizes of a line.
unsigned highestDigitIn(std::string_view line) {
    const char letter = line[0];
    line.remove_prefix(1);
    unsigned highest = 0;
    if (letter == 'c') {
        if (line.find('"') == std::string_view::npos) {
            takeWord(line);
        } else {  // the name may have blanks
            const auto words = cutWords(line);
            if (!words || words->size() < 3) return 0;
            return std::max(highestDigit((*words)[1].text), highestDigit((*words)[2].text));
        }
        highest = highestDigit(takeWord(line));
        return std::max(highest, highestDigit(takeWord(line)));
    }
    const std::string_view fields = chironFields(letter);
    const std::size_t last = fields.find_last_of("aoz");
    if (last == std::string_view::npos) return 0;
    for (std::size_t i = 0; i <= last; ++i) {
        const std::string_view word = takeWord(line);
        if (word.empty()) break;
        if (fields[i] == 'a' || fields[i] == 'o' || fields[i] == 'z') highest = std::max(highest, highestDigit(word));
    }
    return highest;
}

}  // namespace

std::string_view chironFields(char letter) {
    switch (letter) {
        case 'i':
            return "n";
        case 'd':
            return "ap";
        case 'm':
            return "apls";
        case 'g':
        case 'h':
        case 'e':
        case 'f':
        case 'p':
            return "aclst";
        case 'a':
        case 'b':
            return "aclsto";
        case 'r':
        case 'w':
            return "apsz";
        case 'R':
        case 'W':
            return "apsw";
        default:
            return {};
    }
}

ChironText chironText(std::string_view text) {
    ChironText found;
    unsigned highest = 0;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        std::string_view line = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        if (line.ends_with('\r')) line.remove_suffix(1);
        line = withoutBlanks(line);
        if (line.size() < 2 || !isBlank(line[1]) || line.size() > kMaxLine) continue;
        ++found.lines;
        found.starts = found.starts || line[0] == 'r' || line[0] == 'w';
        highest = std::max(highest, highestDigitIn(line));
    }
    found.base = highest < 8 ? 8 : highest < 10 ? 10 : 16;
    return found;
}

bool likeChiron(std::string_view text) {
    while (!text.empty()) {
        std::string_view line = firstLine(text);
        const std::string_view first = takeWord(line);
        if (first.empty() || first[0] == '#') {
            text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
            continue;
        }
        const bool isHeader = first == "i" && decimalNumber(takeWord(line));
        return isHeader && withoutBlanks(line).empty();
    }
    return false;
}

std::vector<std::string> chironSources(std::string_view list) {
    std::vector<std::string> paths;
    while (!list.empty()) {
        const std::string_view line = firstLine(list);
        list.remove_prefix(std::min(list.find('\n'), list.size() - 1) + 1);
        const auto words = line.starts_with('"') ? cutWords(line) : std::nullopt;
        paths.emplace_back(words && words->size() == 1 ? std::string_view(words->front().text) : line);
    }
    return paths;
}

std::string asChironSource(const std::string& path) {
    const bool plain = !path.starts_with('"') && std::none_of(path.begin(), path.end(), [](char c) {
        return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    });
    return plain ? path : inQuotes(path);
}

}  // namespace whorl::sim
