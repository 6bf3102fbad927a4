// The picked source line is opened in the editor of the user's choice, from where its file is.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "app/commands/commands.h"
#include "app/tours/presenting.h"
#include "support/folder.h"
#include "support/sessions.h"

namespace whorl::app {
namespace {

struct EditTest : testing::Test {
    EditTest() {
        std::filesystem::create_directories(folder_.at("src"));
        std::ofstream(folder_.at("src/mm.c")) << "int a;\nint b;\nint c;\n";
        std::ofstream(folder_.at("t.trace")) << "R 0x1000 4 /elsewhere/src/mm.c:2\nR 0x1000 4 /elsewhere/src/mm.c:3\n"
                                                "R 0x1000 4 gone.c:1\n";
        s = sessionFor({.input = folder_.at("t.trace"), .machine = "paper"});
    }
    const sim::test::Folder folder_;
    Session s;
};

TEST_F(EditTest, OpensTheLineOfTheAccessOrThatIsPicked) {
    apply(s, command::Editor{{"code -g {file}:{line}"}});
    EXPECT_EQ(s.editor, "code -g {file}:{line}") << s.message;
    apply(s, command::Edit{});
    const auto first = s.requests.take<request::OpenLine>();
    ASSERT_TRUE(first) << s.message;
    EXPECT_EQ(first->editor, s.editor);
    EXPECT_EQ(first->file, std::filesystem::canonical(folder_.at("src/mm.c")).string());
    EXPECT_EQ(first->line, 2U);
    s.line = SourceLine{s.opened.run->trace().site(sim::SiteId{2}).file, 3};
    apply(s, command::Edit{});
    EXPECT_EQ(s.requests.take<request::OpenLine>()->line, 3U);
}

TEST_F(EditTest, SaysWhatIsMissing) {
    apply(s, command::Edit{});
    EXPECT_NE(s.message.find("No editor is chosen"), std::string::npos) << s.message;
    apply(s, command::Editor{{"code -g"}});
    EXPECT_NE(s.message.find("{file}"), std::string::npos) << s.message;
    EXPECT_EQ(s.editor, "");
    apply(s, command::Editor{{"code {file}"}});
    apply(s, command::Seek{2.0});
    apply(s, command::Edit{});
    EXPECT_NE(s.message.find("gone.c was not found"), std::string::npos) << s.message;
    EXPECT_FALSE(s.requests.has<request::OpenLine>());
}

/// What a trace names is no program's source unless its name says so.
TEST_F(EditTest, OpensNothingButSources) {
    std::ofstream(folder_.at("u.trace")) << "R 0x1000 4 /etc/passwd:1\n";
    Session other = sessionFor({.input = folder_.at("u.trace"), .machine = "paper"});
    apply(other, command::Editor{{"code {file}"}});
    apply(other, command::Edit{});
    EXPECT_FALSE(other.requests.has<request::OpenLine>());
}

TEST_F(EditTest, NoTourChoosesAnEditor) {
    const auto parsed = parseCommand("editor rm {file}");
    ASSERT_TRUE(parsed) << parsed.error().sentence();
    EXPECT_FALSE(parsed->flags().ofScenes);
}

}  // namespace
}  // namespace whorl::app
