// A trace gets the texts of source files beside it and below, and in the folders that the user names: of no others.
#include "sim/trace/source_lookup.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <random>

#include "sim/trace/trace_help.h"
#include "sim/trace/writer.h"

namespace whorl::sim::test {
namespace {

namespace fs = std::filesystem;

/// A folder "t" for traces and files, beside another one for what they must not reach.
class SourceLookup : public testing::Test {
  protected:
    SourceLookup() {
        for (const char* name : {"t/src/deep", "t/.ssh", "t/src/.git", "out"}) fs::create_directories(folder_.at(name));
        folder_.put("out/secret.c", "secret");
    }

    void put(const std::string& name, std::string_view text) const { folder_.put("t/" + name, text); }
    void link(const std::string& to, const std::string& name) const { fs::create_symlink(to, folder_.at("t/" + name)); }

    /// A trace that names these files.
    Trace read(const std::vector<std::string>& names, const SourcePolicy& policy = {},
               const std::string& trace = "t/a.trace") const {
        std::string text;
        for (const std::string& name : names) text += fmt::format("R 0x10 4 \"{}:1\"\n", name);
        Progress progress;
        auto read = readTrace(folder_.put(trace, text), {.sources = policy}, progress);
        EXPECT_TRUE(read) << read.error().sentence();
        return read ? *std::move(read) : Trace();
    }

    /// The text that is found for a name, on one line.
    std::string textOf(const std::string& name, const SourcePolicy& policy = {}) const {
        const Trace trace = read({name}, policy);
        std::string out;
        for (const std::string_view line : trace.files()[0].lines) out += (out.empty() ? "" : "|") + std::string(line);
        return out;
    }

