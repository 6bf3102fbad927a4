#include "structure/type_names.h"

#include <cctype>
#include <map>
#include <optional>
#include <string_view>

namespace whorl::structure {
namespace {

struct Token {
    std::string_view text;  // a word, or one character
    std::size_t offset = 0;

    bool isWord() const { return std::isalpha(static_cast<unsigned char>(text[0])) != 0 || text[0] == '_'; }
};

bool isWordCharacter(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::vector<Token> tokensOf(std::string_view code) {
    std::vector<Token> tokens;
    bool lineBegins = true;
    for (std::size_t at = 0; at < code.size();) {
        const char c = code[at];
        if (c == '#' && lineBegins) {  // a directive, with its continuation lines
            while (at < code.size() && code[at] != '\n') at += code[at] == '\\' ? 2 : 1;
        } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
            lineBegins = lineBegins || c == '\n';
            ++at;
        } else {
            std::size_t end = at + 1;
            while (isWordCharacter(c) && end < code.size() && isWordCharacter(code[end])) ++end;
            tokens.push_back({code.substr(at, end - at), at});
            lineBegins = false;
            at = end;
        }
    }
    return tokens;
}

// Walks through the tokens of a file and tracks the open scopes.
class TypeFinder {
  public:
    explicit TypeFinder(std::string_view code) : tokens_(tokensOf(code)) {
        while (at_ < tokens_.size()) step();
    }

    std::vector<TypeDefinition> found;

  private:
    // What a brace opened. Types are searched for where all open scopes have names.
    struct Scope {
        bool named = false;
        std::string name;  // empty for an unnamed namespace
    };

    std::string_view textAt(std::size_t i) const { return i < tokens_.size() ? tokens_[i].text : std::string_view(); }
    bool isWordAt(std::size_t i) const { return i < tokens_.size() && tokens_[i].isWord(); }

    void step() {
        const std::string_view text = textAt(at_);
        const bool outside = scopes_.empty() || scopes_.back().named;
        if (outside && text == "namespace") {
            enterNamespace();
        } else if (outside && (text == "class" || text == "struct" || text == "union" || text == "enum")) {
            enterType();
        } else {
            if (text == "{") scopes_.push_back({});
            if (text == "}" && !scopes_.empty()) scopes_.pop_back();
            ++at_;
        }
    }

    void enterNamespace() {
        std::string name;
        std::size_t i = at_ + 1;
        for (; isWordAt(i) || textAt(i) == ":"; ++i) name += textAt(i);
        if (textAt(i) == "{") {
            scopes_.push_back({true, name});
            ++i;
        }
        at_ = i;
    }

    void enterType() {
        std::size_t i = at_ + 1;
        if (textAt(at_) == "enum" && (textAt(i) == "class" || textAt(i) == "struct")) ++i;
        i = skipAttributes(i);
        const std::size_t offset = i < tokens_.size() ? tokens_[i].offset : 0;
        std::string name;
        for (; (isWordAt(i) && textAt(i) != "final") || (textAt(i) == ":" && textAt(i + 1) == ":");) {
            if (textAt(i) == ":") {
                name += "::";
                i += 2;
            } else {
                name = name.ends_with("::") || name.empty() ? name + std::string(textAt(i)) : std::string(textAt(i));
                ++i;
            }
        }
        const bool specialized = textAt(i) == "<";
        const auto body = bodyFrom(i);
        if (!body) {  // a declaration, or a parameter of a template
            at_ = i;
            return;
        }
        if (!name.empty() && !specialized) found.push_back({qualified(name), offset});
        scopes_.push_back({!specialized && !name.empty(), name});
        at_ = *body + 1;
    }

    std::size_t skipAttributes(std::size_t i) const {
        while (textAt(i) == "[" || textAt(i) == "alignas") {
            int depth = 0;
            if (textAt(i) == "alignas") ++i;
            do {
                if (textAt(i) == "[" || textAt(i) == "(") ++depth;
                if (textAt(i) == "]" || textAt(i) == ")") --depth;
                ++i;
            } while (depth > 0 && i < tokens_.size());
        }
        return i;
    }

    // Where the braces of a definition open, after its name: at once, or after "final", arguments of a specialization
    // and base classes.
    std::optional<std::size_t> bodyFrom(std::size_t i) const {
        if (textAt(i) == "final") ++i;
        const bool hasMore = textAt(i) == ":" || textAt(i) == "<";
        while (hasMore && i < tokens_.size() && textAt(i) != "{" && textAt(i) != ";" && textAt(i) != "(") ++i;
        return textAt(i) == "{" ? std::optional(i) : std::nullopt;
    }

    std::string qualified(const std::string& name) const {
        std::string out;
        for (const Scope& scope : scopes_) {
            if (!scope.name.empty()) out += scope.name + "::";
        }
        return out + name;
    }

    std::vector<Token> tokens_;
    std::size_t at_ = 0;
    std::vector<Scope> scopes_;
};

}  // namespace

std::vector<TypeDefinition> typesIn(const std::string& text) {
    const std::string code = withoutComments(text);
    std::vector<TypeDefinition> types = TypeFinder(code).found;
    return types;
}

std::vector<std::string> typesDefinedTwice(const std::vector<File>& files) {
    std::vector<std::string> said;
    std::map<std::string, std::string> places;
    for (const File& file : files) {
        if (!file.isCode() || !file.isOfTheProgram()) continue;
        const File plain{file.name, withoutComments(file.text)};
        for (const TypeDefinition& type : typesIn(file.text)) {
            const std::string place = plain.at(type.offset);
            const auto [first, isNew] = places.emplace(type.name, place);
            if (!isNew)
                said.push_back(place + ": " + type.name + " is the name of another type too, in " +
                               first->second.substr(0, first->second.rfind(':')));
        }
    }
    return said;
}

}  // namespace whorl::structure
