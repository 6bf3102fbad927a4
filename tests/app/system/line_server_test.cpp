// Lines that come in pieces; the socket through which they come.
#include "app/system/line_server.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "support/folder.h"

namespace whorl::app {
namespace {

namespace fs = std::filesystem;

/// The lines of a text that comes in pieces of a size; a line that is too long as "!".
std::vector<std::string> linesOf(std::string_view text, std::size_t most, std::size_t piece) {
    LineBuffer buffer(most);
    std::vector<std::string> lines;
    const auto takeAll = [&] {
        while (const auto line = buffer.take()) lines.push_back(line->tooLong ? "!" : line->text);
    };
    while (!text.empty()) {
        EXPECT_GT(buffer.room(), 0U) << "it is stuck";
        const std::size_t size = std::min({piece, buffer.room(), text.size()});
        buffer.add(text.substr(0, size));
        text.remove_prefix(size);
        takeAll();
    }
    buffer.end();
    takeAll();
    return lines;
}

TEST(LineBuffers, GiveTheSameLinesInAnyPieces) {
    const std::string text = "one\n\r\nfour\r\nfiver\nfive5\r\nsix666\nseven77 and more\n\neight\r\r\n12345\r";
    const std::vector<std::string> lines{"one", "", "four", "fiver", "five5", "!", "!", "", "!", "12345"};
    for (std::size_t piece = 1; piece <= text.size(); ++piece) EXPECT_EQ(linesOf(text, 5, piece), lines) << piece;
}

TEST(LineBuffers, EndWithALineThatHasNoEnd) {
    EXPECT_EQ(linesOf("a\nb", 5, 1), (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(linesOf("a\n", 5, 1), (std::vector<std::string>{"a"}));
    EXPECT_EQ(linesOf("toolong", 5, 1), (std::vector<std::string>{"!"}));
}

TEST(LineBuffers, KeepNoMoreThanALine) {
    LineBuffer buffer(100);
    for (int i = 0; i < 1000; ++i) buffer.add(std::string(std::min<std::size_t>(buffer.room(), 70), 'x'));
    EXPECT_GE(buffer.room(), 1U);
    EXPECT_FALSE(buffer.has());
    buffer.add("\n");
    EXPECT_TRUE(buffer.take()->tooLong);
}

class LineServers : public testing::Test {
  protected:
    /// A client of the socket; -1 if it is refused.
    static int client(const std::string& path) {
        const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        path.copy(address.sun_path, sizeof address.sun_path - 1);
        if (connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return fd;
        close(fd);
        return -1;
    }
    static void write(int fd, std::string_view text) {
        ASSERT_EQ(send(fd, text.data(), text.size(), MSG_NOSIGNAL), ssize_t(text.size()));
    }
    static std::string read(int fd) {
        std::string text(4096, ' ');
        const ssize_t got = recv(fd, text.data(), text.size(), 0);
        return text.substr(0, std::size_t(std::max<ssize_t>(got, 0)));
    }
    std::string path() const { return folder_.at("socket"); }

    sim::test::Folder folder_;
};

TEST_F(LineServers, AnswerEachLineInTurn) {
    const auto server = *LineServer::open(path());
    EXPECT_FALSE(server->hasNews());
    EXPECT_FALSE(server->next());
    const int fd = client(path());
    ASSERT_GE(fd, 0);
    write(fd, "one\ntwo\n");
    EXPECT_TRUE(server->hasNews());
    server->update();
    const auto one = server->next();
    ASSERT_TRUE(one);
    EXPECT_EQ(one->text, "one");
    EXPECT_FALSE(server->next()) << "the first is not answered";
    EXPECT_FALSE(server->hasNews());
    server->answer(one->client, "first");
    EXPECT_EQ(read(fd), "first\n");
    const auto two = server->next();
    ASSERT_TRUE(two);
    EXPECT_EQ(two->text, "two");
    close(fd);
    server->update();
    EXPECT_TRUE(server->has(two->client)) << "its line is not answered";
    server->answer(two->client, "nobody reads this");
    server->update();
    EXPECT_FALSE(server->has(two->client));
    EXPECT_FALSE(server->hasNews());
}

TEST_F(LineServers, GiveTurns) {
    const auto server = *LineServer::open(path());
    const int a = client(path());
    const int b = client(path());
    write(a, "a1\na2\na3\n");
    write(b, "b1\nb2\n");
    server->update();
    std::string order;
    while (const auto line = server->next()) {
        order += line->text + ' ';
        server->skip(line->client);
    }
    EXPECT_EQ(order, "a1 b1 a2 b2 a3 ");
    close(a);
    close(b);
}

TEST_F(LineServers, HoldBackWhoDoesNotRead) {
    const auto server = *LineServer::open(path());
    const int fd = client(path());
    write(fd, "one\ntwo\n");
    server->update();
    const auto one = server->next();
    ASSERT_TRUE(one);
    // More than a socket holds.
    const std::string much(std::size_t{1} << 22, 'x');
    server->answer(one->client, much);
    EXPECT_FALSE(server->next()) << "the answer is not on its way";
    std::size_t got = 0;
    for (int i = 0; i < 100'000 && got <= much.size(); ++i) {
        got += read(fd).size();
        server->update();
    }
    EXPECT_EQ(got, much.size() + 1);
    const auto two = server->next();
    ASSERT_TRUE(two);
    EXPECT_EQ(two->text, "two");
    close(fd);
}

TEST_F(LineServers, KeepNoPlaceForWhoHasLeft) {
    const auto server = *LineServer::open(path());
    std::vector<LineServer::Request> asked;
    std::vector<int> here;
    for (std::size_t i = 0; i < LineServer::kMaxClients; ++i) {
        here.push_back(client(path()));
        write(here.back(), "wait\nwait\nlast");
        shutdown(here.back(), SHUT_WR);
    }
    server->update();
    while (auto line = server->next()) asked.push_back(*line);
    ASSERT_EQ(asked.size(), LineServer::kMaxClients);
    const int late = client(path());
    server->update();
    EXPECT_FALSE(server->hasLeft(asked.front().client)) << "it still reads";
    EXPECT_NE(read(late), "") << "it is refused";
    for (const int fd : here) close(fd);
    server->update();
    EXPECT_TRUE(server->hasLeft(asked.front().client));
    const int next = client(path());
    write(next, "hello\n");
    server->update();
    const auto line = server->next();
    ASSERT_TRUE(line);
    EXPECT_EQ(line->text, "hello") << "although nobody has answered the others";
    server->answer(asked.front().client, "ok");
    EXPECT_EQ(server->next()->text, "wait");
    server->answer(asked.front().client, "ok");
    EXPECT_EQ(server->next()->text, "last") << "what it wrote is done all the same";
    close(late);
    close(next);
}

TEST_F(LineServers, AreForOneUserAlone) {
    const mode_t before = umask(0);
    const auto server = *LineServer::open(path());
    EXPECT_EQ(umask(before), mode_t{0}) << "the umask is given back";
    struct stat made {};
    ASSERT_EQ(lstat(path().c_str(), &made), 0);
    EXPECT_EQ(made.st_mode & 0777u, 0600u);
}

TEST_F(LineServers, ReplaceNothingButSocketsThatWereLeft) {
    {
        const auto server = *LineServer::open(path());
        const auto second = LineServer::open(path());
        ASSERT_FALSE(second);
        EXPECT_EQ(second.error().what, "another program listens there");
        EXPECT_GE(client(path()), 0) << "the first still listens";
    }
    EXPECT_FALSE(fs::exists(path())) << "it goes with its server";
    // Left by a program that was killed.
    const int left = socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path().copy(address.sun_path, sizeof address.sun_path - 1);
    ASSERT_EQ(bind(left, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    close(left);
    ASSERT_TRUE(fs::exists(path()));
    EXPECT_TRUE(LineServer::open(path()));
    // Anything else stays.
    std::ofstream(path()) << "words";
    const auto onFile = LineServer::open(path());
    ASSERT_FALSE(onFile);
    EXPECT_EQ(onFile.error().what, "there is a file that is no socket");
    EXPECT_EQ(fs::file_size(path()), 5U);
    EXPECT_FALSE(LineServer::open(folder_.at("no/socket")));
    EXPECT_FALSE(LineServer::open(std::string(200, 'x')));
    EXPECT_FALSE(LineServer::open(""));
}

TEST_F(LineServers, DoNotRemoveWhatCameInTheirPlace) {
    {
        const auto server = *LineServer::open(path());
        fs::remove(path());
        std::ofstream(path()) << "words";
    }
    EXPECT_TRUE(fs::exists(path()));
}

}  // namespace
}  // namespace whorl::app
