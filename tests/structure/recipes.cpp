#include "structure/recipes.h"

#include <algorithm>
#include <regex>
#include <sstream>

namespace whorl::structure {
namespace {

constexpr const char* kDocument = "docs/architecture.md";

// "| what | touch | for example |"
struct Recipe {
    std::string what;
    std::string touch;
    std::string example;
};

std::vector<Recipe> recipesIn(const std::string& text) {
    static const std::regex kRow(R"(\| (an? [^|]*) \| ([^|]*) \| ([^|]*)\|)");
    std::vector<Recipe> recipes;
    const std::size_t begin = std::min(text.find("\n## To add"), text.size());
    std::istringstream lines(text.substr(begin, text.find("\n## ", begin + 1) - begin));
    for (std::string line; std::getline(lines, line);) {
        std::smatch row;
        if (std::regex_match(line, row, kRow)) recipes.push_back({row[1], row[2], row[3]});
    }
    return recipes;
}

std::vector<std::string> quotedIn(const std::string& text) {
    static const std::regex kQuoted("`([^`]+)`");
    std::vector<std::string> out;
    for (std::sregex_iterator at(text.begin(), text.end(), kQuoted), end; at != end; ++at) out.push_back((*at)[1]);
    return out;
}

// "app/views", "a/b.h" or, where its folder was named before, "b.cpp".
bool isPlace(const std::string& name) {
    static const std::regex kPlace(R"((\w+/)*\w+\.(h|cpp|md|py)|\w+(/\w+)+)");
    return std::regex_match(name, kPlace);
}

bool isAt(const File& file, const std::string& place) {
    return file.name == place || file.name.starts_with(place + "/") || file.name.ends_with("/" + place);
}

bool hasWord(const std::string& text, const std::string& word) {
    const auto isPart = [&](std::size_t at) {
        return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_');
    };
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
        if (!isPart(at - 1) && !isPart(at + word.size())) return true;
    }
    return false;
}

// An enumerator stands without its type where it is declared.
std::string lastPart(const std::string& name) {
    const std::size_t colon = name.rfind(':');
    return colon == std::string::npos ? name : name.substr(colon + 1);
}

struct Checked {
    const File* file;
    std::string code;
};

void checkExample(const Recipe& recipe, const std::vector<Checked>& program, std::vector<std::string>& untrue) {
    const std::vector<std::string> names = quotedIn(recipe.example);
    const std::vector<std::string> places = quotedIn(recipe.touch);
    for (const Checked& checked : program) {
        const bool isNamed = std::any_of(places.begin(), places.end(),
                                         [&](const std::string& place) { return isAt(*checked.file, place); });
        for (const std::string& name : names) {
            if (isNamed || !hasWord(checked.code, name)) continue;
            untrue.push_back(checked.file->name + ": has " + name + ", but " + kDocument +
                             " does not name the file for " + recipe.what);
        }
    }
    for (const std::string& place : quotedIn(recipe.touch.substr(0, recipe.touch.find("also ")))) {
        const bool has = std::any_of(program.begin(), program.end(), [&](const Checked& checked) {
            return isAt(*checked.file, place) && std::any_of(names.begin(), names.end(), [&](const std::string& name) {
                       return hasWord(checked.code, lastPart(name));
                   });
        });
        if (isPlace(place) && !has) {
            untrue.push_back(std::string(kDocument) + ": " + place + " has nothing of " + recipe.example + "for " +
                             recipe.what);
        }
    }
}

}  // namespace

std::vector<std::string> untrueRecipes(const std::vector<File>& files) {
    std::vector<Checked> program;
    std::vector<Recipe> recipes;
    for (const File& file : files) {
        if (file.isOfTheProgram() && file.isCode()) program.push_back({&file, withoutComments(file.text)});
        if (file.name == kDocument) recipes = recipesIn(file.text);
    }
    std::vector<std::string> untrue;
    if (recipes.empty()) untrue.push_back(std::string(kDocument) + ": has no recipes");
    for (const Recipe& recipe : recipes) {
        for (const std::string& place : quotedIn(recipe.touch)) {
            const bool exists =
                std::any_of(files.begin(), files.end(), [&](const File& file) { return isAt(file, place); });
            if (isPlace(place) && !exists) {
                untrue.push_back(std::string(kDocument) + ": " + place + " does not exist; see " + recipe.what);
            }
        }
        if (!quotedIn(recipe.example).empty()) checkExample(recipe, program, untrue);
    }
    return untrue;
}

}  // namespace whorl::structure
