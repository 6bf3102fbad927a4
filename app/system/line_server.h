// A Unix-domain stream socket through which other programs of the same user write lines and read an answer to each.
// For one thread, which polls it; nothing here ever waits.
//
// The next line of a client is given out only once the answer to its last one is on its way. So answers come in the
// order of the lines, and a client that does not read, or writes faster than lines are dealt with, is held back by its
// own socket: of each at most a line and an answer are kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/unfinished.h"

namespace whorl::app {

/// Bytes that come in pieces, taken apart into lines of a limited length. No input or output.
class LineBuffer {
  public:
    struct Line {
        std::string text;      ///< without its end: "\n" or "\r\n"
        bool tooLong = false;  ///< it had more than the limit; `text` is empty
    };

    /// A line may have `most` bytes.
    explicit LineBuffer(std::size_t most) : most_(most) {}

    /// How many bytes add() takes now: never more than one line's, and its end, are kept.
    std::size_t room() const { return most_ + 2 - waiting_.size(); }
    /// Adds bytes, room() at most. Those of a line that is too long are dropped.
    void add(std::string_view bytes);
    /// Nothing follows: what is left is a line.
    void end() { ended_ = true; }

    /// Whether take() returns one.
    bool has() const;
    /// The next line, if a whole one has come.
    std::optional<Line> take();

  private:
    std::size_t most_;
    std::string waiting_;
    bool dropping_ = false;  ///< up to the end of the line
    bool ended_ = false;
};

/// A file that is removed when the program ends, in good order or by a signal.
class SocketFile final : public sim::Unfinished {
  public:
    explicit SocketFile(std::string path);
    ~SocketFile() override;
    void remove() noexcept override;

  private:
    std::string path_;
    std::uint64_t device_ = 0;  ///< identifies the file with `inode_`, so that a later file at this path stays
    std::uint64_t inode_ = 0;
};

class LineServer {
  public:
    static constexpr std::size_t kMaxClients = 8;                  ///< connected clients
    static constexpr std::size_t kMaxLine = std::size_t{1} << 14;  ///< bytes

    /// Makes the socket, which only this user may open. Replaces a socket of this user without a listener; any other
    /// file at `path` is left there, and is an error. No other thread of the process may write files meanwhile, as the
    /// umask is changed for a moment.
    static sim::Expected<std::unique_ptr<LineServer>> open(const std::string& path);
    /// Closes all connections and removes the socket.
    ~LineServer();
    LineServer(const LineServer&) = delete;
    LineServer& operator=(const LineServer&) = delete;

    using ClientId = std::uint64_t;
    struct Request {
        ClientId client = 0;
        std::string text;
        bool tooLong = false;  ///< it had more than kMaxLine bytes, and is empty
    };

    /// Whether update() or next() would do something.
    bool hasNews() const;
    /// Accepts clients, reads what they wrote and writes what is left of answers.
    void update();
    /// A line that has not been given out yet; clients take turns.
    std::optional<Request> next();
    /// The line of a request needs no answer: the client's next one may follow.
    void skip(ClientId client);
    /// Answers the last line of a client with one line. Nothing if it has gone.
    void answer(ClientId client, const std::string& line);
    bool has(ClientId client) const;
    /// Whether the client has closed both directions, so that nobody reads its answers. Lines that it wrote before are
    /// still given out.
    bool hasLeft(ClientId client) const;

  private:
    struct Client {
        ClientId id = 0;
        int fd = -1;
        LineBuffer lines{kMaxLine};
        std::string out;        ///< what is left of an answer
        bool isAsking = false;  ///< a line of it was given out and is not answered
        bool hasEnded = false;  ///< it writes no more
        bool isLost = false;    ///< it reads no more
        bool isDone() const { return isLost || (hasEnded && out.empty() && !isAsking && !lines.has()); }
        bool mayAsk() const { return !isAsking && out.empty() && lines.has(); }
    };

    LineServer(int fd, const std::string& path) : fd_(fd), file_(path) {}
    void accept();
    static void read(Client& client);
    static void write(Client& client);
    static bool hasLeft(const Client& client);
    void dismiss();
    Client* find(ClientId client);

    int fd_;
    SocketFile file_;
    std::vector<Client> clients_;
    ClientId last_ = 0;     ///< the id given out last
    std::size_t turn_ = 0;  ///< index of the client whose line is given out next, if it has one
};

}  // namespace whorl::app