    Folder folder_;
};

TEST_F(SourceLookup, FindsFilesBesideTheTraceAndBelow) {
    put("mm.c", "int a;\r\nint b;\n");
    put("src/deep/x y.cpp", "x");
    EXPECT_EQ(textOf("mm.c"), "int a;|int b;");
    EXPECT_EQ(textOf("./mm.c"), "int a;|int b;");
    EXPECT_EQ(textOf("src/deep/x y.cpp"), "x");
    EXPECT_EQ(textOf(folder_.at("t/src/deep/x y.cpp")), "x");
    EXPECT_EQ(textOf("gone.c"), "");
    const Trace trace = read({"mm.c", "gone.c"});
    EXPECT_TRUE(trace.losses().empty()) << "a file that is not there is nothing to warn of";
}

TEST_F(SourceLookup, TakesTheLongestEndOfAPathFromElsewhere) {
    put("mm.c", "beside");
    put("src/mm.c", "below");
    put("src/deep/mm.c", "deep");
    EXPECT_EQ(textOf("/build/job/mm.c"), "beside");
    EXPECT_EQ(textOf("/build/job/src/mm.c"), "below");
    EXPECT_EQ(textOf("/build/src/deep/mm.c"), "deep");
    EXPECT_EQ(textOf("../src/mm.c"), "below");
    EXPECT_EQ(textOf("../../mm.c"), "beside");
    EXPECT_EQ(textOf("deep/mm.c"), "beside") << "only from the folder itself downward";
    fs::create_directories(folder_.at("out/src"));
    folder_.put("out/src/mm.c", "other");
    EXPECT_EQ(textOf("/build/job/src/mm.c", {.folders = {folder_.at("out")}}), "below") << "the trace's folder first";
    EXPECT_EQ(textOf("/x/out/src/mm.c", {.folders = {folder_.path().string()}}), "other") << "the longer end";
}

TEST_F(SourceLookup, SourceFilesAreReadOnlyBesideTheTraceBelowItOrInTheFoldersOfSources) {
    link("../out", "dir");
    link("../out/secret.c", "linked.c");
    link("/etc/passwd", "passwd.c");
    for (const std::string& name :
         {folder_.at("out/secret.c"), std::string("../out/secret.c"), std::string("dir/secret.c"),
          std::string("linked.c"), std::string("passwd.c"), std::string("/etc/passwd"),
          std::string("src/../../out/secret.c"), std::string("../../../../../etc/passwd")}) {
        EXPECT_EQ(textOf(name), "") << name;
    }
    EXPECT_EQ(textOf(folder_.at("out/secret.c"), {.folders = {folder_.at("out")}}), "secret");
    EXPECT_EQ(textOf("secret.c", {.folders = {folder_.at("out")}}), "secret");
    EXPECT_EQ(textOf("secret.c", {.folders = {folder_.at("out")}, .none = true}), "");
}

TEST_F(SourceLookup, HiddenFilesAreLeftOut) {
    put(".ssh/id.c", "key");
    put("src/.git/x.c", "x");
    put(".x.c", "x");
    link(".ssh/id.c", "id.c");
    for (const std::string name : {".ssh/id.c", "src/.git/x.c", ".x.c", "id.c"}) EXPECT_EQ(textOf(name), "") << name;
    EXPECT_EQ(textOf(".ssh/id.c", {.folders = {folder_.path().string()}}), "");
    EXPECT_EQ(textOf("id.c", {.folders = {folder_.at("t/.ssh")}}), "key") << "a folder that the user names";
}

TEST_F(SourceLookup, OnlyFilesNamedLikeSourceAreRead) {
    for (const std::string name : {"a.c", "a.H", "a.f90", "a.F90", "a.c++", "a.rs", "a.b.hpp", "a.S"}) {
        put(name, "text");
        EXPECT_EQ(textOf(name), "text") << name;
    }
    for (const std::string name : {"passwd", "id_rsa", "a.txt", "a.pem", "a.env", "c", "a.c.bak", "a."}) {
        put(name, "text");
        EXPECT_EQ(textOf(name), "") << name;
    }
    link("a.txt", "b.c");
    EXPECT_EQ(textOf("b.c"), "") << "the link only pretends";
}

TEST_F(SourceLookup, NeverWaits) {
    ASSERT_EQ(mkfifo(folder_.at("t/pipe.c").c_str(), 0600), 0);
    fs::create_directory(folder_.at("t/folder.c"));
    EXPECT_EQ(textOf("pipe.c"), "");
    EXPECT_EQ(textOf("folder.c"), "");
    EXPECT_EQ(textOf("/dev/zero"), "");
    EXPECT_EQ(textOf(":5"), "");
}

TEST_F(SourceLookup, ATraceFromAPipeHasNoFolder) {
    put("mm.c", "text");
    const Trace trace = parseTrace("R 0x10 4 mm.c:1\n", "t", {}).value();
    EXPECT_TRUE(trace.files()[0].lines.empty());
    const ReadOptions options{.sources = {.folders = {folder_.at("t")}}};
    EXPECT_EQ(parseTrace("R 0x10 4 mm.c:1\n", "t", options)->files()[0].lines, SourceText("text"));
}

TEST_F(SourceLookup, ManyNamesOfOneFileTakeItOnce) {
    constexpr int kNames = 60000;
    put("a.c", std::string(8 << 20, '\n'));
    fs::create_hard_link(folder_.at("t/a.c"), folder_.at("t/b.c"));
    link("a.c", "c.c");
    std::vector<std::string> names = {"b.c", "c.c"};
    for (int i = 0; i < kNames; ++i) names.push_back(fmt::format("/build/{}/a.c", i));
    const Trace trace = read(names);
    ASSERT_EQ(trace.files().size(), names.size());
    EXPECT_EQ(trace.files()[0].lines.size(), 8u << 20);
    for (const SourceFile& file : trace.files()) {
        ASSERT_EQ(file.lines.identity(), trace.files()[0].lines.identity()) << file.path;
    }
    EXPECT_EQ(sourcesWithText(trace), std::vector<std::string>{"b.c"});
    Progress progress;
    ASSERT_TRUE(writeTrace(trace, folder_.at("t/a.whorl"), progress));
    EXPECT_LT(fs::file_size(folder_.at("t/a.whorl")), 2u << 20) << "the file holds the text once, too";
    const auto back = readTrace(folder_.at("t/a.whorl"), {}, progress);
    ASSERT_TRUE(back);
    EXPECT_EQ(back->files()[7].lines.size(), 8u << 20);
    for (const SourceFile& file : back->files()) {
        ASSERT_EQ(file.lines.identity(), back->files()[0].lines.identity()) << file.path;
    }
}

TEST_F(SourceLookup, OneSourceFileHasAtMost8MB) {
    put("long.c", std::string((8 << 20) + 1, 'x'));
    put("fits.c", std::string(8 << 20, 'x'));
    const Trace trace = read({"long.c", "fits.c", "src/long.c"});
    EXPECT_TRUE(trace.files()[0].lines.empty());
    EXPECT_EQ(trace.files()[1].lines.size(), 1u);
    EXPECT_EQ(trace.losses(),
              std::vector<std::string>{"1 of its source files is too long to be read: \"long.c\"; at most 8 "
                                       "MiB of one are read, and 64 MiB in all"});
}

TEST_F(SourceLookup, AllSourceFilesTogetherHaveAtMost64MB) {
    std::vector<std::string> names;
    for (int i = 0; i < 12; ++i) {
        names.push_back(fmt::format("{}.c", i));
        put(names.back(), "");
        fs::resize_file(folder_.at("t/" + names.back()), 8 << 20);
    }
    put("small.c", "x");
    names.push_back("small.c");
    const Trace trace = read(names);
    EXPECT_EQ(sourcesWithText(trace).size(), 8u);
    EXPECT_EQ(trace.losses(),
              std::vector<std::string>{"5 of its source files are too long to be read: \"8.c\", \"9.c\", "
                                       "\"10.c\", \"11.c\", … and 1 more; at most 8 MiB of one are read, and "
                                       "64 MiB in all"});
}

TEST_F(SourceLookup, PathsWithoutEndDoNotTakeForever) {
    std::string path = "t";
    for (int i = 0; i < 60; ++i) path += "/a";
    fs::create_directories(folder_.at(path));
    const std::string name = path.substr(2) + "/";
    std::vector<std::string> names;
    for (int i = 0; i < 3000; ++i) names.push_back(fmt::format("{}{}.c", name, i));
    const Trace trace = read(names);
    ASSERT_EQ(trace.losses().size(), 1u);
    EXPECT_NE(trace.losses()[0].find("of its source files were not looked for"), std::string::npos)
        << trace.losses()[0];
    EXPECT_EQ(textOf(std::string(30000, '/') + "x.c"), "");
}

TEST_F(SourceLookup, ABinaryTraceKeepsItsTextsUnlessToldNotTo) {
    put("mm.c", "old");
    put("more.c", "more");
    TraceBuilder builder("a");
    for (const char* file : {"mm.c", "more.c"}) builder.add(access(Op::read, 16, 4, 0, builder.site(file, 1)));
    builder.sourceText("mm.c", "new");
    Progress progress;
    ASSERT_TRUE(writeTrace(builder.finish(), folder_.at("t/a.whorl"), progress));
    const auto beside = readTrace(folder_.at("t/a.whorl"), {}, progress);
    ASSERT_TRUE(beside);
    EXPECT_EQ(beside->files()[0].lines, SourceText("new"));
    EXPECT_EQ(beside->files()[1].lines, SourceText("more"));
    const auto without = readTrace(folder_.at("t/a.whorl"), {.sources = {.none = true}}, progress);
    ASSERT_TRUE(without);
    EXPECT_EQ(sourcesWithText(*without), std::vector<std::string>{});
    EXPECT_EQ(accessesOf(*without), accessesOf(*beside));
}

TEST_F(SourceLookup, TheListOfAChironTraceIsNoLink) {
    folder_.put("out/list", "secret.c\n");
    link("../out/list", "t.files");
    Progress progress;
    const std::string text = "i 16\ni 64\ni 4\ni 2\nR 100 0 1000002 1\n";
    EXPECT_EQ(accessesOf(readTrace(folder_.put("t/t", text), {}, progress).value()), "R 40 4 file 1:2");
    fs::remove(folder_.at("t/t.files"));
    put("t.files", "mine.c\n");
    EXPECT_EQ(accessesOf(readTrace(folder_.at("t/t"), {}, progress).value()), "R 40 4 mine.c:2");
}

TEST_F(SourceLookup, FoldersOfTheUserMustBeThere) {
    EXPECT_TRUE(checkedSources({.folders = {folder_.at("t"), folder_.at("out")}}));
    EXPECT_EQ(checkedSources({.folders = {"no/such"}}).error().sentence(),
              "no/such: there is no such folder; name one that holds source files");
    put("x.c", "");
    EXPECT_NE(checkedSources({.folders = {folder_.at("t/x.c")}}).error().sentence().find("this is not a folder"),
              std::string::npos);
}

TEST(SourceTexts, AreTheLinesThatWereAdded) {
    std::mt19937 random(3);
    for (int round = 0; round < 200; ++round) {
        std::vector<std::string> lines;
        std::string joined;
        SourceText added;
        for (unsigned n = random() % 20; n > 0; --n) {
            lines.emplace_back(random() % 5, static_cast<char>('a' + random() % 3));
            joined += lines.back() + (random() % 3 == 0 ? "\r\n" : "\n");
            added.add(lines.back());
        }
        const SourceText split(joined);
        EXPECT_EQ(split, added);
        ASSERT_EQ(split.size(), lines.size());
        EXPECT_TRUE(std::equal(lines.begin(), lines.end(), split.begin()));
        const SourceText copy = added;
        added.add("more");
        EXPECT_EQ(copy, split) << "a copy keeps what it has";
        EXPECT_EQ(added.back(), "more");
        EXPECT_EQ(added.size(), lines.size() + 1);
    }
}

}  // namespace
}  // namespace whorl::sim::test
