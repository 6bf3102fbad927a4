// Small files are read whole; what is none is refused at once.
#include "sim/base/input_file.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>

#include "support/folder.h"

namespace whorl::sim::test {
namespace {

class SmallFile : public ::testing::Test {
  protected:
    Folder folder_;

    /// What reading a file says, without the folder.
    std::string said(const std::string& path) const {
        const auto text = readSmallFile(path, 1000, "a machine");
        if (text) return "read";
        const std::string sentence = text.error().sentence();
        return sentence.starts_with(path) ? sentence.substr(path.size()) : sentence;
    }
};

TEST_F(SmallFile, IsReadWhole) {
    EXPECT_EQ(readSmallFile(folder_.put("a", "one\ntwo"), 1000, "x").value(), "one\ntwo");
    EXPECT_EQ(readSmallFile(folder_.put("empty", ""), 1000, "x").value(), "");
    EXPECT_EQ(readSmallFile(folder_.put("most", std::string(1000, 'x')), 1000, "x").value().size(), 1000u);
    std::filesystem::create_symlink(folder_.at("a"), folder_.at("link"));
    EXPECT_EQ(readSmallFile(folder_.at("link"), 1000, "x").value(), "one\ntwo");
    EXPECT_NE(readSmallFile("/proc/self/status", 1u << 20, "x").value(), "") << "its size is said to be 0";
}

TEST_F(SmallFile, APipeADeviceOrAFolderIsRefusedAtOnceWhereASmallFileIsExpected) {
    EXPECT_EQ(said(folder_.at("gone")), ": there is no such file");
    EXPECT_EQ(said(folder_.path()), ": this is a folder; give the path of a file with a machine");
    ASSERT_EQ(mkfifo(folder_.at("pipe").c_str(), 0600), 0);
    EXPECT_EQ(said(folder_.at("pipe")), ": this is a pipe; give the path of a file with a machine");
    EXPECT_EQ(said("/dev/zero"), ": this is a device; give the path of a file with a machine");
    EXPECT_EQ(said("/dev/null"), ": this is a device; give the path of a file with a machine");
    EXPECT_EQ(said(folder_.put("long", std::string(1001, 'x'))),
              ": the file is too long for a machine; 1000 bytes is the most");
    EXPECT_EQ(said("/proc/self/status"), ": the file is too long for a machine; 1000 bytes is the most");
    const int end = socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string path = folder_.at("s");
    ASSERT_LT(path.size(), sizeof address.sun_path);
    std::memcpy(address.sun_path, path.c_str(), path.size());
    ASSERT_EQ(bind(end, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(said(path), ": this is a socket");
    close(end);
}

}  // namespace
}  // namespace whorl::sim::test
