#include "structure/rules.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <string_view>

namespace whorl::structure {
namespace {

namespace fs = std::filesystem;

// Includes that begin with one of `includes` belong in files that begin with one of `rooms`.
struct Rule {
    std::string_view what;
    std::vector<std::string_view> includes;
    std::vector<std::string_view> rooms;
    bool sourcesOnly = false;  // not in headers
};

const std::vector<Rule>& rules() {
    static const std::vector<Rule> kRules = {
        // Our own rooms: sim <- render/scene <- render/gl <- app.
        {"app", {"app/"}, {"app/", "tests/app/", "tests/window/", "tests/bench/"}},
        {"render/gl",
         {"render/gl/"},
         {"render/gl/", "app/", "tests/gl/", "tests/app/", "tests/window/", "tests/bench/"}},
        {"render",
         {"render/"},
         {"render/", "app/", "tests/scene/", "tests/gl/", "tests/app/", "tests/window/", "tests/bench/",
          "tests/fuzz/"}},
        {"tests", {"tests/"}, {"tests/"}},
        // The picture.
        {"OpenGL", {"epoxy/", "EGL/", "GL/", "GLES2/", "GLES3/", "KHR/"}, {"render/gl/", "tests/gl/"}},
        {"SFML", {"SFML/"}, {"app/window/", "tests/app/", "tests/window/"}},
        {"X11", {"X11/"}, {"app/window/", "tests/app/", "tests/window/"}},
        {"ImGui", {"imgui", "misc/freetype/", "misc/cpp/"}, {"app/", "tests/app/", "tests/window/"}},
        {"GLM",
         {"glm/"},
         {"render/", "app/", "tests/scene/", "tests/gl/", "tests/app/", "tests/window/", "tests/bench/",
          "tests/fuzz/"}},
        {"libpng", {"png.h"}, {"app/", "tests/"}},
        {"FreeType", {"ft2build.h", "freetype/"}, {"app/", "tests/app/"}},
        {"CLI11", {"CLI/"}, {"app/cli/option_parser.cpp"}},
        // Files. A header that names the JSON library costs every file behind it seconds.
        {"nlohmann/json", {"nlohmann/"}, {"sim/", "app/", "tests/"}, true},
        {"zstd or zlib", {"zstd.h", "zlib.h"}, {"sim/base/", "sim/trace/", "tests/"}},
        {"elfutils", {"elfutils/", "libelf.h", "gelf.h", "dwarf.h"}, {"sim/capture/", "tests/sim/"}},
        // The truth and the picture follow from the trace alone: they have no clock.
        {"a clock", {"chrono", "ctime", "time.h", "sys/time.h"}, {"app/", "tests/"}},
        {"GoogleTest", {"gtest/", "gmock/"}, {"tests/"}},
        {"Google Benchmark", {"benchmark/"}, {"tests/bench/"}},
    };
    return kRules;
}

bool beginsWithOneOf(std::string_view text, const std::vector<std::string_view>& beginnings) {
    return std::any_of(beginnings.begin(), beginnings.end(), [&](auto b) { return text.starts_with(b); });
}

const Rule* ruleFor(std::string_view include) {
    for (const Rule& rule : rules()) {
        if (beginsWithOneOf(include, rule.includes)) return &rule;
    }
    return nullptr;
}

struct File {
    std::string name;  // from the root, with forward slashes
    std::string text;

