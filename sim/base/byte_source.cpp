#include "sim/base/byte_source.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "sim/base/file_kind.h"

namespace whorl::sim {
namespace {

class FileSource : public ByteSource {
  public:
    FileSource(int fd, std::string name, Progress& progress) : fd_(fd), name_(std::move(name)), progress_(progress) {
        struct stat info {};
        regular_ = fstat(fd_, &info) == 0 && S_ISREG(info.st_mode);
        progress_.setTotal(regular_ ? static_cast<std::uint64_t>(info.st_size) : 0);
    }
    FileSource(const FileSource&) = delete;
    FileSource& operator=(const FileSource&) = delete;
    ~FileSource() override {
        if (fd_ != STDIN_FILENO) close(fd_);
    }

    Expected<std::size_t> read(std::span<char> to) override {
        while (!to.empty()) {
            if (!regular_ && !awaitInput()) return tl::unexpected(Error::byUser());
            const ssize_t n = ::read(fd_, to.data(), to.size());
            if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
            if (n < 0) return fail(name_, fmt::format("cannot be read: {}", std::strerror(errno)));
            done_ += static_cast<std::uint64_t>(n);
            progress_.setDone(done_);
            return static_cast<std::size_t>(n);
        }
        return 0;
    }

  private:
    /// Waits for input on a pipe, polling for cancellation. False if the job was cancelled.
    bool awaitInput() const {
        pollfd wait{.fd = fd_, .events = POLLIN, .revents = 0};
        while (poll(&wait, 1, 100) == 0) {
            if (progress_.cancelled()) return false;
        }
        return true;
    }

    int fd_;
    std::string name_;
    Progress& progress_;
    bool regular_ = false;
    std::uint64_t done_ = 0;
};

class MemorySource : public ByteSource {
  public:
    explicit MemorySource(std::string_view text) : rest_(text) {}

    Expected<std::size_t> read(std::span<char> to) override {
        const std::size_t n = rest_.copy(to.data(), to.size());
        rest_.remove_prefix(n);
        return n;
    }

  private:
    std::string_view rest_;
};

}  // namespace

Expected<std::unique_ptr<ByteSource>> openFile(const std::string& path, Progress& progress) {
    if (path == "-") return std::make_unique<FileSource>(STDIN_FILENO, "standard input", progress);
    // With O_NONBLOCK, opening a pipe does not block until it has a writer. Reading waits instead, and can be
    // cancelled.
    const int fd = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) return fail(path, whyNotOpened(errno));
    auto source = std::make_unique<FileSource>(fd, path, progress);
    struct stat info {};
    if (fstat(fd, &info) == 0 && S_ISDIR(info.st_mode)) {
        return fail(path, "this is a folder", "expected a trace file");
    }
    return source;
}

std::unique_ptr<ByteSource> openMemory(std::string_view text) {
    return std::make_unique<MemorySource>(text);
}

}  // namespace whorl::sim
