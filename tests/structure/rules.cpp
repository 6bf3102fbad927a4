#include "structure/rules.h"

#include <algorithm>
#include <cstddef>
#include <regex>
#include <sstream>
#include <string_view>

#include "structure/rooms.h"
#include "structure/source_tree.h"
#include "structure/type_names.h"

namespace whorl::structure {
namespace {

namespace fs = std::filesystem;

// Includes that begin with one of `includes` belong in files that begin with one of `places`.
struct Rule {
    std::string_view what;
    std::vector<std::string_view> includes;
    std::vector<std::string_view> places;
};

const std::vector<Rule>& rules() {
    static const std::vector<Rule> kRules = {
        // The rooms of the program; rooms.cpp defines their order.
        {"app", {"app/"}, {"app/", "tests/app/", "tests/page/", "tests/bench/", "tests/fuzz/", "tests/support/"}},
        {"render/gl", {"render/gl/"}, {"render/", "app/", "tests/gl/", "tests/app/", "tests/bench/", "tests/support/"}},
        {"render",
         {"render/"},
         {"render/", "app/", "tests/scene/", "tests/gl/", "tests/app/", "tests/bench/", "tests/fuzz/",
          "tests/support/"}},
        {"tests", {"tests/"}, {"tests/"}},
        // The picture. OpenGL is included in one place.
        {"OpenGL", {"epoxy/gl", "GL/", "GLES2/", "GLES3/", "KHR/"}, {"render/gl/api.h"}},
        {"EGL", {"epoxy/egl", "EGL/"}, {"render/gl/offscreen_context.cpp"}},
        {"SFML",
         {"SFML/"},
         {"app/window/window.cpp", "app/window/imgui_platform.cpp", "app/window/speaker_window.cpp", "tests/app/"}},
        {"X11", {"X11/"}, {"app/window/display.cpp", "tests/app/"}},
        {"ImGui", {"imgui", "misc/freetype/", "misc/cpp/"}, {"app/", "tests/app/"}},
        {"GLM",
         {"glm/"},
         {"render/", "app/", "tests/scene/", "tests/gl/", "tests/app/", "tests/bench/", "tests/fuzz/"}},
        {"libpng", {"png.h"}, {"app/export/", "tests/"}},
        {"FreeType", {"ft2build.h", "freetype/"}, {"tests/app/"}},
        // Both are slow to compile: CLI11 is included in one place, and the JSON library where a form of file is read
        // or
        // written, directly or by the rows.
        {"CLI11", {"CLI/"}, {"app/cli/option_parser.cpp"}},
        {"nlohmann/json",
         {"nlohmann/"},
         {"sim/base/json_schema.", "sim/base/json_rows.h", "sim/machine/config_schema.h",
          "sim/machine/command_line_values.cpp", "sim/report/json.cpp", "app/session/state_file.cpp",
          "app/session/memory_file.cpp", "app/commands/control_request.cpp", "app/page/page_start.cpp", "tests/"}},
        {"zstd, liblzma or zlib", {"zstd.h", "lzma.h", "zlib.h"}, {"sim/base/", "sim/trace/", "tests/"}},
        {"elfutils", {"elfutils/", "libelf.h", "gelf.h", "dwarf.h"}, {"sim/capture/", "tests/sim/"}},
        {"libiberty", {"libiberty/"}, {"sim/capture/"}},
        // The simulation and the picture follow from the trace alone: they have no clock.
        {"a clock", {"chrono", "ctime", "time.h", "sys/time.h"}, {"app/", "tests/"}},
        // app/tasks runs without threads, too: they belong in app/system. A run may be read while it is built, and does
        // its own locking, as do stages that others run in threads; files that are being written may be removed by the
        // thread that ends the program.
        {"threads",
         {"thread", "mutex", "shared_mutex", "future", "condition_variable", "stop_token", "semaphore", "latch",
          "barrier"},
         {"app/system/", "sim/base/jobs.h", "sim/base/unfinished.h", "sim/replay/run.h", "sim/replay/checkpoints.h",
          "tests/"}},
        // The session, its commands, views and panels compile without an operating system, as for a web page.
        {"the operating system",
         {"unistd.h", "fcntl.h", "sys/", "poll.h", "signal.h", "csignal", "spawn.h", "pthread.h", "dlfcn.h",
          "malloc.h"},
         {"sim/", "app/system/", "app/window/", "app/export/", "app/cli/", "app/main.cpp", "tests/"}},
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

class Inspection {
  public:
    explicit Inspection(const fs::path& root) : root_(root) {
        const std::vector<File> files = filesOf(root);
        for (const File& file : files) {
            if (file.isCode()) {
                checkIncludes(file);
                checkForm(file);
                if (file.isOfTheProgram()) checkWords(file);
            }
            checkPlaces(file);
        }
        const auto twice = typesDefinedTwice(files);
        found.insert(found.end(), twice.begin(), twice.end());
    }

    std::vector<std::string> found;

  private:
    void checkIncludes(const File& file) {
        static const std::regex kInclude(R"re((^|\n)[ \t]*#[ \t]*include[ \t]*([<"])([^>"\n]+)[>"])re");
        const std::string_view room = roomOf(file.name);
        for (std::sregex_iterator at(file.text.begin(), file.text.end(), kInclude); at != std::sregex_iterator();
             ++at) {
            const std::string include = (*at)[3];
            const std::string where = file.at(static_cast<std::size_t>(at->position(2))) + ": ";
            const Rule* const rule = ruleFor(include);
            const std::string_view other = roomOf(include);
            if (include.starts_with(".")) {
                found.push_back(where + "name " + include + " from the root of the tree");
            } else if (rule != nullptr && !beginsWithOneOf(file.name, rule->places)) {
                found.push_back(where + "must not include " + std::string(rule->what) + " (" + include + ")");
            } else if ((*at)[2] == "\"" && !isOurs(file, include) && (rule == nullptr || isRoom(include))) {
                found.push_back(where + "there is no " + include + " from the root of the tree");
            } else if (!room.empty() && !other.empty() && !mayKnow(room, other)) {
                found.push_back(where + std::string(room) + " must not know " + std::string(other) + " (" + include +
                                ")");
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

    void checkForm(const File& file) {
        if (file.isHeader() && file.text.find("#pragma once") == std::string::npos) {
            found.push_back(file.name + ": there is no #pragma once");
        }
        const auto lines = std::count(file.text.begin(), file.text.end(), '\n');
        const int most = file.name == "app/main.cpp" ? 100 : 800;
        if (file.isOfTheProgram() && lines > most) {
            found.push_back(file.name + ": has " + std::to_string(lines) + " lines; " + std::to_string(most) +
                            " are the most");
        }
        if (file.isOfTheProgram() && roomOf(file.name).empty()) {
            found.push_back(file.name + ": lies in none of the rooms that tests/structure/rooms.cpp knows");
        }
        static const std::regex kSnakeCase("[a-z0-9_/]+\\.(h|cpp)");
        if (!std::regex_match(file.name, kSnakeCase)) found.push_back(file.name + ": is not named in snake_case");
    }

    // Comments name what they describe: subject, verb, object, with the field's noun. These turns of phrase leave the
    // noun out.
    void checkWords(const File& file) {
        static const std::regex kComment(R"(^[ \t]*//[/!]?[ ]?(.*)|///<[ ]?(.*))");
        static const std::regex kBeginning(R"(^(The same|Likewise|Both|Also|Those|Their|Its|Them|They)\b)");
        static const std::regex kAnywhere(
            R"(\b[Ll]ikewise\b|(^|[.;:] )Who [a-z]+|\b(tells?|told|speaks?) (of|apart|from)\b|\b(is|are|was|were) to be (seen|told|known)\b|\bany more\b)");
        std::istringstream text(file.text);
        std::string line;
        bool isInComment = false;
        for (std::size_t number = 1; std::getline(text, line); ++number) {
            const bool begins = !isInComment;
            std::smatch comment;
            const bool has = line.find("//") != std::string::npos && std::regex_search(line, comment, kComment);
            isInComment = has && comment[1].matched;
            if (!has) continue;
            const std::string words = comment[1].matched ? comment[1] : comment[2];
            if ((begins && std::regex_search(words, kBeginning)) || std::regex_search(words, kAnywhere)) {
                found.push_back(file.name + ":" + std::to_string(number) +
                                ": this comment leaves out a noun: " + words);
            }
        }
    }

    // The tree works at any location. (In two pieces each, because this file is checked too.)
    void checkPlaces(const File& file) {
        static const std::vector<std::string> kPlaces = {std::string("/work") + "/", std::string("../") + "shared",
                                                         std::string("/home") + "/", std::string("/root") + "/"};
        for (const std::string& place : kPlaces) {
            if (const auto at = file.text.find(place); at != std::string::npos) {
                found.push_back(file.at(at) + ": names a place outside the tree (" + place + ")");
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
