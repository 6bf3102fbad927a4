// Holds the tree to the rules of the tree (rules.h), and the rules to what they are meant to catch.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "structure/rules.h"

namespace whorl::structure {
namespace {

namespace fs = std::filesystem;

// A tree of its own for each test, gone afterwards.
class Rules : public testing::Test {
  protected:
    Rules() { fs::create_directories(root_); }
    ~Rules() override { fs::remove_all(root_); }

    void write(const std::string& name, const std::string& text) const {
        fs::create_directories((root_ / name).parent_path());
        std::ofstream(root_ / name) << text;
    }

    // What is said when the tree holds just this file, and `sim/base/types.h` to include.
    std::vector<std::string> saidOf(const std::string& name, const std::string& text) const {
        write("sim/base/types.h", "#pragma once\n");
        write(name, text);
        auto said = breaches(root_);
        fs::remove(root_ / name);
        return said;
    }

    // Whether `file` may say #include `include`, everything else being well.
    bool allowed(const std::string& file, const std::string& include) const {
        return saidOf(file, (file.ends_with(".h") ? "#pragma once\n#include " : "#include ") + include + "\n").empty();
    }

  private:
    const fs::path root_ = fs::temp_directory_path() / ("whorl_structure_" + std::to_string(getpid()));
};

TEST(Structure, TheTreeKeepsTheRules) {
    for (const std::string& breach : breaches(WHORL_SOURCE_DIR)) ADD_FAILURE() << breach;
}

TEST_F(Rules, ABreachIsToldWithFileAndLine) {
    const auto said = saidOf("sim/cache/a.cpp", "#include <vector>\n\n  #  include <epoxy/gl.h> // why\n");
    ASSERT_EQ(said.size(), 1U);
    EXPECT_EQ(said[0], "sim/cache/a.cpp:3: this room must not include OpenGL (epoxy/gl.h)");
}

TEST_F(Rules, TheTruthKnowsNoPicture) {
    for (const char* include : {"<epoxy/gl.h>", "<GL/gl.h>", "<EGL/egl.h>", "<SFML/Window.hpp>", "<imgui.h>",
                                "\"imgui.h\"", "<glm/glm.hpp>", "<X11/Xlib.h>", "\"app/session/session.h\"",
                                "\"render/scene/scene.h\"", "\"render/gl/painter.h\"", "<chrono>", "<gtest/gtest.h>"}) {
        EXPECT_FALSE(allowed("sim/cache/a.cpp", include)) << include;
    }
    for (const char* include : {"<vector>", "<fmt/format.h>", "\"sim/base/types.h\"", "<nlohmann/json.hpp>"}) {
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

TEST_F(Rules, OpenGLStaysInItsRoom) {
    EXPECT_TRUE(allowed("render/gl/a.cpp", "<epoxy/gl.h>"));
    EXPECT_TRUE(allowed("tests/gl/a_test.cpp", "<epoxy/gl.h>"));
    EXPECT_FALSE(allowed("app/window/a.cpp", "<epoxy/gl.h>"));
    EXPECT_FALSE(allowed("render/gl/a.cpp", "<imgui.h>"));
}

TEST_F(Rules, TheWindowStaysInItsRoom) {
    EXPECT_TRUE(allowed("app/window/a.cpp", "<SFML/Window.hpp>"));
    EXPECT_FALSE(allowed("app/panels/a.cpp", "<SFML/Window.hpp>"));
    EXPECT_TRUE(allowed("app/window/a.cpp", "<X11/Xlib.h>"));
    EXPECT_FALSE(allowed("app/main.cpp", "<X11/Xlib.h>"));
    EXPECT_TRUE(allowed("app/panels/a.cpp", "<imgui.h>"));
    EXPECT_TRUE(allowed("app/window/a.cpp", "<imgui_impl_opengl3.h>"));
}

TEST_F(Rules, FilesAreReadInFewPlaces) {
    EXPECT_TRUE(allowed("sim/machine/a.cpp", "<nlohmann/json.hpp>"));
    EXPECT_FALSE(allowed("sim/machine/a.h", "<nlohmann/json.hpp>"));
    EXPECT_FALSE(allowed("render/scene/a.cpp", "<nlohmann/json.hpp>"));
    EXPECT_TRUE(allowed("sim/trace/a.cpp", "<zstd.h>"));
    EXPECT_FALSE(allowed("sim/run/a.cpp", "<zstd.h>"));
    EXPECT_FALSE(allowed("app/export/a.cpp", "<zlib.h>"));
}

TEST_F(Rules, NobodyIncludesAppOrTests) {
    write("app/session/session.h", "#pragma once\n");
    EXPECT_TRUE(allowed("app/session/player.cpp", "\"app/session/session.h\""));
    EXPECT_TRUE(allowed("tests/app/a_test.cpp", "\"app/session/session.h\""));
    EXPECT_FALSE(allowed("tests/sim/a_test.cpp", "\"app/session/session.h\""));
    EXPECT_FALSE(allowed("render/gl/a.cpp", "\"app/session/session.h\""));
    write("tests/sim/slow.h", "#pragma once\n");
    EXPECT_TRUE(allowed("tests/sim/a_test.cpp", "\"sim/slow.h\""));
    EXPECT_FALSE(allowed("sim/cache/a.cpp", "\"sim/slow.h\""));
    EXPECT_FALSE(allowed("sim/cache/a.cpp", "\"tests/sim/slow.h\""));
}

TEST_F(Rules, FilesAreNamedFromTheRoot) {
    EXPECT_FALSE(allowed("sim/cache/a.cpp", "\"../types.h\""));
    EXPECT_FALSE(allowed("sim/a.cpp", "\"types.h\""));
    EXPECT_FALSE(allowed("sim/a.cpp", "\"sim/typos.h\""));
    EXPECT_FALSE(allowed("sim/Types.cpp", "\"sim/base/types.h\""));
}

TEST_F(Rules, FilesHaveTheRightShape) {
    EXPECT_FALSE(saidOf("sim/a.h", "#include <vector>\n").empty());
    EXPECT_TRUE(saidOf("sim/a.cpp", std::string(500, '\n')).empty());
    EXPECT_FALSE(saidOf("sim/a.cpp", std::string(501, '\n')).empty());
    EXPECT_FALSE(saidOf("app/main.cpp", std::string(101, '\n')).empty());
    EXPECT_TRUE(saidOf("tests/sim/a_test.cpp", std::string(501, '\n')).empty());
}

TEST_F(Rules, TheTreeNamesNoPlaceOutside) {
    EXPECT_FALSE(saidOf("docs/a.md", std::string("see /work") + "/x\n").empty());
    EXPECT_FALSE(saidOf("run", std::string("cd ../") + "shared\n").empty());
    EXPECT_TRUE(saidOf("build/a.log", std::string("see /work") + "/x\n").empty());
    EXPECT_TRUE(saidOf("docs/a.md", "a framework/library\n").empty());
}

}  // namespace
}  // namespace whorl::structure
