#include "sim/base/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <optional>
#include <utility>

#include "sim/base/text.h"

namespace whorl::sim {

namespace {

/// The maximum number of duplicate keys that are located by their paths; no more errors than that are shown.
constexpr std::size_t kLocated = 20;
/// Members of a path that are shown, and the bytes of each.
constexpr std::size_t kShownMembers = 8;
constexpr std::size_t kShownKey = 40;

/// An error in a text, and its position.
struct Fault {
    std::size_t at = 0;  ///< byte
    std::string what;
    std::string hint;
};

bool isBlankInJson(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/// Whether a byte ends a word such as 32K.
bool endsWord(char c) {
    return isBlankInJson(c) || std::string_view(",:[]{}\"").find(c) != std::string_view::npos;
}

/// Whether a word has the form of a number, which JSON defines more narrowly than most languages.
bool isNumber(std::string_view word) {
    std::size_t at = 0;
    const auto digits = [&] {
        const std::size_t from = at;
        while (at < word.size() && word[at] >= '0' && word[at] <= '9') ++at;
        return at - from;
    };
    const auto take = [&](std::string_view one) {
        const bool there = at < word.size() && one.find(word[at]) != std::string_view::npos;
        at += there ? 1 : 0;
        return there;
    };
    take("-");
    if (!take("0") && digits() == 0) return false;
    if (take(".") && digits() == 0) return false;
    if (take("eE")) {
        take("+-");
        if (digits() == 0) return false;
    }
    return at == word.size();
}

/// Reads a text once, from its start to the first syntax error.
class JsonCheck {
  public:
    JsonCheck(std::string_view text, const std::string& file) : text_(text), file_(file) {}

    std::vector<Error> errors() {
        if (const auto fault = firstFault()) return {located(*fault)};
        return std::move(duplicates_);
    }

  private:
    using MaybeFault = std::optional<Fault>;

    /// An object or a list that is not closed yet.
    struct Frame {
        std::size_t at = 0;  ///< byte position of the opening bracket
        bool isList = false;
        std::size_t elements = 0;               ///< list only: the elements seen so far
        std::string key = {};                   ///< object only: the current key
        std::map<std::string, bool> keys = {};  ///< object only: by key, whether it was already reported as a duplicate
    };
    /// The tokens that may come next.
    enum class Next { value, valueOrEnd, key, keyOrEnd, commaOrEnd, nothing };

    std::string_view text_;
    const std::string& file_;
    std::size_t at_ = 0;
    Next next_ = Next::value;
    std::size_t comma_ = 0;    ///< position of the last comma
    std::vector<Frame> open_;  ///< outermost first
    std::vector<Error> duplicates_;

    bool ended() const { return at_ == text_.size(); }
    char here() const { return text_[at_]; }
    bool isHere(std::string_view beginning) const { return text_.substr(at_).starts_with(beginning); }

    MaybeFault firstFault() {
        if (isHere("\xef\xbb\xbf")) at_ += 3;  // a byte order mark
        while (true) {
            while (!ended() && isBlankInJson(here())) ++at_;
            if (ended()) return next_ == Next::nothing ? std::nullopt : MaybeFault(endTooEarly());
            if (auto fault = takeNext()) return fault;
        }
    }

    MaybeFault takeNext() {
        const char c = here();
        switch (next_) {
            case Next::nothing:
                return faultHere("more follows the end of the JSON", "remove it: a file has one value");
            case Next::commaOrEnd:
                return c == ',' ? takeComma() : takeEnd();
            case Next::keyOrEnd:
                return c == '}' ? takeEnd() : takeKey();
            case Next::key:
                return takeKey();
            case Next::valueOrEnd:
                return c == ']' ? takeEnd() : takeValue();
            default:
                return takeValue();
        }
    }

    MaybeFault takeComma() {
        comma_ = at_++;
        next_ = open_.back().isList ? Next::value : Next::key;
        return std::nullopt;
    }

    MaybeFault takeEnd() {
        const char c = here();
        if (c != ']' && c != '}') return unseparated();
        if (auto fault = wrongBracket()) return fault;
        open_.pop_back();
        ++at_;
        next_ = open_.empty() ? Next::nothing : Next::commaOrEnd;
        return std::nullopt;
    }

    /// Takes a key and the colon after it.
    MaybeFault takeKey() {
        if (here() != '"') return noKey();
        const std::size_t from = at_;
        std::string key;
        if (auto fault = takeText(key)) return fault;
        while (!ended() && isBlankInJson(here())) ++at_;
        if (ended()) return endTooEarly();
        if (here() != ':') {
            return Fault{from, fmt::format("the key {} has no value", quotedText(key)),
                         R"(write a colon and a value after it, as in "ways": 8)"};
        }
        ++at_;
        next_ = Next::value;
        return addKey(from, std::move(key));
    }

    MaybeFault addKey(std::size_t from, std::string key) {
        Frame& frame = open_.back();
        if (frame.keys.size() == kMaxKeys) {
            return Fault{from, fmt::format("the object has more than {} keys", kMaxKeys), "remove some of them"};
        }
        frame.key = std::move(key);
        const auto [known, isNew] = frame.keys.try_emplace(frame.key, false);
        if (!isNew && !std::exchange(known->second, true)) addDuplicate();
        return std::nullopt;
    }

    MaybeFault takeValue() {
        if (!open_.empty() && open_.back().isList) ++open_.back().elements;
        const char c = here();
        if (c == '{' || c == '[') return open(c == '[');
        next_ = open_.empty() ? Next::nothing : Next::commaOrEnd;
        if (c == '"') {
            std::string ignored;
            return takeText(ignored);
        }
        if (c == ',' || c == '}' || c == ']' || c == ':') return noValue();
        return takeWordValue();
    }

    MaybeFault open(bool isList) {
        if (open_.size() == kMaxNested) {
            return faultHere(fmt::format("objects and lists are nested more than {} deep", kMaxNested),
                             "no file that Whorl reads needs that");
        }
        open_.push_back({.at = at_++, .isList = isList});
        next_ = isList ? Next::valueOrEnd : Next::keyOrEnd;
        return std::nullopt;
    }

    /// A number, true, false or null.
    MaybeFault takeWordValue() {
        const std::string_view word = wordHere();
        const bool isWord = word == "true" || word == "false" || word == "null";
        if (!isWord && !isNumber(word)) return badWord(word);
        if (!isWord && !std::isfinite(std::strtod(std::string(word).c_str(), nullptr))) {
            return faultHere(fmt::format("the number {} is too large", quotedText(word)),
                             "at most 1.7e308 is possible");
        }
        at_ += word.size();
        return std::nullopt;
    }

    std::string_view wordHere() const {
        std::size_t end = at_;
        while (end < text_.size() && !endsWord(text_[end])) ++end;
        return text_.substr(at_, end - at_);
    }

    /// Takes a text in quotes and decodes it.
    MaybeFault takeText(std::string& into) {
        const std::size_t from = at_++;
        while (!ended() && here() != '"') {
            const auto c = static_cast<unsigned char>(here());
            if (c < 0x20) return controlCharacter(from);
            if (c == '\\') {
                if (auto fault = takeEscape(into)) return fault;
                continue;
            }
            const std::size_t length = characterLength(text_.substr(at_));
            if (length == 0) return notUtf8();
            into += text_.substr(at_, length);
            at_ += length;
        }
        if (ended()) return Fault{from, "the text that begins here does not end", R"(close it with ")"};
        ++at_;
        return std::nullopt;
    }

    MaybeFault takeEscape(std::string& into) {
        constexpr std::string_view kLetters = R"("\/bfnrt)";
        constexpr std::string_view kMeant = "\"\\/\b\f\n\r\t";
        if (at_ + 1 == text_.size()) return faultHere("the text ends within an escape", "is the file complete?");
        const std::size_t plain = kLetters.find(text_[at_ + 1]);
        if (plain != std::string_view::npos) {
            into += kMeant[plain];
            at_ += 2;
            return std::nullopt;
        }
        if (text_[at_ + 1] != 'u') {
            const std::size_t length = std::max<std::size_t>(characterLength(text_.substr(at_ + 1)), 1);
            return faultHere(fmt::format("{} is not an escape", quotedText(text_.substr(at_, 1 + length))),
                             R"(write \\ for a backslash)");
        }
        return takeCodePoint(into);
    }

    MaybeFault takeCodePoint(std::string& into) {
        const auto first = hexHere();
        const bool isHigh = first && *first >= 0xd800 && *first < 0xdc00;
        const bool isLow = first && *first >= 0xdc00 && *first < 0xe000;
        if (!first || isLow) return badCodePoint();
        const std::size_t from = at_;
        at_ += kCodePoint;
        std::uint32_t code = *first;
        if (isHigh) {
            const auto second = isHere("\\u") ? hexHere() : std::nullopt;
            if (!second || *second < 0xdc00 || *second >= 0xe000) {
                at_ = from;
                return badCodePoint();
            }
            code = 0x10000 + (code - 0xd800) * 0x400 + (*second - 0xdc00);
            at_ += kCodePoint;
        }
        appendCharacter(into, code);
        return std::nullopt;
    }

    static constexpr std::size_t kCodePoint = 6;  ///< bytes of \u00e9

    /// The four digits after \u.
    std::optional<std::uint32_t> hexHere() const {
        if (text_.size() - at_ < kCodePoint) return std::nullopt;
        std::uint32_t value = 0;
        for (const char c : text_.substr(at_ + 2, 4)) {
            if (digit(c) > 15) return std::nullopt;
            value = value << 4 | digit(c);
        }
        return value;
    }

    // --- error messages ---

    Fault faultHere(std::string what, std::string hint) const { return {at_, std::move(what), std::move(hint)}; }

    Error located(const Fault& fault) const {
        const auto [line, column] = lineAndColumn(fault.at);
        return {.where = fmt::format("{}:{}:{}", file_, line, column),
                .what = "this is not JSON: " + fault.what,
                .hint = fault.hint,
                .cancelled = false};
    }

    std::pair<std::size_t, std::size_t> lineAndColumn(std::size_t at) const {
        const std::string_view before = text_.substr(0, at);
        const std::size_t newline = before.rfind('\n');
        const std::size_t start = newline == std::string_view::npos ? 0 : newline + 1;
        const auto line = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1;
        return {line, characterCount(before.substr(start)) + 1};
    }

    std::size_t lineOf(std::size_t at) const { return lineAndColumn(at).first; }

    static char closing(const Frame& frame) { return frame.isList ? ']' : '}'; }

    Fault endTooEarly() const {
        if (open_.empty()) return faultHere("the file is empty", "it should begin with {");
        const Frame& frame = open_.back();
        return faultHere(
            fmt::format("the text ends before the {} that line {} opens is closed", text_[frame.at], lineOf(frame.at)),
            fmt::format("add {}, or see whether the file is complete", closing(frame)));
    }

    /// Anything but a comma or a closing bracket after a value.
    Fault unseparated() const {
        if (auto comment = commentHere()) return *std::move(comment);
        if (here() == ':') return faultHere("a colon stands after a value", "it belongs between a key and its value");
        return faultHere(
            fmt::format("there is no comma before {}", quotedText(piece())),
            fmt::format("put a comma between {}", open_.back().isList ? "two values" : "a value and the next key"));
    }

    MaybeFault wrongBracket() const {
        const Frame& frame = open_.back();
        if (here() == closing(frame)) return std::nullopt;
        return faultHere(fmt::format("{} closes the {} of line {}", here(), text_[frame.at], lineOf(frame.at)),
                         fmt::format("close it with {}", closing(frame)));
    }

    Fault needlessComma() const {
        return {comma_, fmt::format("a comma stands before {}", here()), "remove the comma"};
    }

    Fault noKey() const {
        const char c = here();
        if (auto comment = commentHere()) return *std::move(comment);
        if (next_ == Next::key && (c == '}' || c == ']')) return needlessComma();
        if (c == ',') return faultHere("a comma stands where a key should be", "remove the comma");
        if (c == '\'') return singleQuotes();
        if (c == '{' || c == '[' || c == ']' || c == ':') {
            return faultHere(fmt::format("a key should be here, not {}", c), R"(an object is a list of "key": value)");
        }
        return faultHere(fmt::format("the key {} is not in quotes", quotedText(piece())), "put it in double quotes");
    }

    Fault noValue() const {
        const char c = here();
        const bool inList = !open_.empty() && open_.back().isList;
        if (inList && c == ']') return needlessComma();
        if (inList && c == ',') return faultHere("there is no value before the comma", "remove the comma");
        if (open_.empty() || inList || c == ':') {
            return faultHere(fmt::format("a value should be here, not {}", c),
                             "a value is a text in double quotes, a number, true, false, null, a list or an object");
        }
        return faultHere(fmt::format("the key {} has no value", quotedText(open_.back().key)),
                         "write one after the colon");
    }

    Fault badWord(std::string_view word) const {
        if (auto comment = commentHere()) return *std::move(comment);
        if (here() == '\'') return singleQuotes();
        if (characterLength(text_.substr(at_)) == 0) return notUtf8();
        const std::string shown = quotedText(piece());
        std::string small(word);
        std::transform(small.begin(), small.end(), small.begin(),
                       [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
        if (small == "true" || small == "false") return faultHere(shown + " is not a value", "write " + small);
        if (small == "none" || small == "nil") return faultHere(shown + " is not a value", "write null");
        if (small == "nan" || small == "inf" || small == "infinity" || small == "-inf" || small == "-infinity") {
            return faultHere(shown + " is not a number in JSON", "write a finite one");
        }
        const char c = here() == '-' || here() == '+' || here() == '.' ? (word.size() > 1 ? word[1] : '0') : here();
        const bool numeric = word.find_first_not_of("0123456789+-.eExXabcdefABCDEF_") == std::string_view::npos;
        if (c >= '0' && c <= '9' && numeric) {
            return faultHere(fmt::format("the number {} is not written as in JSON", shown),
                             "write decimal digits, such as 64, -3 or 0.5, without zeros before them");
        }
        return faultHere(fmt::format("{} is not in quotes", shown), "put texts in double quotes");
    }

    /// The token here, for quoting: the text in quotes, or the characters up to a blank or punctuation, at least one.
    std::string_view piece() const {
        if (here() == '"') {
            const std::string_view inside = text_.substr(at_ + 1);
            return inside.substr(0, inside.find_first_of("\"\n"));
        }
        const std::string_view word = wordHere();
        return word.empty() ? text_.substr(at_, 1) : word;
    }

    Fault singleQuotes() const {
        const std::string_view line = text_.substr(at_, text_.find('\n', at_) - at_);
        const std::string_view inside = line.substr(1, line.find('\'', 1) - 1);
        return faultHere(fmt::format("{} is in single quotes", quotedText(inside)), "use double quotes");
    }

    std::optional<Fault> commentHere() const {
        if (!isHere("//") && !isHere("/*") && !isHere("#")) return std::nullopt;
        const std::string_view line = text_.substr(at_, text_.find('\n', at_) - at_);
        return faultHere(fmt::format("{} is a comment", quotedText(trimmed(line))), "remove it: JSON has no comments");
    }

    Fault controlCharacter(std::size_t from) const {
        const char c = here();
        if (c == '\n' || c == '\r') {
            return {from, "the text that begins here does not end on its line",
                    R"(close it with ", or write \n for a line break in it)"};
        }
        return faultHere(
            fmt::format("the character U+{:04X} stands within a text", static_cast<unsigned>(c)),
            c == '\t' ? R"(write \t for a tab)" : fmt::format("write \\u{:04x}", static_cast<unsigned>(c)));
    }

    Fault notUtf8() const {
        return faultHere(fmt::format("the byte 0x{:02x} is not UTF-8", static_cast<unsigned char>(here())),
                         "save the file as UTF-8");
    }

    Fault badCodePoint() const {
        const std::string_view end = text_.substr(at_, kCodePoint);
        return faultHere(fmt::format("{} is not a character", quotedText(end.substr(0, end.find('"')))),
                         R"(write \u and four hex digits, and two such for a character beyond U+FFFF)");
    }

    // --- duplicate keys ---

    void addDuplicate() {
        Error error{.where = file_, .what = {}, .hint = "remove one of them", .cancelled = false};
        if (duplicates_.size() < kLocated) {
            const std::string path = shownPath();
            if (!path.empty()) error.where = fmt::format("{}: {}", file_, path);
            error.what = fmt::format("the key {} appears twice in one object", quotedText(open_.back().key));
        }
        duplicates_.push_back(std::move(error));
    }

    /// The path of the innermost open object, without its middle if it is long.
    std::string shownPath() const {
        std::string out;
        const std::size_t members = open_.size() - 1;
        for (std::size_t i = 0; i < members; ++i) {
            if (members > kShownMembers && i >= kShownMembers / 2 && i < members - kShownMembers / 2) {
                if (i == kShownMembers / 2) out += ".…";
                continue;
            }
            const Frame& frame = open_[i];
            if (frame.isList) {
                out += fmt::format("[{}]", frame.elements - 1);
            } else {
                out = jsonPath(out, frame.key.size() <= kShownKey ? frame.key : quotedText(frame.key));
            }
        }
        return out;
    }
};

}  // namespace

std::vector<Error> jsonErrors(std::string_view text, const std::string& file) {
    return JsonCheck(text, file).errors();
}

std::string jsonPath(const std::string& path, const std::string& key) {
    return path.empty() ? key : path + "." + key;
}

}  // namespace whorl::sim
