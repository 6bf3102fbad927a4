// Editors are run with the file as one word, whatever its name, and what fails is told.
#include "app/system/editors.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <thread>

#include "support/folder.h"

namespace whorl::app {
namespace {

TEST(EditorCommand, PutsFileAndLineIn) {
    EXPECT_EQ(editorCommand("code -g {file}:{line}", "/src/mm.c", 12), "code -g '/src/mm.c':12");
    EXPECT_EQ(editorCommand("vi +{line} {file} # {line}", "/a b/it's {line}.c", 7),
              "vi +7 '/a b/it'\\''s {line}.c' # 7");
}

struct EditorsTest : testing::Test {
    /// The error, or none, within ten seconds; `until`: a file that comes when it has ended well.
    std::optional<sim::Error> errorOf(Editors& editors, const std::string& until = {}) const {
        for (int i = 0; i < 1000; ++i) {
            if (auto error = editors.takeError()) return error;
            if (!until.empty() && std::filesystem::exists(until)) return std::nullopt;
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        return std::nullopt;
    }
    const sim::test::Folder folder_;
};

TEST_F(EditorsTest, AreGivenTheFileAsOneWord) {
    const std::string done = folder_.at("done");
    Editors editors;
    const std::string name = "/x/a b; touch " + folder_.at("broken") + " $(id) '\".c";
    ASSERT_TRUE(editors.open(
        "printf '%s|' {file} {line} >" + folder_.at("part") + " && mv " + folder_.at("part") + ' ' + done, name, 12));
    EXPECT_EQ(errorOf(editors, done), std::nullopt);
    std::ifstream file(done);
    std::stringstream words;
    words << file.rdbuf();
    EXPECT_EQ(words.str(), name + "|12|");
    EXPECT_FALSE(std::filesystem::exists(folder_.at("broken")));
}

TEST_F(EditorsTest, ThatFailAreNamedOnce) {
    Editors editors;
    ASSERT_TRUE(editors.open("no-such-editor-here {file} 2>/dev/null", "/x.c", 1));
    const auto unknown = errorOf(editors);
    ASSERT_TRUE(unknown);
    EXPECT_NE(unknown->what.find("was not found: \"no-such-editor-here '/x.c'"), std::string::npos) << unknown->what;
    EXPECT_FALSE(editors.takeError());
    ASSERT_TRUE(editors.open("exit 3", "/x.c", 1));
    const auto failed = errorOf(editors);
    ASSERT_TRUE(failed);
    EXPECT_NE(failed->what.find("status 3"), std::string::npos) << failed->what;
}

}  // namespace
}  // namespace whorl::app
