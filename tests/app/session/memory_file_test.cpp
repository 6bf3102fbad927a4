// Recent inputs and bookmarks: they come back, two windows do not lose each other's, and a broken file is not lost.
#include "app/session/memory_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "app/commands/commands.h"
#include "app/session/command.h"
#include "support/folder.h"
#include "support/sessions.h"
#include "support/shared_trace.h"

namespace whorl::app {
namespace {

namespace fs = std::filesystem;

class MemoryFiles : public testing::Test {
  protected:
    std::string settings() const { return folder_.at("session.json"); }
    std::string path() const { return folder_.at("recent.json"); }
    std::string text() const { return sim::test::bytesOf(path()); }
    const sim::test::Folder folder_;
};

Session sessionOf(const std::string& input) {
    Session s = sharedSession();
    s.opened.request.input = input;
    return s;
}

TEST(Bookmarks, AreSetRemovedAndGoneTo) {
    Session s = sessionOf("matmul");
    s.player.seek(4.5, 8);
    press(s, "Shift+B");
    EXPECT_EQ(s.bookmarks, (std::vector<Bookmark>{{4, ""}})) << "between two accesses";
    s.player.seek(2, 8);
    applyAll(s, {command::BookmarkNote{"here it begins"}});
    EXPECT_EQ(s.bookmarks, (std::vector<Bookmark>{{2, "here it begins"}, {4, ""}})) << "by their places";
    s.player.seek(0, 8);
    press(s, "'");
    EXPECT_EQ(s.player.position(), 2);
    press(s, "'");
    EXPECT_EQ(s.player.position(), 4);
    press(s, "'");
    EXPECT_EQ(s.player.position(), 4);
    EXPECT_EQ(s.message, "There is no further bookmark.");
    press(s, "\"");
    EXPECT_EQ(s.player.position(), 2);
    applyAll(s, {command::BookmarkNote{"another note"}});
    EXPECT_EQ(s.bookmarks.front().note, "another note");
    press(s, "Shift+B");
    EXPECT_EQ(s.bookmarks, (std::vector<Bookmark>{{4, ""}}));
    applyAll(s, {command::BookmarksClear{}});
    EXPECT_TRUE(s.bookmarks.empty());
}

TEST_F(MemoryFiles, BookmarksComeBackWithTheirInput) {
    Session s = sessionOf("matmul:n=8");
    MemoryFile file(settings());
    ASSERT_TRUE(file.load(s)) << "no file is no error";
    file.enter(s);
    ASSERT_TRUE(file.save(s));
    s.bookmarks = {{2, "\"quoted\" → note"}, {4.0, ""}};
    ASSERT_TRUE(file.save(s));
    s.opened.request.input = "bubblesort";
    file.enter(s);
    EXPECT_TRUE(s.bookmarks.empty()) << "those of another input";
    s.opened.request.input = "matmul:n=8";
    file.enter(s);
    EXPECT_EQ(s.bookmarks.size(), 2u);

    Session next = sessionOf("matmul:n=8");
    MemoryFile again(settings());
    ASSERT_TRUE(again.load(next));
    EXPECT_TRUE(next.bookmarks.empty()) << "until the input is open";
    again.enter(next);
    EXPECT_EQ(next.bookmarks, (std::vector<Bookmark>{{2, "\"quoted\" → note"}, {4, ""}}));
    EXPECT_EQ(next.recentInputs, std::vector<std::string>{"matmul:n=8"});
}

TEST_F(MemoryFiles, TheLastInputsAreKeptTheLastFirst) {
    Session s;
    MemoryFile file(settings());
    ASSERT_TRUE(file.load(s));
    for (int n = 0; n < 30; ++n) {
        Session of = sessionOf("matmul:n=" + std::to_string(n));
        s.opened = of.opened;
        file.enter(s);
    }
    s.opened.request.input = "matmul:n=20";
    file.enter(s);
    ASSERT_EQ(s.recentInputs.size(), Memory::kMaxInputs);
    EXPECT_EQ(s.recentInputs[0], "matmul:n=20") << "once, where it was used last";
    EXPECT_EQ(s.recentInputs[1], "matmul:n=29");
    const auto before = s.recentInputs;
    s.opened.request.input = "-";
    file.enter(s);
    EXPECT_EQ(s.recentInputs, before) << "standard input cannot be opened again";
    s.opened.request.input = "gone.whorl";
    file.enter(s, false);
    EXPECT_EQ(s.recentInputs, before);
    s.opened.request.input = "x.whorl";
    file.enter(s);
    EXPECT_EQ(s.recentInputs[0], (fs::current_path() / "x.whorl").string()) << "from wherever Whorl is started";
}

TEST_F(MemoryFiles, TwoWindowsDoNotLoseEachOthersMarks) {
    Session a = sessionOf("matmul");
    Session b = sessionOf("bubblesort");
    MemoryFile fileA(settings());
    MemoryFile fileB(settings());
    ASSERT_TRUE(fileA.load(a));
    ASSERT_TRUE(fileB.load(b));
    fileA.enter(a);
    fileB.enter(b);
    a.bookmarks = {{1, "a"}};
    b.bookmarks = {{2, "b"}};
    ASSERT_TRUE(fileA.save(a));
    ASSERT_TRUE(fileB.save(b));
    Session c = sessionOf("matmul");
    MemoryFile fileC(settings());
    ASSERT_TRUE(fileC.load(c));
    EXPECT_EQ(c.recentInputs, (std::vector<std::string>{"bubblesort", "matmul"}));
    fileC.enter(c);
    EXPECT_EQ(c.bookmarks, (std::vector<Bookmark>{{1, "a"}}));
}

TEST_F(MemoryFiles, ABrokenFileIsToldAndLeftAlone) {
    for (const char* broken :
         {"{", "[]", R"({"inputs": 3})", R"({"inputs": [3]})", R"({"bookmarks": [{"input": "x"}]})",
          R"({"bookmarks": [{"input": "x", "places": [{"at": -1}]}]})",
          R"({"bookmarks": [{"input": "x", "places": [{"at": 1, "note": 2}]}]})"}) {
        std::ofstream(path()) << broken;
        Session s = sessionOf("matmul");
        MemoryFile file(settings());
        const auto loaded = file.load(s);
        ASSERT_FALSE(loaded) << broken;
        EXPECT_TRUE(loaded.error().sentence().starts_with(path())) << loaded.error().sentence();
        file.enter(s);
        s.bookmarks = {{1, ""}};
        ASSERT_TRUE(file.save(s));
        EXPECT_EQ(text(), broken);
    }
}

TEST(Memory, OfAnInputThatIsNamedTwiceIsOne) {
    const Memory memory =
        memoryFrom(R"({"bookmarks": [{"input": "a", "places": [{"at": 2}]}, {"input": "none", "places": []},
                                         {"input": "a", "places": [{"at": 1}]}]})",
                   "recent.json")
            .value();
    EXPECT_EQ(memory.marked, std::vector<std::string>{"a"});
    EXPECT_EQ(memory.bookmarks.at("a"), (std::vector<Bookmark>{{1, ""}, {2, ""}}));
    EXPECT_EQ(memoryFrom(textOf(memory), "recent.json").value(), memory);
}

TEST(Memory, IsReadBackAsItWasWritten) {
    Memory memory;
    memory.inputs = {"b", "a"};
    memory.commands = {"seek 5", "look-up \"B[3]\""};
    memory.bookmarks = {{"a", {{1, "x"}, {2.0, ""}}}, {"b", {{7, "\n"}}}};
    memory.marked = {"b", "a"};
    const auto read = memoryFrom(textOf(memory), "file");
    ASSERT_TRUE(read);
    EXPECT_EQ(*read, memory);
}

}  // namespace
}  // namespace whorl::app
