// Checks the tree against the rules of the tree (rules.h), and the rules against what they should detect.

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "structure/budgets.h"
#include "structure/recipes.h"
#include "structure/rules.h"
#include "structure/source_tree.h"
#include "structure/type_names.h"
#include "support/source_folder.h"

namespace whorl::structure {
namespace {

namespace fs = std::filesystem;

// A temporary tree for each test.
class Rules : public testing::Test {
  protected:
    Rules() { fs::create_directories(root_); }
    ~Rules() override { fs::remove_all(root_); }

    void write(const std::string& name, const std::string& text) const {
        fs::create_directories((root_ / name).parent_path());
        std::ofstream(root_ / name) << text;
    }

    // The violations reported when this file is added to the tree, and `sim/base/types.h` to include.
    std::vector<std::string> saidOf(const std::string& name, const std::string& text) const {
        write("sim/base/types.h", "#pragma once\n");
        write(name, text);
        auto said = breaches(root_);
        fs::remove(root_ / name);
        return said;
    }

    // Whether `file` may say #include `include`, with everything else in order.
    bool allowed(const std::string& file, const std::string& include) const {
        return saidOf(file, (file.ends_with(".h") ? "#pragma once\n#include " : "#include ") + include + "\n").empty();
    }

    // Whether a file of the room may include one of the other.
    bool knows(const std::string& room, const std::string& other) const {
        write(other + "known.h", "#pragma once\n");
        const bool known = allowed(room + "a.cpp", "\"" + other + "known.h\"");
        fs::remove(root_ / (other + "known.h"));
        return known;
    }

