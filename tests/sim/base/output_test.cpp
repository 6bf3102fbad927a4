// Files that are written: whole or not at all, under the right name, and nothing else is touched.
#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "sim/base/byte_sink.h"
#include "sim/base/output_file.h"
#include "sim/base/part_folder.h"
#include "sim/base/unfinished.h"
#include "support/folder.h"
#include "support/refusal.h"

namespace whorl::sim {
namespace {

namespace fs = std::filesystem;
using test::Folder;

Expected<void> write(const std::string& path, std::string_view bytes) {
    auto sink = createFile(path);
    if (!sink) return tl::unexpected(sink.error());
    if (auto written = (*sink)->write(bytes); !written) return written;
    return (*sink)->close();
}

/// The error's sentence; empty on success.
template <class T>
std::string fault(const Expected<T>& result) {
    return test::refusalOf(result, "");
}

TEST(Safety, AnExistingFileIsReplacedAsAWholeOrNotAtAll) {
    const Folder folder;
    const std::string path = folder.put("x", "old");
    {
        auto sink = createFile(path);
        ASSERT_TRUE(sink && (*sink)->write("new"));
        EXPECT_EQ(test::bytesOf(path), "old");  // and so it stays when the work is given up
    }
    EXPECT_EQ(test::bytesOf(path), "old");
    EXPECT_EQ(folder.names(), std::vector<std::string>{"x"});
    auto sink = createFile(path);
    ASSERT_TRUE(sink && (*sink)->write("new") && (*sink)->close());
    EXPECT_EQ(test::bytesOf(path), "new");
    EXPECT_EQ(folder.names(), std::vector<std::string>{"x"});
}

TEST(Safety, WhorlRemovesOnlyWhatItMade) {
    const Folder folder;
    const std::string name = fmt::format("x.{}-0.part", getpid());  // the name that the part file would have
    folder.put(name, "somebody's");
    folder.put("x.part", "somebody's");
    folder.put("target", "somebody's");
    fs::create_symlink("target", folder.at(fmt::format("x.{}-1.part", getpid())));
    fs::create_directory(folder.at(fmt::format("x.{}-2.part", getpid())));
    const auto before = folder.names();
    { EXPECT_TRUE(createFile(folder.at("x"))); }
    EXPECT_EQ(folder.names(), before);
    EXPECT_EQ(fault(write(folder.at("x"), "ours")), "");
    EXPECT_EQ(test::bytesOf(folder.at("x")), "ours");
    for (const std::string& theirs : {name, std::string("x.part"), std::string("target")}) {
        EXPECT_EQ(test::bytesOf(folder.at(theirs)), "somebody's");
    }
    EXPECT_EQ(folder.names().size(), before.size() + 1);
}

TEST(Safety, ASymbolicLinkIsKeptAndTheFileThatItLeadsToIsReplaced) {
    const Folder folder;
    fs::create_directory(folder.at("far"));
    folder.put("far/x", "old");
    fs::create_symlink("far/x", folder.at("near"));
    fs::create_symlink(folder.at("near"), folder.at("twice"));
    fs::create_symlink("far/new", folder.at("dangling"));
    for (const char* const name : {"near", "twice", "dangling"}) {
        EXPECT_EQ(fault(write(folder.at(name), name)), "");
        EXPECT_TRUE(fs::is_symlink(folder.at(name)));
        EXPECT_EQ(test::bytesOf(folder.at(name)), name);
    }
    EXPECT_EQ(test::bytesOf(folder.at("far/x")), "twice");
    EXPECT_EQ(test::bytesOf(folder.at("far/new")), "dangling");
    fs::create_symlink("round", folder.at("about"));
    fs::create_symlink("about", folder.at("round"));
    EXPECT_NE(fault(write(folder.at("round"), "")).find("circle"), std::string::npos);
}

TEST(Safety, PipesAndDevicesAreWrittenInPlace) {
    const Folder folder;
    const std::string pipe = folder.at("pipe");
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    std::string read;
    std::thread reader([&] { read = test::bytesOf(pipe); });
    EXPECT_EQ(fault(write(pipe, "through")), "");
    reader.join();
    EXPECT_EQ(read, "through");
    EXPECT_TRUE(fs::is_fifo(pipe));
    EXPECT_EQ(fault(write("/dev/null", "nowhere")), "");
    EXPECT_EQ(fault(write("/dev/full", "more")), "/dev/full: the disk is full");
    EXPECT_TRUE(fs::is_character_file("/dev/full"));
    fs::create_symlink("/dev/full", folder.at("full"));
    EXPECT_EQ(fault(write(folder.at("full"), "more")), folder.at("full") + ": the disk is full");
    EXPECT_EQ(folder.names(), (std::vector<std::string>{"full", "pipe"}));
}

TEST(Safety, AFileThatIsReplacedKeepsItsPermissions) {
    const Folder folder;
    const std::string path = folder.put("x", "old");
    for (const mode_t mode : {0600, 0644, 0660, 0755, 0777}) {
        ASSERT_EQ(chmod(path.c_str(), mode), 0);
        EXPECT_EQ(fault(write(path, "new")), "");
        struct stat info {};
        ASSERT_EQ(stat(path.c_str(), &info), 0);
        EXPECT_EQ(info.st_mode & 07777, mode);
    }
}

/// Runs `act` in a child, in which files may be as large as `limit` bytes; the exit status.
template <class Act>
int inChild(Act&& act) {
    const pid_t child = fork();
    if (child == 0) _exit(act());
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

TEST(Output, OfAReadOnlyFileOrFolderIsRefused) {
    if (geteuid() == 0) {
        // Root may write everything; so does the check as somebody else.
        const Folder folder;
        ASSERT_EQ(chmod(folder.path().c_str(), 0755), 0);
        folder.put("x", "old");
        EXPECT_EQ(
            inChild([&] {
                if (setuid(65534) != 0) return 3;
                const bool file = fault(write(folder.at("x"), "new")).find("permission denied") != std::string::npos;
                const bool other = fault(write(folder.at("y"), "new")).find("permission denied") != std::string::npos;
                return file && other ? 0 : 1;
            }),
            0);
        EXPECT_EQ(test::bytesOf(folder.at("x")), "old");
    } else {
        const Folder folder;
        const std::string path = folder.put("x", "old");
        ASSERT_EQ(chmod(path.c_str(), 0400), 0);
        EXPECT_NE(fault(write(path, "new")).find("permission denied"), std::string::npos);
        EXPECT_EQ(test::bytesOf(path), "old");
    }
}

TEST(Output, NamesThatCannotBeWrittenAreOneSentence) {
    const Folder folder;
    folder.put("file", "");
    EXPECT_EQ(fault(write("", "")), "the name of the output is empty; name a file");
    EXPECT_EQ(fault(write(folder.at("no/x"), "")), folder.at("no/x") + ": there is no such folder");
    EXPECT_EQ(fault(write(folder.at("file/x"), "")), folder.at("file/x") + ": there is no such folder");
    EXPECT_EQ(fault(write(folder.at("new/"), "")),
              folder.at("new/") + ": this is the name of a folder; expected the name of a file");
    EXPECT_EQ(fault(write(folder.path(), "")),
              folder.path().string() + ": this is a folder; expected the name of a file");
    EXPECT_EQ(fault(write(folder.at(std::string(300, 'x')), "")),
              folder.at(std::string(300, 'x')) + ": the name is too long");
}

TEST(Output, MayHaveAnyNameThatAFileCanHave) {
    const Folder folder;
    for (const std::string& name : {std::string(255, 'x'), std::string("a\nb"), std::string("-"), std::string("%s"),
                                    std::string("\xff\xfe"), std::string(127, '\xc3') + "\xa4"}) {
        // "-" alone is standard output; with its folder it is a file.
        EXPECT_EQ(fault(write(folder.at(name), name)), "");
        EXPECT_EQ(test::bytesOf(folder.at(name)), name);
    }
}

TEST(Safety, AnOutputThatIsAnInputIsRefused) {
    const Folder folder;
    const std::string input = folder.put("x", "input");
    fs::create_hard_link(input, folder.at("hard"));
    fs::create_symlink("x", folder.at("soft"));
    const std::array<std::string, 2> inputs{folder.at("other"), input};
    for (const char* const name : {"x", "hard", "soft", "../" /* itself, by another way */}) {
        const std::string path =
            name == std::string("../") ? folder.at("../" + folder.path().filename().string() + "/x") : folder.at(name);
        EXPECT_NE(fault(checkOutput(path, inputs)).find("this is also an input"), std::string::npos) << name;
    }
    EXPECT_EQ(fault(checkOutput(folder.at("y"), inputs)), "");
    EXPECT_EQ(fault(checkOutput("/dev/null", std::array<std::string, 1>{"/dev/null"})), "");
    EXPECT_EQ(test::bytesOf(input), "input");
    EXPECT_EQ(folder.names(), (std::vector<std::string>{"hard", "soft", "x"}));
}

TEST(Output, WhoseUnfinishedFileIsRemovedByOthersSaysSo) {
    const Folder folder;
    folder.put("x", "old");
    auto file = createFile(folder.at("x"));
    ASSERT_TRUE(file.has_value() && (*file)->write("new"));
    for (const std::string& name : folder.names()) {
        if (name.ends_with(".part")) fs::remove(folder.at(name));
    }
    const auto closed = (*file)->close();
    ASSERT_FALSE(closed.has_value());
    EXPECT_NE(closed.error().sentence().find(".part, the name that it had until it was complete, was removed"),
              std::string::npos)
        << closed.error().sentence();
    EXPECT_EQ(test::bytesOf(folder.at("x")), "old");
}

TEST(Output, OfManyThreadsToOneNameIsWholeAndOneOfThem) {
    const Folder folder;
    std::vector<std::thread> writers;
    for (char c = 'a'; c < 'i'; ++c) {
        writers.emplace_back([&, c] {
            for (int i = 0; i < 20; ++i) EXPECT_EQ(fault(write(folder.at("x"), std::string(100'000, c))), "");
        });
    }
    for (std::thread& writer : writers) writer.join();
    const std::string content = test::bytesOf(folder.at("x"));
    ASSERT_EQ(content.size(), 100'000U);
    EXPECT_EQ(content.find_first_not_of(content[0]), std::string::npos);
    EXPECT_EQ(folder.names(), std::vector<std::string>{"x"});
}

TEST(Output, ThatIsUnfinishedIsRemovedWhenTheProgramMustEnd) {
    const Folder folder;
    folder.put("x", "old");
    const int status = inChild([&] {
        auto file = createFile(folder.at("x"));
        auto packed = createFile(folder.at("y.gz"));
        auto stills = PartFolder::forTarget(folder.at("stills"), [](int, const std::string&) { return false; });
        if (!file || !packed || !stills || !(*stills)->create("1") || !(*file)->write("new")) return 1;
        if (fs::is_empty(folder.path())) return 2;
        removeUnfinished();
        _exit(0);  // whoever is still at work would wait forever
        return 0;
    });
    EXPECT_EQ(status, 0);
    EXPECT_EQ(folder.names(), std::vector<std::string>{"x"});
    EXPECT_EQ(test::bytesOf(folder.at("x")), "old");
}

// --- folders: "ours" are files whose name begins with o ---

bool isOurs(int /*folder*/, const std::string& name) {
    return name.starts_with("o");
}

/// Writes a folder with these files.
Expected<void> recordAt(const std::string& path, const std::vector<std::string>& names, const std::string& content) {
    auto folder = PartFolder::forTarget(path, isOurs);
    if (!folder) return tl::unexpected(folder.error());
    for (const std::string& name : names) {
        auto file = (*folder)->create(name);
        if (!file) return tl::unexpected(file.error());
        if (auto written = (*file)->write(content); !written) return written;
        if (auto closed = (*file)->close(); !closed) return closed;
    }
    return (*folder)->publish();
}

std::vector<std::string> namesIn(const std::string& path) {
    std::vector<std::string> out;
    for (const auto& entry : fs::directory_iterator(path)) out.push_back(entry.path().filename());
    std::sort(out.begin(), out.end());
    return out;
}

TEST(Safety, AFolderIsReplacedOnlyIfItIsEmptyOrHoldsNothingButAnEarlierRecording) {
    const Folder folder;
    const std::string path = folder.at("f");
    EXPECT_EQ(fault(recordAt(path + "/", {"o1", "o2"}, "1")), "");
    EXPECT_EQ(fault(recordAt(path, {"o1"}, "2")), "");
    EXPECT_EQ(namesIn(path), std::vector<std::string>{"o1"});
    EXPECT_EQ(test::bytesOf(path + "/o1"), "2");
    folder.put("f/mine", "somebody's");
    EXPECT_NE(fault(recordAt(path, {"o1"}, "3")).find("holds something else (mine)"), std::string::npos);
    EXPECT_EQ(namesIn(path), (std::vector<std::string>{"mine", "o1"}));
    EXPECT_EQ(test::bytesOf(path + "/o1"), "2");
    fs::create_directory(folder.at("empty"));
    ASSERT_EQ(chmod(folder.at("empty").c_str(), 0700), 0);
    fs::create_symlink("empty", folder.at("link"));
    EXPECT_EQ(fault(recordAt(folder.at("link"), {"o1"}, "4")), "");
    EXPECT_TRUE(fs::is_symlink(folder.at("link")));
    struct stat info {};
    ASSERT_EQ(stat(folder.at("empty").c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 07777, 0700U);
    EXPECT_EQ(folder.names(), (std::vector<std::string>{"empty", "f", "link"}));
}

TEST(PartFolders, AreRefusedWhereNoneCanBe) {
    const Folder folder;
    folder.put("file", "");
    fs::create_symlink("nowhere", folder.at("dangling"));
    const fs::path before = fs::current_path();
    fs::current_path(folder.path());
    EXPECT_NE(fault(recordAt("file", {}, "")).find("not a folder"), std::string::npos);
    EXPECT_NE(fault(recordAt("dangling/", {}, "")).find("leads nowhere"), std::string::npos);
    EXPECT_NE(fault(recordAt("no/such", {}, "")).find("there is no such folder"), std::string::npos);
    fs::create_directory("here");
    fs::current_path("here");
    EXPECT_NE(fault(recordAt(".", {}, "")).find("current folder"), std::string::npos);
    EXPECT_NE(fault(recordAt("../here/", {}, "")).find("current folder"), std::string::npos);
    fs::current_path(before);
    EXPECT_EQ(folder.names(), (std::vector<std::string>{"dangling", "file", "here"}));
}

TEST(PartFolders, LeaveWhatSomebodyPutsThereMeanwhile) {
    const Folder folder;
    fs::create_directory(folder.at("f"));
    auto part = PartFolder::forTarget(folder.at("f"), isOurs);
    ASSERT_TRUE(part && (*part)->create("o1"));
    folder.put("f/mine", "somebody's");
    EXPECT_NE(fault((*part)->publish()).find("holds something else"), std::string::npos);
    part = tl::unexpected(Error{});
    EXPECT_EQ(folder.names(), std::vector<std::string>{"f"});
    EXPECT_EQ(test::bytesOf(folder.at("f/mine")), "somebody's");
}

TEST(Safety, TwoRecordingsToOneNameDoNotMixAndTheLastOneStays) {
    const Folder folder;
    auto first = PartFolder::forTarget(folder.at("f"), isOurs);
    auto second = PartFolder::forTarget(folder.at("f"), isOurs);
    ASSERT_TRUE(first && second && (*first)->create("o1") && (*second)->create("o2"));
    EXPECT_EQ(fault((*second)->publish()), "");
    EXPECT_EQ(namesIn(folder.at("f")), std::vector<std::string>{"o2"});
    EXPECT_EQ(fault((*first)->publish()), "");
    EXPECT_EQ(namesIn(folder.at("f")), std::vector<std::string>{"o1"});
    EXPECT_EQ(folder.names(), std::vector<std::string>{"f"});
}

}  // namespace
}  // namespace whorl::sim
