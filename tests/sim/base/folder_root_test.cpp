// Nothing outside of a folder is opened, whatever a path and the links on its way say.
#include "sim/base/folder_root.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "support/folder.h"

namespace whorl::sim::test {
namespace {

namespace fs = std::filesystem;
using Outcome = FolderRoot::Outcome;

std::string bytesOf(const FileHandle& file) {
    std::string bytes(100, '\0');
    bytes.resize(static_cast<std::size_t>(std::max<ssize_t>(read(file.fd(), bytes.data(), bytes.size()), 0)));
    return bytes;
}

/// What a path gives: the content of the file, or "missing" or "refused".
std::string found(const FolderRoot& root, const std::string& path) {
    const FolderRoot::Result result = root.find(path);
    if (result.outcome == Outcome::found) return bytesOf(result.file);
    return result.outcome == Outcome::missing ? "missing" : "refused";
}

/// A folder "in" with some files, beside another one.
class FolderRootTest : public testing::Test {
  protected:
    FolderRootTest() {
        for (const char* name : {"in/a/b", "in/.hidden", "out"}) fs::create_directories(folder_.at(name));
        folder_.put("in/x", "x");
        folder_.put("in/a/b/y", "y");
        folder_.put("in/.hidden/z", "z");
        folder_.put("in/.z", "z");
        folder_.put("out/o", "o");
        root_ = FolderRoot::open(folder_.at("in"));
    }
    void link(const std::string& to, const std::string& name) { fs::create_symlink(to, folder_.at(name)); }
    std::string find(const std::string& path) const { return found(*root_, path); }

    Folder folder_;
    std::optional<FolderRoot> root_;
};

TEST_F(FolderRootTest, FindsWhatLiesBelow) {
    EXPECT_EQ(find("x"), "x");
    EXPECT_EQ(find("a/b/y"), "y");
    EXPECT_EQ(find("./a//b/../b/./y"), "y");
    EXPECT_EQ(find("a/../x"), "x");
    EXPECT_EQ(find(folder_.at("in/a/b/y")), "y");
    EXPECT_EQ(find("n"), "missing");
    EXPECT_EQ(find("a/n/m"), "missing");
    EXPECT_EQ(find("x/y"), "refused") << "no folder";
}

TEST_F(FolderRootTest, DoesNotLeave) {
    for (const std::string path :
         {"../out/o", "a/../../out/o", "..", "../in/x", "/etc/passwd", "/", "", "a", ".", "a/"}) {
        EXPECT_EQ(find(path), "refused") << path;
    }
    EXPECT_EQ(find("n/../../out/o"), "refused") << "it could come to be there";
    EXPECT_EQ(find(folder_.at("out/o")), "refused");
    EXPECT_EQ(find(folder_.at("in/../out/o")), "refused");
    EXPECT_EQ(find(folder_.at("inside")), "refused") << "a name that only starts like the folder";
    EXPECT_EQ(find(std::string("x\0y", 3)), "refused");
    EXPECT_EQ(find(std::string(5000, 'x')), "refused");
}

TEST_F(FolderRootTest, LinksThatLeadElsewhereAreNotFollowed) {
    link("a/b", "in/inside");
    link("../x", "in/a/up");
    link(folder_.at("in/a"), "in/whole");
    link("../out", "in/outside");
    link("../out/o", "in/o");
    link("/etc/passwd", "in/passwd");
    link("loop", "in/loop");
    EXPECT_EQ(find("inside/y"), "y");
    EXPECT_EQ(find("a/up"), "x");
    EXPECT_EQ(find("whole/b/y"), "y");
    EXPECT_EQ(root_->find("a/up").name, "x");
    EXPECT_EQ(find("inside/../up"), "x") << "the parent is that of the folder linked to";
    for (const std::string path : {"outside/o", "o", "passwd", "loop", "outside/../in/x"}) {
        EXPECT_EQ(find(path), "refused") << path;
    }
    link("in", "alias");
    const auto alias = FolderRoot::open(folder_.at("alias"));
    ASSERT_TRUE(alias);
    EXPECT_EQ(found(*alias, "x"), "x");
    EXPECT_EQ(found(*alias, folder_.at("in/x")), "x");
    EXPECT_EQ(found(*alias, folder_.at("alias/x")), "x");
}

TEST_F(FolderRootTest, FindsNothingHidden) {
    link(".hidden", "in/seen");
    link("a", "in/.a");
    for (const std::string path : {".hidden/z", ".z", "seen/z", "a/../.z", ".a/b/y"}) {
        EXPECT_EQ(find(path), "refused") << path;
    }
    const auto hidden = FolderRoot::open(folder_.at("in/.hidden"));
    ASSERT_TRUE(hidden);
    EXPECT_EQ(found(*hidden, "z"), "z");
}

TEST_F(FolderRootTest, NeitherWaitsNorOpensAnythingButFiles) {
    ASSERT_EQ(mkfifo(folder_.at("in/pipe").c_str(), 0600), 0);
    link("pipe", "in/linked");
    EXPECT_EQ(find("pipe"), "refused");
    EXPECT_EQ(find("linked"), "refused");
    EXPECT_FALSE(FolderRoot::open(folder_.at("in/pipe")));
    EXPECT_FALSE(FolderRoot::open(folder_.at("in/x")));
    EXPECT_FALSE(FolderRoot::open(folder_.at("nowhere")));
}

TEST_F(FolderRootTest, StopsInDeepPaths) {
    std::string path = "in";
    for (int i = 0; i < 70; ++i) path += "/d";
    fs::create_directories(folder_.at(path));
    folder_.put(path + "/deep", "deep");
    EXPECT_EQ(find(path.substr(3) + "/deep"), "refused");
    for (int i = 0; i < 45; ++i) link(i == 0 ? "x" : "l" + std::to_string(i - 1), "in/l" + std::to_string(i));
    EXPECT_EQ(find("l39"), "x");
    EXPECT_EQ(find("l40"), "refused") << "too many links";
}

/// A tree of folders, files and links at random, and paths through it.
class RandomTree {
  public:
    explicit RandomTree(unsigned seed) : random_(seed) {
        fs::create_directories(folder_.at("r"));
        fs::create_directories(folder_.at("o"));
        std::vector<std::string> places = {"r", "r", "o"};
        for (int i = 0; i < 25; ++i) {
            const std::string at = places[below(places.size())] + "/" + name();
            if (fs::symlink_status(folder_.at(at)).type() != fs::file_type::not_found) continue;
            const unsigned kind = below(3);
            if (kind == 0) fs::create_directory(folder_.at(at)), places.push_back(at);
            if (kind == 1) folder_.put(at, at);
            if (kind == 2) fs::create_symlink(below(5) == 0 ? folder_.at("r") + "/" + path() : path(), folder_.at(at));
        }
    }