  private:
    const fs::path root_ = fs::temp_directory_path() / ("whorl_structure_" + std::to_string(getpid()));
};

TEST(Structure, TheTreeKeepsTheRules) {
    for (const std::string& breach : breaches(sourceFolder())) ADD_FAILURE() << breach;
}

TEST(Structure, TheTreeKeepsToItsBudgets) {
    for (const std::string& exceeded : exceededBudgets(filesOf(sourceFolder()))) ADD_FAILURE() << exceeded;
}

TEST(Structure, TheRecipesAreTrue) {
    for (const std::string& untrue : untrueRecipes(filesOf(sourceFolder()))) ADD_FAILURE() << untrue;
}

TEST(Recipes, FilesThatAreNotNamedNorThereAreFound) {
    const std::vector<File> files = {
        {"docs/architecture.md",
         "\n## To add …\n| a policy | a row in `sim/a.h`, `b.cpp`; also `sim/c` | `P::lip` |\n"},
        {"sim/a.h", "enum P { lip };"},
        {"sim/b.cpp", "// P::lip"},
        {"app/d.cpp", "x = P::lip;"}};
    EXPECT_EQ(
        untrueRecipes(files),
        (std::vector<std::string>{"docs/architecture.md: sim/c does not exist; see a policy",
                                  "app/d.cpp: has P::lip, but docs/architecture.md does not name the file for a policy",
                                  "docs/architecture.md: b.cpp has nothing of `P::lip` for a policy"}));
}

TEST(IncludeCycles, UnitsThatIncludeEachOtherAreFound) {
    const auto file = [](const std::string& name, const std::string& other) {
        return File{name, "#include \"" + other + "\"\n"};
    };
    const std::vector<File> straight = {file("sim/a.h", "sim/b.h"), file("sim/a.cpp", "sim/a.h"), {"sim/b.h", ""}};
    EXPECT_TRUE(includeCycles(straight).empty());
    std::vector<File> round = straight;
    round.push_back(file("sim/b.cpp", "sim/c.h"));
    round.push_back(file("sim/c.h", "sim/a.h"));
    round.push_back(file("tests/sim/d.h", "sim/a.h"));
    EXPECT_EQ(includeCycles(round), (std::vector<std::vector<std::string>>{{"sim/a", "sim/b", "sim/c"}}));
}

TEST(Budgets, WhatIsExceededIsNamed) {
    std::vector<File> files;
    for (int i = 0; i < 31; ++i) files.push_back({"sim/base/u" + std::to_string(i) + ".h", std::string(1'000, '\n')});
    const auto exceeded = exceededBudgets(files);
    const auto names = [&](const std::string& words) {
        return std::any_of(exceeded.begin(), exceeded.end(), [&](const auto& e) { return e.starts_with(words); });
    };
    EXPECT_TRUE(names("sim/base/: has 31000 lines; its budget is "));
    EXPECT_TRUE(names("sim/base/: has 31 units; 30 are the most"));
    EXPECT_TRUE(names("sim/cache/: has 0 lines; lower its budget of "));
}

TEST_F(Rules, AViolationNamesFileAndLine) {
    const auto said = saidOf("sim/cache/a.cpp", "#include <vector>\n\n  #  include <epoxy/gl.h> // why\n");
    ASSERT_EQ(said.size(), 1U);
    EXPECT_EQ(said[0], "sim/cache/a.cpp:3: must not include OpenGL (epoxy/gl.h)");
}

TEST_F(Rules, TheSimulatorIncludesNoPicture) {
    for (const char* include : {"<epoxy/gl.h>", "<GL/gl.h>", "<EGL/egl.h>", "<SFML/Window.hpp>", "<imgui.h>",
                                "\"imgui.h\"", "<glm/glm.hpp>", "<X11/Xlib.h>", "\"app/session/session.h\"",
                                "\"render/scene/scene.h\"", "\"render/gl/painter.h\"", "<chrono>", "<gtest/gtest.h>"}) {
        EXPECT_FALSE(allowed("sim/cache/a.cpp", include)) << include;
    }
    for (const char* include : {"<vector>", "<fmt/format.h>", "\"sim/base/types.h\""}) {
        EXPECT_TRUE(allowed("sim/cache/a.cpp", include)) << include;
    }
}

TEST_F(Rules, TheSceneKnowsNoOpenGL) {
    for (const char* include : {"<epoxy/gl.h>", "<EGL/egl.h>", "<SFML/Window.hpp>", "<imgui.h>",
                                "\"app/session/session.h\"", "\"render/gl/painter.h\""}) {
        EXPECT_FALSE(allowed("render/scene/a.cpp", include)) << include;
    }
    EXPECT_TRUE(allowed("render/scene/a.cpp", "<glm/vec2.hpp>"));
    EXPECT_TRUE(allowed("render/scene/a.h", "\"sim/base/types.h\""));
}

TEST_F(Rules, OpenGLHasOneDoor) {
    EXPECT_TRUE(allowed("render/gl/api.h", "<epoxy/gl.h>"));
    for (const char* file : {"render/gl/a.cpp", "tests/gl/a_test.cpp", "app/window/a.cpp"}) {
        EXPECT_FALSE(allowed(file, "<epoxy/gl.h>")) << file;
    }
    EXPECT_TRUE(allowed("render/gl/offscreen_context.cpp", "<epoxy/egl.h>"));
    EXPECT_FALSE(allowed("render/gl/a.cpp", "<epoxy/egl.h>"));
    EXPECT_FALSE(allowed("render/gl/a.cpp", "<imgui.h>"));
}

TEST_F(Rules, TheWindowStaysInItsRoom) {
    EXPECT_TRUE(allowed("app/window/window.cpp", "<SFML/Window.hpp>"));
    for (const char* file : {"app/window/window.h", "app/window/main_loop.cpp", "app/panels/a.cpp"}) {
        EXPECT_FALSE(allowed(file, "<SFML/Window.hpp>")) << file;
    }
    EXPECT_TRUE(allowed("app/window/display.cpp", "<X11/Xlib.h>"));
    EXPECT_FALSE(allowed("app/main.cpp", "<X11/Xlib.h>"));
    EXPECT_TRUE(allowed("app/panels/a.cpp", "<imgui.h>"));
    EXPECT_TRUE(allowed("app/window/a.cpp", "<imgui_impl_opengl3.h>"));
}

TEST_F(Rules, LibrariesAreUsedInFewPlaces) {
    EXPECT_TRUE(allowed("sim/report/json.cpp", "<nlohmann/json.hpp>"));
    for (const char* file : {"sim/machine/a.cpp", "sim/machine/machine_json.cpp", "render/scene/a.cpp"}) {
        EXPECT_FALSE(allowed(file, "<nlohmann/json.hpp>")) << file;
    }
    EXPECT_TRUE(allowed("app/cli/option_parser.cpp", "<CLI/CLI.hpp>"));
    for (const char* file : {"app/cli/a.cpp", "app/cli/option_parser.h", "app/main.cpp", "tests/app/a_test.cpp"}) {
        EXPECT_FALSE(allowed(file, "<CLI/CLI.hpp>")) << file;
    }
    EXPECT_TRUE(allowed("sim/trace/a.cpp", "<zstd.h>"));
    EXPECT_TRUE(allowed("sim/base/a.cpp", "<lzma.h>"));
    EXPECT_FALSE(allowed("sim/replay/a.cpp", "<zstd.h>"));
    EXPECT_FALSE(allowed("app/export/a.cpp", "<zlib.h>"));
}

TEST_F(Rules, ThreadsAndTheOperatingSystemBelongInTheirRoom) {
    for (const char* include : {"<thread>", "<mutex>", "<future>", "<condition_variable>"}) {
        EXPECT_TRUE(allowed("app/system/a.cpp", include)) << include;
        EXPECT_FALSE(allowed("app/tasks/a.cpp", include)) << include;
        EXPECT_FALSE(allowed("app/panels/a.cpp", include)) << include;
        EXPECT_FALSE(allowed("sim/replay/a.cpp", include)) << include;
    }
    EXPECT_TRUE(allowed("sim/replay/run.h", "<mutex>")) << "a run is read while it is built";
    for (const char* include :
         {"<unistd.h>", "<sys/wait.h>", "<csignal>", "<SFML/Window.hpp>", "<CLI/CLI.hpp>", "<png.h>"}) {
        for (const char* room : {"session", "tours", "commands", "tasks", "views", "panels"}) {
            EXPECT_FALSE(allowed(std::string("app/") + room + "/a.cpp", include)) << room << " " << include;
        }
    }
}

TEST_F(Rules, RoomsKnowThoseBeforeThem) {
    const std::vector<std::string> rooms = {
        "sim/base/",   "sim/machine/",  "sim/trace/",          "sim/cache/",  "sim/replay/",  "sim/analysis/",
        "sim/report/", "render/scene/", "render/scene/rings/", "render/gl/",  "app/session/", "app/tasks/",
        "app/views/",  "app/panels/",   "app/system/",         "app/window/", "app/export/",  "app/cli/"};
    for (std::size_t a = 0; a < rooms.size(); ++a) {
        for (std::size_t b = 0; b < rooms.size(); ++b)
            EXPECT_EQ(knows(rooms[a], rooms[b]), b <= a) << rooms[a] << rooms[b];
    }
}

TEST_F(Rules, SiblingsDoNotKnowEachOther) {
    const std::vector<std::pair<std::string, std::string>> siblings = {{"sim/programs/", "sim/analysis/"},
                                                                       {"render/scene/rings/", "render/scene/space/"}};
    for (const auto& [a, b] : siblings) {
        EXPECT_FALSE(knows(a, b)) << a;
        EXPECT_FALSE(knows(b, a)) << b;
    }
}

TEST_F(Rules, FoldersBelongToTheirRoom) {
    EXPECT_TRUE(knows("sim/trace/formats/", "sim/trace/"));
    EXPECT_TRUE(knows("sim/trace/", "sim/trace/formats/"));
    EXPECT_TRUE(knows("app/views/rings/", "app/views/space/"));
    EXPECT_FALSE(knows("sim/trace/formats/", "sim/cache/"));
}

TEST_F(Rules, TheMainProgramKnowsOnlyTheCommandLine) {
    write("app/cli/a.h", "#pragma once\n");
    write("app/session/a.h", "#pragma once\n");
    EXPECT_TRUE(allowed("app/main.cpp", "\"app/cli/a.h\""));
    EXPECT_FALSE(allowed("app/main.cpp", "\"app/session/a.h\""));
    EXPECT_FALSE(allowed("app/main.cpp", "\"sim/base/types.h\""));
    EXPECT_TRUE(allowed("app/main.cpp", "<csignal>"));
}

TEST_F(Rules, NothingLiesLoose) {
    for (const char* file : {"sim/a.cpp", "render/a.cpp", "app/a.cpp", "app/helpers/a.cpp"}) {
        const auto said = saidOf(file, "");
        ASSERT_EQ(said.size(), 1U) << file;
        EXPECT_NE(said[0].find("lies in none of the rooms"), std::string::npos) << said[0];
    }
    EXPECT_TRUE(saidOf("app/main.cpp", "").empty());
}

TEST_F(Rules, TestsKnowTheRoomsThatTheyTest) {
    write("app/session/session.h", "#pragma once\n");
    EXPECT_TRUE(allowed("tests/app/a_test.cpp", "\"app/session/session.h\""));
    EXPECT_FALSE(allowed("tests/sim/a_test.cpp", "\"app/session/session.h\""));
    write("tests/sim/slow.h", "#pragma once\n");
    EXPECT_TRUE(allowed("tests/sim/a_test.cpp", "\"sim/slow.h\""));
    EXPECT_FALSE(allowed("sim/cache/a.cpp", "\"sim/slow.h\""));
    EXPECT_FALSE(allowed("sim/cache/a.cpp", "\"tests/sim/slow.h\""));
}

TEST_F(Rules, FilesAreNamedFromTheRoot) {
    EXPECT_FALSE(allowed("sim/cache/a.cpp", "\"../types.h\""));
    EXPECT_FALSE(allowed("sim/base/a.cpp", "\"types.h\""));
    EXPECT_FALSE(allowed("sim/base/a.cpp", "\"sim/base/typos.h\""));
    EXPECT_FALSE(allowed("sim/base/Types.cpp", "\"sim/base/types.h\""));
}

TEST_F(Rules, FilesHaveTheRightForm) {
    EXPECT_FALSE(saidOf("sim/base/a.h", "#include <vector>\n").empty());
    EXPECT_TRUE(saidOf("sim/base/a.cpp", std::string(800, '\n')).empty());
    EXPECT_FALSE(saidOf("sim/base/a.cpp", std::string(801, '\n')).empty());
    EXPECT_FALSE(saidOf("app/main.cpp", std::string(101, '\n')).empty());
    EXPECT_TRUE(saidOf("tests/sim/a_test.cpp", std::string(801, '\n')).empty());
}

TEST_F(Rules, CommentsNameWhatTheyDescribe) {
    const auto isFine = [&](const std::string& comment) { return saidOf("sim/base/a.cpp", comment + "\n").empty(); };
    EXPECT_TRUE(isFine("/// The names of the levels, the nearest first.\nint a = 0;"));
    EXPECT_TRUE(isFine("// The levels of the machine.\n// Both kinds begin a line by chance only."));
    EXPECT_TRUE(isFine("const char* text = \"Who reads this?\";"));
    EXPECT_FALSE(isFine("/// The same of levels that have these names."));
    EXPECT_FALSE(isFine("int a = 0;  ///< Their names."));
    EXPECT_FALSE(isFine("// It closes the file. Who presses a key waits no longer."));
    EXPECT_FALSE(isFine("/// The session is told of a change."));
}

TEST_F(Rules, TheTreeNamesNoPlaceOutside) {
    EXPECT_FALSE(saidOf("docs/a.md", std::string("see /work") + "/x\n").empty());
    EXPECT_FALSE(saidOf("run", std::string("cd ../") + "shared\n").empty());
    EXPECT_TRUE(saidOf("build/a.log", std::string("see /work") + "/x\n").empty());
    EXPECT_TRUE(saidOf("docs/a.md", "a framework/library\n").empty());
}

TEST_F(Rules, NoTypeIsNamedTwice) {
    write("sim/base/a.h", "#pragma once\nnamespace whorl::sim {\nstruct Same {};\n}\n");
    const auto said = saidOf("sim/cache/b.cpp", "namespace whorl::sim {\nnamespace {\nclass Same { int a; };\n}\n}\n");
    ASSERT_EQ(said.size(), 1U);
    EXPECT_EQ(said[0], "sim/cache/b.cpp:3: whorl::sim::Same is the name of another type too, in sim/base/a.h");
    EXPECT_TRUE(saidOf("sim/cache/b.cpp", "namespace whorl::scene { class Same {}; }\n").empty());
    EXPECT_TRUE(
        saidOf("sim/cache/b.cpp", "namespace whorl::sim { class Same; struct B { struct Same {}; }; }\n").empty());
    EXPECT_TRUE(saidOf("tests/sim/b.cpp", "namespace whorl::sim { class Same {}; }\n").empty());
}

std::vector<std::string> namesIn(const std::string& text) {
    std::vector<std::string> names;
    for (const TypeDefinition& type : typesIn(text)) names.push_back(type.name);
    return names;
}

using Names = std::vector<std::string>;

TEST(TypeNames, DefinitionsAreFoundWithTheirScopes) {
    EXPECT_EQ(namesIn("class A {}; struct B final : C<int>, D {}; union E {}; enum F { f }; enum class G : int { g };"),
              (Names{"A", "B", "E", "F", "G"}));
    EXPECT_EQ(namesIn("namespace a::b { namespace { struct C { enum class D {}; void f() { x; } struct E {}; }; } }"),
              (Names{"a::b::C", "a::b::C::D", "a::b::C::E"}));
    EXPECT_EQ(
        namesIn(
            "class [[nodiscard]] A {}; struct alignas(16) B {}; struct A::Inner {}; template <class T> struct C {};"),
        (Names{"A", "B", "A::Inner", "C"}));
}

TEST(TypeNames, WhatDefinesNothingIsLeftOut) {
    EXPECT_EQ(
        namesIn("class A; enum class B : int; template <class T, class U = int> void f(T t) {} struct tm* now();"),
        Names{});
    EXPECT_EQ(
        namesIn("// struct A {};\n/* struct B {}; */ const char* c = \"struct C {};\"; auto d = R\"(struct D {};)\";"),
        Names{});
    EXPECT_EQ(namesIn("void f() { struct Local {}; } template <> struct std::hash<A> { struct In {}; };"), Names{});
    EXPECT_EQ(namesIn("#define X struct A {};\nint n = 1'000; char q = '\"'; struct B {};"), Names{"B"});
    EXPECT_EQ(namesIn("struct { int a; } unnamed; friend class C; using D = struct E;"), Names{});
}

// The sentences of a Markdown text, without its headings, each as its words.
std::vector<std::vector<std::string>> sentencesOf(const std::string& text) {
    static const std::regex kHeading("(^|\n)#[^\n]*");
    static const std::regex kEnd("[.:](\\s+|$)");
    static const std::regex kWord("[A-Za-z0-9]+");
    const std::string prose = std::regex_replace(text, kHeading, "");
    std::vector<std::vector<std::string>> out;
    for (std::sregex_token_iterator at(prose.begin(), prose.end(), kEnd, -1), end; at != end; ++at) {
        const std::string sentence = *at;
        std::vector<std::string> words;
        for (std::sregex_iterator word(sentence.begin(), sentence.end(), kWord), last; word != last; ++word) {
            words.push_back(word->str());
        }
        if (!words.empty()) out.push_back(std::move(words));
    }
    return out;
}

// "AnOutputThatIsAnInputIsRefused", the name of a test.
std::string nameOf(const std::vector<std::string>& words) {
    std::string name;
    for (const std::string& word : words) {
        name += static_cast<char>(std::toupper(static_cast<unsigned char>(word[0])));
        name += word.substr(1);
    }
    return name;
}

// "an_output_that_is_an_input_is_refused", that of a part of a test script.
std::string scriptNameOf(const std::vector<std::string>& words) {
    std::string name;
    for (const std::string& word : words) name += (name.empty() ? "" : "_") + word;
    for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return name;
}

bool isLike(const std::string& a, const std::string& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

TEST(Structure, EverySentenceOfThePromisesIsTheNameOfATest) {
    std::string text;
    std::vector<std::string> tests;
    static const std::regex kTest(R"((?:TEST(?:_F|_P)?\(\w+, (\w+)\))|(?:(?:^|\n)(\w+)\(\) \{)|(?:def (\w+)\())");
    for (const File& file : filesOf(sourceFolder())) {
        if (file.name == "docs/safety.md") text = file.text;
        if (!file.isIn("tests/")) continue;
        for (std::sregex_iterator at(file.text.begin(), file.text.end(), kTest), end; at != end; ++at) {
            for (std::size_t form = 1; form < at->size(); ++form) {
                if ((*at)[form].matched) tests.push_back((*at)[form]);
            }
        }
    }
    const auto sentences = sentencesOf(text);
    EXPECT_GT(sentences.size(), 20U);
    for (std::size_t i = 2; i < sentences.size(); ++i) {  // the first two say what the page is
        const std::string name = nameOf(sentences[i]);
        const std::string script = scriptNameOf(sentences[i]);
        const bool known = std::any_of(tests.begin(), tests.end(),
                                       [&](const std::string& test) { return isLike(test, name) || test == script; });
        EXPECT_TRUE(known) << "no test is named " << name << " or " << script;
    }
}

}  // namespace
}  // namespace whorl::structure
