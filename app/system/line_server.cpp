#include "app/system/line_server.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

namespace whorl::app {

namespace {

/// A descriptor that is closed unless it is taken.
class Descriptor {
  public:
    explicit Descriptor(int fd) : fd_(fd) {}
    ~Descriptor() {
        if (fd_ >= 0) close(fd_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int get() const { return fd_; }
    int take() { return std::exchange(fd_, -1); }

  private:
    int fd_;
};

int newSocket() {
    return socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

tl::unexpected<sim::Error> fault(const std::string& path, const std::string& what) {
    return sim::fail(path, fmt::format("{}: {}", what, std::strerror(errno)));
}

sim::Expected<sockaddr_un> addressOf(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.empty() || path.size() >= sizeof address.sun_path) {
        return sim::fail(path, fmt::format("the name of a socket has 1 to {} bytes", sizeof address.sun_path - 1),
                         "choose a shorter one");
    }
    path.copy(address.sun_path, path.size());
    return address;
}

const sockaddr* generic(const sockaddr_un& address) {
    return reinterpret_cast<const sockaddr*>(&address);
}

/// Makes room for a socket of that name: nothing is there, or a socket that was left behind.
sim::Expected<void> makeRoom(const std::string& path, const sockaddr_un& address) {
    struct stat there {};
    if (lstat(path.c_str(), &there) != 0) {
        if (errno == ENOENT) return {};
        return fault(path, "no socket can be made there");
    }
    if (!S_ISSOCK(there.st_mode)) {
        return sim::fail(path, "there is a file that is no socket", "remove it, or choose another name");
    }
    if (there.st_uid != geteuid()) {
        return sim::fail(path, "there is a socket of another user", "choose another name");
    }
    const Descriptor probe(newSocket());
    if (probe.get() < 0) return fault(path, "no socket can be made");
    const bool isAnswered = connect(probe.get(), generic(address), sizeof address) == 0;
    if (isAnswered || errno != ECONNREFUSED) {
        return sim::fail(path, "another program listens there", "end it, or choose another name");
    }
    if (unlink(path.c_str()) != 0) return fault(path, "the socket that was left there cannot be removed");
    return {};
}

/// Makes a new file that only this user may open.
bool bindPrivately(int fd, const sockaddr_un& address) {
    const mode_t before = umask(0177);
    const bool isBound = bind(fd, generic(address), sizeof address) == 0;
    const int error = errno;
    umask(before);
    errno = error;
    return isBound;
}

bool wouldWait(int error) {
    return error == EAGAIN || error == EWOULDBLOCK || error == EINTR;
}

/// Sends as much of `text` as the socket accepts now, and removes that from `text`. False if the connection is broken.
bool sendSome(int fd, std::string& text) {
    while (!text.empty()) {
        // Suppresses SIGPIPE, which would end the program if the other end is closed.
        const ssize_t sent = send(fd, text.data(), text.size(), MSG_NOSIGNAL);
        if (sent < 0) return wouldWait(errno);
        text.erase(0, static_cast<std::size_t>(sent));
    }
    return true;
}

}  // namespace

void LineBuffer::add(std::string_view bytes) {
    waiting_ += bytes;
    const std::size_t end = waiting_.find('\n');
    if (end != std::string::npos) return;
    const bool isTooLong = waiting_.size() > most_ + 1 || (waiting_.size() == most_ + 1 && waiting_.back() != '\r');
    dropping_ |= isTooLong;
    if (dropping_) waiting_.clear();
}

bool LineBuffer::has() const {
    return waiting_.find('\n') != std::string::npos || (ended_ && (!waiting_.empty() || dropping_));
}

std::optional<LineBuffer::Line> LineBuffer::take() {
    if (!has()) return std::nullopt;
    const std::size_t end = std::min(waiting_.find('\n'), waiting_.size());
    std::string text = waiting_.substr(0, end);
    waiting_.erase(0, end + 1);
    if (!text.empty() && text.back() == '\r') text.pop_back();
    const bool tooLong = std::exchange(dropping_, false) || text.size() > most_;
    if (tooLong) text.clear();
    return Line{.text = std::move(text), .tooLong = tooLong};
}

SocketFile::SocketFile(std::string path) : path_(std::move(path)) {
    struct stat made {};
    if (lstat(path_.c_str(), &made) == 0) {
        device_ = made.st_dev;
        inode_ = made.st_ino;
    }
    begin();
}

SocketFile::~SocketFile() {
    end();
}

void SocketFile::remove() noexcept {
    struct stat there {};
    if (lstat(path_.c_str(), &there) != 0 || there.st_dev != device_ || there.st_ino != inode_) return;
    unlink(path_.c_str());
}

sim::Expected<std::unique_ptr<LineServer>> LineServer::open(const std::string& path) {
    const auto address = WHORL_TRY(addressOf(path));
    WHORL_TRY(makeRoom(path, address));
    Descriptor listener(newSocket());
    if (listener.get() < 0) return fault(path, "no socket can be made");
    if (!bindPrivately(listener.get(), address)) return fault(path, "no socket can be made there");
    std::unique_ptr<LineServer> server(new LineServer(listener.get(), path));
    listener.take();
    if (listen(server->fd_, int(kMaxClients)) != 0) return fault(path, "nothing can be received at the socket");
    return server;
}

LineServer::~LineServer() {
    for (const Client& client : clients_) close(client.fd);
    close(fd_);
}

bool LineServer::hasNews() const {
    std::vector<pollfd> polled(clients_.size() + 1);
    polled[0] = {.fd = fd_, .events = POLLIN, .revents = 0};
    for (std::size_t i = 0; i < clients_.size(); ++i) {
        const Client& client = clients_[i];
        if (client.mayAsk() || client.isDone()) return true;
        short events = 0;
        if (!client.hasEnded && client.lines.room() > 0) events |= POLLIN;
        if (!client.out.empty()) events |= POLLOUT;
        // Leave out a client with no events to poll for: a closed socket would be reported again and again.
        polled[i + 1] = {.fd = events == 0 ? -1 : client.fd, .events = events, .revents = 0};
    }
    return poll(polled.data(), polled.size(), 0) > 0;
}

void LineServer::update() {
    for (Client& client : clients_) {
        read(client);
        write(client);
    }
    // Drop closed connections before accepting.
    dismiss();
    accept();
}

void LineServer::accept() {
    while (true) {
        const int fd = accept4(fd_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd < 0) return;
        const auto served =
            std::count_if(clients_.begin(), clients_.end(), [](const Client& c) { return !hasLeft(c); });
        if (served < std::ptrdiff_t(kMaxClients)) {
            clients_.push_back({.id = ++last_, .fd = fd});
            read(clients_.back());
            continue;
        }
        std::string refusal = fmt::format("error: {} clients are connected, as many as are served.\n", kMaxClients);
        sendSome(fd, refusal);
        close(fd);
    }
}

void LineServer::read(Client& client) {
    std::array<char, 4096> bytes{};
    while (!client.hasEnded && client.lines.room() > 0 && !client.lines.has()) {
        const ssize_t got = recv(client.fd, bytes.data(), std::min(bytes.size(), client.lines.room()), 0);
        if (got < 0 && wouldWait(errno)) return;
        if (got <= 0) {
            client.hasEnded = true;
            client.lines.end();
        } else {
            client.lines.add({bytes.data(), static_cast<std::size_t>(got)});
        }
    }
}

void LineServer::write(Client& client) {
    if (sendSome(client.fd, client.out)) return;
    // Requests that the client sent before are still executed.
    client.out.clear();
    client.isLost = !client.lines.has() && !client.isAsking;
}

void LineServer::dismiss() {
    for (const Client& client : clients_) {
        if (client.isDone()) close(client.fd);
    }
    std::erase_if(clients_, [](const Client& client) { return client.isDone(); });
}

std::optional<LineServer::Request> LineServer::next() {
    for (std::size_t i = 0; i < clients_.size(); ++i) {
        Client& client = clients_[(turn_ + i) % clients_.size()];
        if (!client.mayAsk()) continue;
        LineBuffer::Line line = *client.lines.take();
        client.isAsking = true;
        turn_ = (turn_ + i + 1) % clients_.size();
        // What follows may have come already.
        read(client);
        return Request{.client = client.id, .text = std::move(line.text), .tooLong = line.tooLong};
    }
    return std::nullopt;
}

void LineServer::skip(ClientId client) {
    if (Client* const c = find(client)) c->isAsking = false;
}

void LineServer::answer(ClientId client, const std::string& line) {
    Client* const c = find(client);
    if (c == nullptr) return;
    c->isAsking = false;
    c->out = line + '\n';
    write(*c);
}

bool LineServer::has(ClientId client) const {
    return std::any_of(clients_.begin(), clients_.end(), [&](const Client& c) { return c.id == client; });
}

bool LineServer::hasLeft(ClientId client) const {
    return std::all_of(clients_.begin(), clients_.end(), [&](const Client& c) { return c.id != client || hasLeft(c); });
}

/// Whether both directions are closed. A client that has only closed its writing side still reads.
bool LineServer::hasLeft(const Client& client) {
    pollfd polled{.fd = client.fd, .events = 0, .revents = 0};
    return poll(&polled, 1, 0) > 0;
}

LineServer::Client* LineServer::find(ClientId client) {
    const auto found = std::find_if(clients_.begin(), clients_.end(), [&](const Client& c) { return c.id == client; });
    return found == clients_.end() ? nullptr : &*found;
}

}  // namespace whorl::app