    std::string path() {
        std::string out = name();
        for (unsigned i = below(4); i > 0; --i) out += "/" + name();
        return out;
    }
    std::string root() const { return folder_.at("r"); }

  private:
    Folder folder_;
    std::mt19937 random_;

    unsigned below(std::size_t n) { return static_cast<unsigned>(random_() % n); }
    std::string name() {
        static const std::vector<std::string> kNames = {"a", "b", "c", "d", ".h", "..", "..", "r", "o"};
        return kNames[below(kNames.size())];
    }
};

/// What the file system says of a path: the content of the file, if it lies in the root and is not hidden.
std::string allowed(const std::string& root, const std::string& path) {
    std::error_code error;
    const fs::path real = fs::canonical(fs::path(root) / path, error);
    if (error || !fs::is_regular_file(real)) return "";
    const fs::path relative = real.lexically_relative(fs::canonical(root));
    for (const fs::path& part : relative) {
        if (part.string().starts_with('.')) return "";
    }
    return test::bytesOf(real);
}

TEST(FolderRootAtRandom, GivesOnlyWhatTheFileSystemHasBelow) {
    unsigned files = 0;
    for (unsigned seed = 0; seed < 60; ++seed) {
        RandomTree tree(seed);
        const auto root = FolderRoot::open(tree.root());
        ASSERT_TRUE(root);
        for (int i = 0; i < 60; ++i) {
            const std::string path = tree.path();
            const FolderRoot::Result result = root->find(path);
            if (result.outcome != Outcome::found) continue;
            ++files;
            EXPECT_EQ(bytesOf(result.file), allowed(tree.root(), path)) << "seed " << seed << ": " << path;
        }
    }
    EXPECT_GT(files, 150u) << "the test tries something";
}

TEST(FolderRootAtRandom, FindsEveryFileOfATreeWithoutLinks) {
    std::mt19937 random(1);
    const Folder folder;
    std::vector<std::string> places = {""};
    std::vector<std::string> files;
    for (int i = 0; i < 100; ++i) {
        const std::string at = places[random() % places.size()] + "n" + std::to_string(i);
        if (random() % 3 == 0) {
            fs::create_directory(folder.at(at));
            places.push_back(at + "/");
        } else {
            folder.put(at, at);
            files.push_back(at);
        }
    }
    const auto root = FolderRoot::open(folder.path().string());
    ASSERT_TRUE(root);
    for (const std::string& file : files) {
        EXPECT_EQ(found(*root, file), file);
        EXPECT_EQ(found(*root, folder.at(file)), file);
    }
}

}  // namespace
}  // namespace whorl::sim::test
