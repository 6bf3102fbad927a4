// A file that is written again is noticed once it rests; the dialog's folders are read in tasks.
#include "app/tasks/files.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "app/commands/commands.h"
#include "app/session/command.h"
#include "app/tasks/prompt_offers.h"
#include "app/tasks/queued_runner.h"
#include "support/folder.h"

namespace whorl::app {
namespace {

namespace fs = std::filesystem;

class FileChanges : public testing::Test {
  protected:
    std::string path() const { return folder_.at("x.txt"); }
    void write(const std::string& words) const { std::ofstream(path()) << words; }
    /// A look a second later.
    bool look() {
        now_ += FileChange::kBetweenLooks;
        change_.update(now_);
        runner_.runAll();
        return change_.update(now_);
    }

    const sim::test::Folder folder_;
    QueuedRunner runner_;
    FileChange change_{runner_};
    FileChange::Clock::time_point now_ = FileChange::Clock::now();
};

TEST_F(FileChanges, AreNoticedOnceWhenTheFileRests) {
    write("one");
    change_.watch(path());
    EXPECT_FALSE(look());
    EXPECT_FALSE(look());
    write("and two");
    EXPECT_FALSE(look()) << "it may still be written";
    write("and two and three");
    EXPECT_FALSE(look());
    EXPECT_TRUE(look());
    EXPECT_FALSE(look()) << "once";
    write("again, longer than before");
    look();
    EXPECT_TRUE(look());
}

TEST_F(FileChanges, AFileThatIsAwayForAWhileHasNotChanged) {
    write("one");
    change_.watch(path());
    look();
    fs::rename(path(), path() + "2");
    EXPECT_FALSE(look());
    EXPECT_FALSE(look());
    fs::rename(path() + "2", path());
    EXPECT_FALSE(look());
    EXPECT_FALSE(look());
}

TEST_F(FileChanges, LooksAtMostOnceASecondAndOnlyWhereThereIsAFile) {
    change_.update(now_);
    EXPECT_EQ(runner_.waiting(), 0u);
    write("one");
    change_.watch(path());
    for (int i = 0; i < 100; ++i) change_.update(now_);
    EXPECT_EQ(runner_.waiting(), 1u);
    runner_.runAll();
    for (int i = 0; i < 100; ++i) change_.update(now_ + std::chrono::milliseconds(i));
    EXPECT_EQ(runner_.waiting(), 0u);
}

TEST_F(FileChanges, AFolderIsListedWithoutHiddenFilesFoldersFirst) {
    fs::create_directories(folder_.path() / "b");
    fs::create_directories(folder_.path() / ".hidden");
    write("12345");
    std::ofstream(folder_.path() / ".secret") << "x";
    fs::create_symlink(folder_.path() / "nowhere", folder_.path() / "broken");
    sim::Progress progress;
    const FolderListing listing = listFolder(folder_.path().string(), {path(), path() + "x", "matmul:n=8"}, progress);
    ASSERT_EQ(listing.entries.size(), 2u);
    EXPECT_EQ(listing.entries[0].name, "b");
    EXPECT_TRUE(listing.entries[0].isFolder);
    EXPECT_EQ(listing.entries[1].name, "x.txt");
    EXPECT_EQ(listing.entries[1].bytes, 5u);
    EXPECT_EQ(listing.missing, std::set<std::string>{path() + "x"});
    EXPECT_TRUE(listing.fault.empty());
    EXPECT_FALSE(listFolder(folder_.at("none"), {}, progress).fault.empty());
}

TEST_F(FileChanges, TheWindowNeverWaitsForAFolder) {
    write("1");
    Session s;
    PromptOffers offers(runner_);
    applyAll(s, {command::Ask{Asks::file, {}}, command::Folder{folder_.path().string()}});
    offers.update(s);
    EXPECT_EQ(offers.listing(), nullptr);
    EXPECT_TRUE(offers.working());
    runner_.runAll();
    offers.update(s);
    ASSERT_NE(offers.listing(), nullptr);
    EXPECT_EQ(offers.listing()->entries.size(), 1u);
    EXPECT_FALSE(offers.tours().empty());
    // Opened again, it is read again.
    std::ofstream(folder_.path() / "new.txt") << "x";
    applyAll(s, {command::AskClose{}});
    offers.update(s);
    applyAll(s, {command::Ask{Asks::file, {}}, command::Folder{folder_.path().string()}});
    offers.update(s);
    runner_.runAll();
    offers.update(s);
    EXPECT_EQ(offers.listing()->entries.size(), 2u);
}

}  // namespace
}  // namespace whorl::app
