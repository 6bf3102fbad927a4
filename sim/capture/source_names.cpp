#include "sim/capture/source_names.h"

#include <cxxabi.h>

// Else its header declares the function anew, in another way.
#define HAVE_DECL_BASENAME 1
#include <libiberty/demangle.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <memory>
#include <optional>
#include <vector>

#include "sim/base/text.h"

namespace whorl::sim {

namespace {

bool isNameStart(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool isNamePart(char c) {
    return isNameStart(c) || std::isdigit(static_cast<unsigned char>(c)) != 0;
}

/// The words, numbers and signs of a line. A quoted text is one sign; comments are left out.
std::vector<std::string_view> tokensOf(std::string_view text) {
    std::vector<std::string_view> tokens;
    for (std::size_t i = 0; i < text.size();) {
        const char c = text[i];
        std::size_t end = i + 1;
        if (text.substr(i).starts_with("//")) {
            i = std::min(text.find('\n', i), text.size());
            continue;
        }
        if (text.substr(i).starts_with("/*")) {
            const std::size_t close = text.find("*/", i + 2);
            i = close == std::string_view::npos ? text.size() : close + 2;
            continue;
        }
        if (isNamePart(c)) {
            while (end < text.size() && isNamePart(text[end])) ++end;
        } else if (c == '"' || c == '\'') {
            while (end < text.size() && text[end] != c) end += text[end] == '\\' ? 2 : 1;
            end = std::min(end + 1, text.size());
        } else if (text.substr(i).starts_with("->") || text.substr(i).starts_with("::") ||
                   text.substr(i).starts_with("==") || text.substr(i).starts_with("<=") ||
                   text.substr(i).starts_with(">=") || text.substr(i).starts_with("!=")) {
            end = i + 2;
        }
        if (std::isspace(static_cast<unsigned char>(c)) == 0) tokens.push_back(text.substr(i, end - i));
        i = end;
    }
    return tokens;
}

using Tokens = std::vector<std::string_view>;

bool isName(std::string_view token) {
    return !token.empty() && isNameStart(token.front());
}

bool isKeyword(std::string_view token) {
    static constexpr std::array<std::string_view, 16> kWords = {"return", "if",    "for",    "while",  "else", "new",
                                                                "sizeof", "const", "static", "struct", "auto", "let",
                                                                "mut",    "do",    "std",    "this"};
    return std::find(kWords.begin(), kWords.end(), token) != kWords.end();
}

/// The text from one token to another, inclusive.
std::string_view spanned(const Tokens& t, std::size_t from, std::size_t to) {
    return {t[from].data(), static_cast<std::size_t>(t[to].data() + t[to].size() - t[from].data())};
}

std::optional<std::size_t> find(const Tokens& t, std::string_view word, std::size_t from = 0) {
    const auto at = std::find(t.begin() + static_cast<std::ptrdiff_t>(std::min(from, t.size())), t.end(), word);
    return at == t.end() ? std::nullopt : std::optional(static_cast<std::size_t>(at - t.begin()));
}

/// The index after the bracket that closes the one at `open`; past the end if none does.
std::size_t behindBracket(const Tokens& t, std::size_t open) {
    static constexpr std::string_view kOpen = "(<[{";
    static constexpr std::string_view kClose = ")>]}";
    const std::size_t kind = kOpen.find(t[open].front());
    int depth = 0;
    for (std::size_t i = open; i < t.size(); ++i) {
        if (t[i].size() != 1) continue;
        if (t[i].front() == kOpen[kind]) ++depth;
        if (t[i].front() == kClose[kind] && --depth == 0) return i + 1;
    }
    return t.size();
}

/// The index of the bracket that the one before `end` closes.
std::size_t openingBefore(const Tokens& t, std::size_t end) {
    const std::string_view close = t[end - 1];
    const std::string_view open = close == "]" ? "[" : "(";
    int depth = 0;
    do {
        --end;
        if (t[end] == close) ++depth;
        if (t[end] == open) --depth;
    } while (depth > 0 && end > 0);
    return end;
}

/// The expression that ends there: nodes for `this->nodes`, graph and nodes for `graph.nodes[i]`.
SourcePath pathEndingAt(const Tokens& t, std::size_t end) {
    SourcePath path;
    if (end > 3 && t[end - 1] == ")" && t[openingBefore(t, end) + 1] == "*") {
        path = pathEndingAt(t, end - 1);
        path.isDereferenced = true;
        return path;
    }
    for (bool isLast = true;; isLast = false) {
        for (; end > 0 && t[end - 1] == "]"; end = openingBefore(t, end)) path.indices += isLast ? 1 : 0;
        if (end > 0 && (t[end - 1] == "this" || t[end - 1] == "self")) {
            path.isOfThis = true;
            break;
        }
        if (end == 0 || !isName(t[end - 1]) || isKeyword(t[end - 1])) break;
        path.names.insert(path.names.begin(), std::string(t[--end]));
        if (end == 0 || (t[end - 1] != "." && t[end - 1] != "->" && t[end - 1] != "%")) break;
        --end;
    }
    const bool isFirst = end == 1 || (end > 1 && std::string_view("(;{}=,").find(t[end - 2]) != std::string_view::npos);
    path.isDereferenced = end > 0 && t[end - 1] == "*" && isFirst;
    return path;
}

/// The type before a declared name: std::vector<Node> for `const std::vector<Node>& v`.
std::string declaredType(const Tokens& t, std::size_t name) {
    std::size_t from = 0;
    for (std::size_t i = 0; i < name; ++i) {
        if (t[i] == ";" || t[i] == "{" || t[i] == "(") from = i + 1;
    }
    while (from < name && (t[from] == "const" || t[from] == "static" || t[from] == "struct")) ++from;
    std::size_t to = name;
    while (to > from && (t[to - 1] == "*" || t[to - 1] == "&" || t[to - 1] == "const" || t[to - 1] == "restrict" ||
                         t[to - 1] == "__restrict")) {
        --to;
    }
    if (to == from || t[from] == "auto" || t[from] == "let") return {};
    return std::string(spanned(t, from, to - 1));
}

/// What is assigned before an `=` sign, and its declared type.
AllocationName assignedBefore(const Tokens& t, std::size_t equals) {
    AllocationName found{.path = pathEndingAt(t, equals), .type = {}};
    // Rust: let mut v: Vec<f64> =
    if (const auto colon = find(t, ":"); colon && *colon > 0 && *colon < equals && find(t, "let")) {
        found.path = pathEndingAt(t, *colon);
        found.type = std::string(spanned(t, *colon + 1, equals - 1));
        return found;
    }
    if (equals >= 2 && t[equals - 1] == found.path.name()) {
        const std::string_view before = t[equals - 2];
        const bool isDeclaration = before == "*" || before == "&" || before == ">" || isName(before);
        if (isDeclaration && !found.path.isDereferenced) found.type = declaredType(t, equals - 1);
    }
    return found;
}

/// T of `new T[n]`, `new (place) T(…)`.
std::string typeOfNew(const Tokens& t, std::size_t at) {
    std::size_t from = at + 1;
    if (from < t.size() && t[from] == "(") from = behindBracket(t, from);
    std::size_t to = from;
    while (to < t.size() && (isName(t[to]) || t[to] == "::" || t[to] == "<")) {
        to = t[to] == "<" ? behindBracket(t, to) : to + 1;
    }
    if (to == from || to > t.size()) return {};
    return std::string(spanned(t, from, to - 1));
}

/// T of `sizeof(T)`, `sizeof(struct T)`; empty for `sizeof *p`.
std::string typeOfSizeof(const Tokens& t) {
    const auto at = find(t, "sizeof");
    if (!at || *at + 2 >= t.size() || t[*at + 1] != "(") return {};
    const std::size_t end = behindBracket(t, *at + 1) - 1;
    std::size_t from = *at + 2;
    if (t[from] == "struct") ++from;
    if (end <= from || end >= t.size() || !isName(t[from])) return {};
    return std::string(spanned(t, from, end - 1));
}

bool isAllocator(std::string_view word) {
    static constexpr std::array<std::string_view, 9> kWords = {
        "malloc", "calloc", "realloc", "aligned_alloc", "memalign", "valloc", "strdup", "strndup", "reallocarray"};
    return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

bool declaresContainer(std::string_view type) {
    static constexpr std::array<std::string_view, 16> kWords = {
        "vector",     "deque",      "list", "map", "unordered_map", "set",      "unordered_set", "string",
        "unique_ptr", "shared_ptr", "Vec",  "Box", "multimap",      "multiset", "forward_list",  "valarray"};
    return std::any_of(kWords.begin(), kWords.end(), [&](std::string_view w) {
        const std::size_t at = type.find(w);
        if (at == std::string_view::npos) return false;
        const bool begins = at == 0 || !isNamePart(type[at - 1]);
        return begins && (at + w.size() == type.size() || !isNamePart(type[at + w.size()]));
    });
}

/// The name and type of a declared container: `std::vector<Node> nodes(n)`, `nodes{1, 2}`, `nodes;`. The name is the
/// word before the bracket.
AllocationName declaredContainer(const Tokens& t) {
    for (std::size_t i = 1; i < t.size(); ++i) {
        if (!isName(t[i]) || isKeyword(t[i])) continue;
        const bool isLast = i + 1 == t.size();
        const bool isFollowed = !isLast && (t[i + 1] == "(" || t[i + 1] == "{" || t[i + 1] == ";" || t[i + 1] == "=");
        if (!isLast && !isFollowed) continue;
        if (t[i - 1] != ">" && t[i - 1] != "&" && !isName(t[i - 1])) continue;
        const std::string type = declaredType(t, i);
        if (declaresContainer(type)) return {.path = pathEndingAt(t, i + 1), .type = elementOf(type)};
    }
    return {};
}

/// The object whose member is called: `nodes.push_back(…)`, `graph->nodes.resize(n)`. Empty `function`: any member.
SourcePath calledObject(const Tokens& t, std::string_view function = {}) {
    for (std::size_t i = 1; i + 2 < t.size(); ++i) {
        if ((t[i] != "." && t[i] != "->") || !isName(t[i + 1]) || t[i + 2] != "(") continue;
        if (!function.empty() && t[i + 1] != function) continue;
        SourcePath path = pathEndingAt(t, i);
        path.isDereferenced = path.isDereferenced || t[i] == "->";
        if (!path.names.empty() || path.isOfThis) return path;
    }
    return {};
}

/// What is before the bracket that a token lies in, as in an initializer list or a smart pointer: A for `A(new
/// double[n])`, and list for `list.push_back(new Node)`.
SourcePath wrapped(const Tokens& t, std::size_t at) {
    for (std::size_t i = at; i-- > 1;) {
        if ((t[i] != "(" && t[i] != "{") || !isName(t[i - 1]) || isKeyword(t[i - 1])) continue;
        SourcePath path = pathEndingAt(t, i);
        if (path.names.size() > 1) path.names.pop_back();
        return path;
    }
    return {};
}

/// The items of an allocate statement of Fortran: u and s%v for `allocate(u(n), s%v(0:m))`; none for other statements.
std::vector<SourcePath> allocatedItems(const Tokens& t) {
    std::vector<SourcePath> items;
    const auto isWord = [](std::string_view word) {
        return word.size() == 8 && std::equal(word.begin(), word.end(), "allocate", [](char a, char b) {
                   return std::tolower(static_cast<unsigned char>(a)) == b;
               });
    };
    const auto at = std::find_if(t.begin(), t.end(), isWord);
    if (at == t.end()) return items;
    int depth = 0;
    for (auto i = static_cast<std::size_t>(at - t.begin()) + 1; i < t.size(); ++i) {
        const bool opens = t[i] == "(";
        if (opens && depth == 1 && isName(t[i - 1])) items.push_back(pathEndingAt(t, i));
        depth += opens ? 1 : t[i] == ")" ? -1 : 0;
        if (depth == 0) break;
    }
    return items;
}

AllocationName ofStatement(const Tokens& t) {
    const auto newAt = find(t, "new");
    const auto equals = find(t, "=");
    const auto allocator = std::find_if(t.begin(), t.end(), isAllocator);
    AllocationName found;
    if (equals && (!newAt || *equals < *newAt)) found = assignedBefore(t, *equals);
    const bool isNamed = !found.path.names.empty();
    found.path.isReturned = !isNamed && find(t, "return").has_value();
    if (newAt) {
        if (!isNamed && !found.path.isReturned) found.path = wrapped(t, *newAt);
        found.mayBeCall = !isNamed;
        found.type = typeOfNew(t, *newAt);
        return found;
    }
    if (allocator != t.end()) {
        if (const std::string sized = typeOfSizeof(t); !sized.empty()) found.type = sized;
        return found;
    }
    for (const std::string_view maker : {"make_unique", "make_shared", "make_unique_for_overwrite"}) {
        const auto at = find(t, maker);
        if (!at || *at + 1 >= t.size() || t[*at + 1] != "<") continue;
        found.type = elementOf(spanned(t, *at, std::min(behindBracket(t, *at + 1), t.size()) - 1));
        if (!isNamed && !found.path.isReturned) found.path = wrapped(t, *at);
        found.mayBeCall = !isNamed;
        return found;
    }
    if (const auto place = find(t, "posix_memalign")) {
        for (std::size_t i = *place; i < t.size(); ++i) {
            if (t[i] != "&" || i + 1 == t.size() || !isName(t[i + 1])) continue;
            return {.path = {.names = {std::string(t[i + 1])}}, .type = typeOfSizeof(t)};
        }
    }
    AllocationName container = declaredContainer(t);
    if (!container.path.names.empty()) return container;
    if (isNamed) {
        found.type = declaresContainer(found.type) ? elementOf(found.type) : std::string();
        return found;
    }
    if (!found.path.isReturned) found.path = calledObject(t);
    return found;
}

/// Whether a bracket at an offset begins a block of statements, and not a list of values.
bool beginsBlock(std::string_view line, std::size_t at) {
    const std::string_view before = trimmed(line.substr(0, at));
    if (before.empty() || std::string_view(");{}").find(before.back()) != std::string_view::npos) return true;
    static constexpr std::array<std::string_view, 6> kWords = {"else", "do", "try", "const", "noexcept", "override"};
    return std::any_of(kWords.begin(), kWords.end(), [&](std::string_view word) {
        const std::size_t rest = before.size() - std::min(before.size(), word.size());
        return before.ends_with(word) && (rest == 0 || !isNamePart(before[rest - 1]));
    });
}

/// The statement of a line that holds a column, counted from 1; the whole line if the column is unknown.
std::string_view statementAt(std::string_view line, std::size_t column) {
    if (column == 0 || column > line.size()) return line;
    std::size_t from = 0;
    std::vector<bool> areBlocks;  // brackets that are open
    for (std::size_t i = 0; i < line.size(); ++i) {
        const bool isInList = !areBlocks.empty() && !areBlocks.back();
        const bool opens = line[i] == '{' && beginsBlock(line, i);
        const bool closes = line[i] == '}' && !isInList;
        const bool ends = (line[i] == ';' && !isInList) || closes;
        if (i + 1 >= column && (opens || ends) && i > from)
            return line.substr(from, i + (line[i] == ';' ? 1 : 0) - from);
        if (opens || ends) from = i + 1;
        if (line[i] == '{') areBlocks.push_back(opens);
        if (line[i] == '}' && !areBlocks.empty()) areBlocks.pop_back();
    }
    return line.substr(std::min(from, line.size()));
}

/// The declarator at an offset of a statement that declares several things, separated by commas outside of brackets.
std::string_view declaratorAt(std::string_view statement, std::size_t offset) {
    std::size_t begin = 0;
    int depth = 0;
    for (std::size_t i = 0; i < statement.size(); ++i) {
        const char c = statement[i];
        // A bracket as in vector<int>; a comparison usually has blanks.
        const bool opensArguments = c == '<' && i > 0 && isNamePart(statement[i - 1]) && i + 1 < statement.size() &&
                                    isNameStart(statement[i + 1]);
        const bool closesArguments = c == '>' && i > 0 && statement[i - 1] != '-';
        if (c == '(' || c == '[' || c == '{' || opensArguments) ++depth;
        if (c == ')' || c == ']' || c == '}' || closesArguments) depth = std::max(0, depth - 1);
        if (c != ',' || depth > 0) continue;
        if (i >= offset) return statement.substr(begin, i - begin);
        begin = i + 1;
    }
    return statement.substr(begin);
}

/// The lines above, from where a statement begins that ends in this line.
std::string joined(std::string_view line, std::string_view before) {
    const std::size_t end = before.find_last_of(";{}");
    return std::string(end == std::string_view::npos ? before : before.substr(end + 1)) + ' ' + std::string(line);
}

/// The name and type from this line, together with the lines above if needed.
AllocationName ofLines(std::string_view line, std::string_view before) {
    AllocationName found = ofStatement(tokensOf(line));
    if (!found.path.names.empty() || found.path.isReturned || before.empty()) return found;
    const std::string all = joined(line, before);
    AllocationName whole = ofStatement(tokensOf(all));
    if (whole.type.empty()) whole.type = found.type;
    return whole;
}

/// The first token of a call of a function: its name, before a bracket. The number of tokens if there is none.
std::size_t callOf(const Tokens& t, std::string_view function) {
    for (std::size_t i = 0; i + 1 < t.size(); ++i) {
        if (t[i] == function && (t[i + 1] == "(" || t[i + 1] == "<")) return i;
    }
    return t.size();
}

/// Whether a variable in a return statement is returned itself, perhaps in brackets, cast, moved or as an alternative,
/// and is not an operand or an argument.
bool isPassedOn(const Tokens& t, std::size_t variable) {
    std::size_t at = variable - 1;
    while (t[at] == "(" && t[at - 1] == "(") --at;
    const bool isInBrackets = t[at] == "(";
    const std::string_view before = isInBrackets ? t[at - 1] : t[at];
    if (before == "return") return true;
    return isInBrackets ? before == ">" || before == "move" || before == "forward" : before == ")" || before == ":";
}

}  // namespace

SourceStatement::SourceStatement(std::string_view line, std::string_view before, std::size_t column)
    : line_(line), before_(before), column_(column > line.size() ? 0 : column), statement_(statementAt(line, column)) {}

bool SourceStatement::holds(std::size_t column) const {
    const std::size_t begin = static_cast<std::size_t>(statement_.data() - line_.data()) + 1;
    return column >= begin && column < begin + statement_.size() && (column_ == 0 || column <= column_);
}

AllocationName SourceStatement::allocation(std::size_t number) const {
    const auto items = allocatedItems(tokensOf(line_));
    if (!items.empty()) return {.path = items[std::min(number, items.size() - 1)], .type = {}};
    return ofDeclarator();
}

AllocationName SourceStatement::ofDeclarator() const {
    AllocationName whole = ofLines(statement_, before_);
    if (column_ == 0) return whole;
    const std::size_t offset = column_ - 1 - static_cast<std::size_t>(statement_.data() - line_.data());
    const std::string_view declarator = declaratorAt(statement_, offset);
    if (declarator.data() == statement_.data()) return whole;
    // For all declarators but the first, the type stands before the first.
    const Tokens tokens = tokensOf(declarator);
    AllocationName own = ofStatement(tokens);
    const bool isConstructed = tokens.size() > 1 && isName(tokens[0]) && (tokens[1] == "(" || tokens[1] == "{");
    if (own.path.names.empty() && isConstructed && !whole.path.names.empty()) own.path = pathEndingAt(tokens, 1);
    if (own.path.names.empty()) return whole;
    if (own.type.empty()) own.type = whole.type;
    return own;
}

std::uint32_t SourceStatement::columnOf(std::string_view name) const {
    const Tokens t = tokensOf(statement_);
    for (std::size_t i = 0; i + 1 < t.size(); ++i) {
        const bool isDeclarator =
            t[i + 1].size() == 1 && std::string_view("({=;,[").find(t[i + 1][0]) != std::string_view::npos;
        if (t[i] == name && isDeclarator) return static_cast<std::uint32_t>(t[i].data() - line_.data()) + 1;
    }
    return 0;
}

SourcePath SourceStatement::argument(std::string_view function, std::size_t number) const {
    const std::string all = joined(statement_, before_);
    const Tokens t = tokensOf(all);
    std::size_t at = callOf(t, function) + 1;
    if (at < t.size() && t[at] == "<") at = behindBracket(t, at);
    if (at >= t.size() || t[at] != "(") return {};
    const std::size_t close = std::min(behindBracket(t, at), t.size()) - 1;
    int depth = 0;
    for (std::size_t i = at + 1; i <= close; ++i) {
        const bool ends = depth == 0 && (t[i] == "," || i == close);
        if (t[i] == "(" || t[i] == "[" || t[i] == "{") ++depth;
        if (t[i] == ")" || t[i] == "]" || t[i] == "}") --depth;
        if (ends && number-- == 0) return pathEndingAt(t, i);
    }
    return {};
}

SourcePath SourceStatement::objectOf(std::string_view function) const {
    const std::string all = joined(statement_, before_);
    return calledObject(tokensOf(all), function);
}

SourcePath SourceStatement::initialized(const std::vector<std::string>& members) const {
    SourcePath last;
    const Tokens t = tokensOf(line_);
    for (std::size_t i = 0; i + 1 < t.size(); ++i) {
        const auto column = static_cast<std::size_t>(t[i].data() - line_.data()) + 1;
        const bool isMember = (t[i + 1] == "(" || t[i + 1] == "{" || t[i + 1] == "=") &&
                              std::find(members.begin(), members.end(), t[i]) != members.end();
        if (isMember && (column_ == 0 || column <= column_)) last.names = {std::string(t[i])};
    }
    return last;
}

bool returns(std::string_view text, std::string_view variable) {
    const Tokens t = tokensOf(text);
    for (std::size_t i = 0; i + 2 < t.size(); ++i) {
        if (t[i] != "return") continue;
        for (std::size_t at = i + 1; at + 1 < t.size() && t[at] != ";"; ++at) {
            const bool ends = t[at + 1] == ";" || t[at + 1] == ")";
            if (t[at] == variable && ends && isPassedOn(t, at)) return true;
        }
    }
    return false;
}

std::vector<std::pair<std::string, std::uint32_t>> accessedNames(std::string_view line) {
    std::vector<std::pair<std::string, std::uint32_t>> names;
    const Tokens t = tokensOf(line);
    for (std::size_t i = 0; i < t.size(); ++i) {
        const bool isIndexed = i + 1 < t.size() && t[i + 1] == "[";
        const bool isDereferenced = i > 0 && t[i - 1] == "*";
        if (!isName(t[i]) || (!isIndexed && !isDereferenced)) continue;
        names.emplace_back(std::string(t[i]), static_cast<std::uint32_t>(t[i].data() - line.data()) + 1);
    }
    return names;
}

std::string elementOf(std::string_view type) {
    const std::size_t open = type.find('<');
    if (open == std::string_view::npos) return std::string(trimmed(type));
    int depth = 0;
    std::size_t end = open + 1;
    for (; end < type.size(); ++end) {
        if (type[end] == '<' || type[end] == '(') ++depth;
        if (type[end] == '>' || type[end] == ')') {
            if (depth == 0) break;
            --depth;
        }
        if (type[end] == ',' && depth == 0) break;
    }
    std::string_view inner = trimmed(type.substr(open + 1, end - open - 1));
    if (inner.ends_with("[]")) inner.remove_suffix(2);
    return std::string(trimmed(inner));
}

std::string allocatedType(std::string_view function) {
    if (!function.ends_with("::allocate")) return {};
    const std::size_t open = function.find("llocator<");
    if (open == std::string_view::npos) return {};
    return elementOf(function.substr(open + 8));
}

namespace {

constexpr std::string_view kAnonymous = "(anonymous namespace)";

/// The part of a demangled name before its parameters; stores where it begins, after a return type.
std::string_view withoutParameters(std::string_view name, std::size_t& begin) {
    int depth = 0;
    begin = 0;
    for (std::size_t i = 0; i < name.size(); ++i) {
        if (depth == 0 && name.substr(i).starts_with(kAnonymous)) {
            i += kAnonymous.size() - 1;
            continue;
        }
        // Names of operators contain characters that are brackets elsewhere, and those of conversion and allocation a
        // blank.
        if (depth == 0 && name.substr(i).starts_with("operator")) {
            const std::size_t end = name.find('(', i + 8 + (name.substr(i + 8).starts_with("()") ? 2 : 0));
            return name.substr(0, end);
        }
        const char c = name[i];
        if (c == '<') ++depth;
        if (c == '>') --depth;
        if (depth > 0) continue;
        if (c == '(') return name.substr(0, i);
        if (c == ' ') begin = i + 1;
    }
    return name;
}

}  // namespace

std::string readableFunction(std::string_view symbol) {
    const auto freed = [](char* text) { return std::unique_ptr<char, decltype(&std::free)>(text, &std::free); };
    std::string mangled(symbol);
    // Of Rust's two manglings the older one is also one of C++.
    if (const auto rust = freed(rust_demangle(mangled.c_str(), DMGL_NO_OPTS)); rust != nullptr) return rust.get();
    if (!symbol.starts_with("_Z")) return mangled;
    int status = 0;
    const auto demangled = freed(abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status));
    if (demangled == nullptr || status != 0) return mangled;
    const std::string_view whole = demangled.get();
    std::size_t begin = 0;
    const std::string_view name = withoutParameters(whole, begin);
    return std::string(name.substr(std::min(begin, name.size())));
}

}  // namespace whorl::sim
