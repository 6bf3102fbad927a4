#include "sim/report/gift_reader.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <string_view>

namespace whorl::sim::test {

namespace {

constexpr std::string_view kSpecial = "~=#{}:";
/// Escaped characters become others, which have no meaning, until the text has been taken apart.
constexpr char kFirstEscaped = '\x01';
constexpr char kEscapedBackslash = '\x0e';
constexpr char kNewline = '\x0f';

std::string withoutEscapes(const std::string& text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\\') {
            out += text[i];
            continue;
        }
        if (++i == text.size()) throw std::runtime_error("a backslash at the end");
        const auto special = kSpecial.find(text[i]);
        if (special != std::string_view::npos) {
            out += static_cast<char>(kFirstEscaped + static_cast<char>(special));
        } else if (text[i] == '\\') {
            out += kEscapedBackslash;
        } else if (text[i] == 'n') {
            out += kNewline;
        } else {
            throw std::runtime_error(std::string("an escaped ") + text[i]);
        }
    }
    return out;
}

std::string meant(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\n");
    if (first == std::string_view::npos) return "";
    text = text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
    std::string out;
    for (const char c : text) {
        if (c >= kFirstEscaped && c < kFirstEscaped + static_cast<char>(kSpecial.size())) {
            out += kSpecial[static_cast<std::size_t>(c - kFirstEscaped)];
        } else {
            out += c == kEscapedBackslash ? '\\' : c == kNewline ? '\n' : c;
        }
    }
    return out;
}

GiftAnswer answerOf(std::string_view text, bool isNumber) {
    GiftAnswer out;
    out.right = text.front() == '=';
    text.remove_prefix(1);
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    if (text.starts_with("%")) {
        const auto end = text.find('%', 1);
        if (end == std::string_view::npos) throw std::runtime_error("a weight without an end");
        out.right = text.substr(1, end - 1) == "100";
        text.remove_prefix(end + 1);
    }
    if (const auto hash = text.find('#'); hash != std::string_view::npos) {
        out.feedback = meant(text.substr(hash + 1));
        if (text.find('#', hash + 1) != std::string_view::npos) throw std::runtime_error("two feedbacks");
        text = text.substr(0, hash);
    }
    if (const auto colon = text.find(':'); isNumber && colon != std::string_view::npos) {
        out.tolerance = meant(text.substr(colon + 1));
        text = text.substr(0, colon);
    }
    out.text = meant(text);
    if (out.text.empty()) throw std::runtime_error("an empty answer");
    return out;
}

void takeAnswers(GiftQuestion& to, std::string_view body) {
    if (const auto general = body.find("####"); general != std::string_view::npos) {
        to.feedback = meant(body.substr(general + 4));
        body = body.substr(0, general);
    }
    const bool isNumber = body.starts_with("#");
    if (isNumber) body.remove_prefix(1);
    bool hasWrong = false;
    for (auto at = body.find_first_of("~="); at != std::string_view::npos;) {
        const auto next = body.find_first_of("~=", at + 1);
        hasWrong |= body[at] == '~';
        to.answers.push_back(answerOf(body.substr(at, next == std::string_view::npos ? next : next - at), isNumber));
        at = next;
    }
    if (to.answers.empty()) throw std::runtime_error("a question without answers");
    to.kind = isNumber   ? GiftQuestion::Kind::numerical
              : hasWrong ? GiftQuestion::Kind::multipleChoice
                         : GiftQuestion::Kind::shortAnswer;
}

GiftQuestion questionOf(const std::string& paragraph, const std::vector<std::string>& category) {
    GiftQuestion out;
    out.category = category;
    const std::string text = withoutEscapes(paragraph);
    std::string_view rest = text;
    if (rest.starts_with("::")) {
        const auto end = rest.find("::", 2);
        if (end == std::string_view::npos) throw std::runtime_error("a name without an end");
        out.name = meant(rest.substr(2, end - 2));
        rest.remove_prefix(end + 2);
    }
    if (rest.starts_with("[")) {
        const auto end = rest.find(']');
        out.format = std::string(rest.substr(1, end - 1));
        rest.remove_prefix(end + 1);
    }
    const auto open = rest.find('{');
    const auto close = rest.find('}');
    if (open == std::string_view::npos || close == std::string_view::npos || close < open) {
        throw std::runtime_error("no answers in braces: " + paragraph);
    }
    if (!meant(rest.substr(close + 1)).empty()) throw std::runtime_error("words behind the answers");
    if (rest.find('{', open + 1) != std::string_view::npos) throw std::runtime_error("a brace within the answers");
    out.text = meant(rest.substr(0, open));
    takeAnswers(out, rest.substr(open + 1, close - open - 1));
    return out;
}

/// Two slashes are one within a name.
std::vector<std::string> pathOf(const std::string& text) {
    std::vector<std::string> path(1);
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '/') {
            path.back() += text[i];
        } else if (i + 1 < text.size() && text[i + 1] == '/') {
            path.back() += text[++i];
        } else {
            path.emplace_back();
        }
    }
    return path;
}

}  // namespace

std::vector<GiftQuestion> readGift(const std::string& text) {
    std::vector<GiftQuestion> out;
    std::vector<std::string> category;
    std::string paragraph;
    const auto endParagraph = [&] {
        if (!paragraph.empty()) out.push_back(questionOf(paragraph, category));
        paragraph.clear();
    };
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("//")) continue;
        if (line.find_first_not_of(" \t") == std::string::npos) {
            endParagraph();
        } else if (line.starts_with("$CATEGORY:")) {
            endParagraph();
            category = pathOf(meant(std::string_view(line).substr(10)));
        } else {
            paragraph += line + "\n";
        }
    }
    endParagraph();
    return out;
}

}  // namespace whorl::sim::test