    bool isIn(std::string_view room) const { return name.starts_with(room); }
    bool endsIn(std::string_view suffix) const { return name.ends_with(suffix); }
    bool isHeader() const { return endsIn(".h"); }
    bool isCode() const { return isHeader() || endsIn(".cpp"); }
    bool isOfTheProgram() const { return isIn("sim/") || isIn("render/") || isIn("app/"); }
};

// All files that belong to the project: not what is built, nor what git and editors keep beside it.
std::vector<File> filesOf(const fs::path& root) {
    std::vector<File> files;
    for (auto at = fs::recursive_directory_iterator(root); at != fs::recursive_directory_iterator(); ++at) {
        const std::string leaf = at->path().filename().string();
        const bool hidden = leaf.starts_with(".") && leaf != ".ci" && leaf != ".clang-tidy" && leaf != ".clang-format";
        if (hidden || (at.depth() == 0 && leaf.starts_with("build"))) {
            at.disable_recursion_pending();
        } else if (at->is_regular_file()) {
            std::ifstream in(at->path(), std::ios::binary);
            files.push_back({at->path().lexically_relative(root).generic_string(),
                             std::string((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>())});
        }
    }
    std::sort(files.begin(), files.end(), [](const File& a, const File& b) { return a.name < b.name; });
    return files;
}

class Inspection {
  public:
    explicit Inspection(const fs::path& root) : root_(root) {
        for (const File& file : filesOf(root)) {
            if (file.isCode()) checkIncludes(file);
            if (file.isCode()) checkShape(file);
            checkPlaces(file);
        }
    }

    std::vector<std::string> found;

  private:
    void checkIncludes(const File& file) {
        static const std::regex kInclude(R"(\s*#\s*include\s*([<"])([^>"]+)[>"].*)");
        std::istringstream lines(file.text);
        std::string line;
        for (int number = 1; std::getline(lines, line); ++number) {
            std::smatch match;
            if (!std::regex_match(line, match, kInclude)) continue;
            const std::string include = match[2];
            const std::string where = file.name + ":" + std::to_string(number) + ": ";
            const Rule* rule = ruleFor(include);
            if (include.starts_with(".")) {
                found.push_back(where + "name " + include + " from the root of the tree");
            } else if (rule != nullptr && !beginsWithOneOf(file.name, rule->rooms)) {
                found.push_back(where + "this room must not include " + std::string(rule->what) + " (" + include + ")");
            } else if (rule != nullptr && rule->sourcesOnly && file.isHeader()) {
                found.push_back(where + "a header must not include " + std::string(rule->what) + " (" + include + ")");
            } else if (match[1] == "\"" && !isOurs(file, include) && (rule == nullptr || isRoom(include))) {
                found.push_back(where + "there is no " + include + " from the root of the tree");
            }
        }
    }

    // Our own files are named from the root; tests name those beside them from tests/.
    bool isOurs(const File& file, const std::string& include) const {
        return fs::exists(root_ / include) || (file.isIn("tests/") && fs::exists(root_ / "tests" / include));
    }

    static bool isRoom(std::string_view include) {
        return beginsWithOneOf(include, {"sim/", "render/", "app/", "tests/"});
    }

    void checkShape(const File& file) {
        if (file.isHeader() && file.text.find("#pragma once") == std::string::npos) {
            found.push_back(file.name + ": there is no #pragma once");
        }
        const auto lines = std::count(file.text.begin(), file.text.end(), '\n');
        const int most = file.name == "app/main.cpp" ? 100 : 500;
        if (file.isOfTheProgram() && lines > most) {
            found.push_back(file.name + ": has " + std::to_string(lines) + " lines; " + std::to_string(most) +
                            " are the most");
        }
        static const std::regex kSnakeCase("[a-z0-9_/]+\\.(h|cpp)");
        if (!std::regex_match(file.name, kSnakeCase)) found.push_back(file.name + ": is not named in snake_case");
    }

    // The tree works wherever it lies. (In two pieces each, as this file is looked at too.)
    void checkPlaces(const File& file) {
        static const std::vector<std::string> kPlaces = {std::string("/work") + "/", std::string("../") + "shared",
                                                         std::string("/home") + "/", std::string("/root") + "/"};
        for (const std::string& place : kPlaces) {
            if (const auto at = file.text.find(place); at != std::string::npos) {
                const auto line = 1 + std::count(file.text.begin(), file.text.begin() + static_cast<long>(at), '\n');
                found.push_back(file.name + ":" + std::to_string(line) + ": names a place outside the tree (" + place +
                                ")");
            }
        }
    }

    const fs::path& root_;
};

}  // namespace

std::vector<std::string> breaches(const fs::path& root) {
    return Inspection(root).found;
}

}  // namespace whorl::structure
