#include "app/session/fuzzy.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace whorl::app {

namespace {

constexpr int kLetter = 2;
constexpr int kFollows = 6;       ///< it stands right behind the one before
constexpr int kStartsWord = 8;    ///< it is the first of a word
constexpr int kStartsText = 4;    ///< … and of the text
constexpr int kSkips = 2;         ///< taken off where letters are left out before it
constexpr int kWhole = 6;         ///< the word ends where one of the text ends
constexpr int kPhrase = 6;        ///< several words stand in the text as they are typed
constexpr std::size_t kLong = 8;  ///< letters of the text for which one is taken off
constexpr int kNone = std::numeric_limits<int>::min() / 2;

char small(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}

bool isSmall(char c) {
    return c >= 'a' && c <= 'z';
}

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

/// Whether it belongs to a word: letters, digits, and all of UTF-8's longer characters.
bool isOfWord(char c) {
    return isSmall(small(c)) || isDigit(c) || static_cast<unsigned char>(c) >= 0x80;
}

bool startsWord(std::string_view text, std::size_t at) {
    if (!isOfWord(text[at])) return false;
    if (at == 0 || !isOfWord(text[at - 1])) return true;
    const bool isHump = small(text[at]) != text[at] && isSmall(text[at - 1]);
    return isHump || (isDigit(text[at]) && !isDigit(text[at - 1]));
}

/// The best ways to find the first letters of a word so that the last of them is that letter of the text.
struct Ways {
    int whole = kNone;  ///< the last word of the text in which letters were found was entered at its first
    int part = kNone;   ///< it was entered within: more of its letters must follow each other

    int best() const { return std::max(whole, part); }
};

/// The best way to find the letters of one word in the text. Letters may be left out in words that are entered at their
/// first letter; scattered in the midst of words they mean nothing.
std::optional<int> scoreOfWord(std::string_view word, std::string_view text) {
    std::vector<Ways> found(text.size());
    std::vector<Ways> next(text.size());
    for (std::size_t i = 0; i < word.size(); ++i) {
        int before = kNone;    // the best that ends anywhere before j - 1
        int inWord = kNone;    // … in this word of the text, which was entered at its first letter
        std::size_t from = 0;  // where that word begins
        for (std::size_t j = 0; j < text.size(); ++j) {
            const bool starts = startsWord(text, j);
            if (starts || !isOfWord(text[j])) {
                inWord = kNone;
                from = j;
            }
            if (j >= 2) before = std::max(before, found[j - 2].best());
            if (j >= from + 2) inWord = std::max(inWord, found[j - 2].whole);
            next[j] = {};
            if (small(text[j]) != small(word[i])) continue;
            int own = kLetter + (starts ? kStartsWord : 0) + (j == 0 ? kStartsText : 0);
            const bool isLast = i + 1 == word.size();
            if (isLast && (j + 1 == text.size() || !isOfWord(text[j + 1]))) own += kWhole;
            const Ways close = i > 0 && j > 0 ? found[j - 1] : Ways{};
            if (starts) {
                next[j].whole = own + std::max(i == 0 ? 0 : before - kSkips, close.best() + kFollows);
            } else {
                next[j].whole = own + std::max(inWord - kSkips, close.whole + kFollows);
                next[j].part = own + (i == 0 ? 0 : close.part + kFollows);
            }
        }
        std::swap(found, next);
    }
    int most = kNone;
    for (const Ways& ways : found) most = std::max(most, ways.best());
    if (most < kNone / 2) return std::nullopt;
    return most;
}

bool isSame(char a, char b) {
    return small(a) == small(b);
}

bool isPhraseOf(std::string_view typed, std::string_view text) {
    if (typed.find(' ') == std::string_view::npos) return false;
    return std::search(text.begin(), text.end(), typed.begin(), typed.end(), isSame) != text.end();
}

}  // namespace

std::optional<int> fuzzyScore(std::string_view typed, std::string_view text) {
    int sum = 0;
    for (std::size_t from = 0; from < typed.size();) {
        const std::size_t end = std::min(typed.find(' ', from), typed.size());
        if (end > from) {
            const auto score = scoreOfWord(typed.substr(from, end - from), text);
            if (!score) return std::nullopt;
            sum += *score;
        }
        from = end + 1;
    }
    if (isPhraseOf(typed, text)) sum += kPhrase;
    return sum - static_cast<int>(text.size() / kLong);
}

}  // namespace whorl::app
