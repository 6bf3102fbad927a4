#include "sim/base/input_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>

#include "sim/base/text.h"

namespace whorl::sim {

FileHandle::~FileHandle() {
    if (fd_ >= 0) close(fd_);
}

std::string_view fileKind(unsigned mode) {
    if (S_ISREG(mode)) return {};
    if (S_ISDIR(mode)) return "a folder";
    if (S_ISFIFO(mode)) return "a pipe";
    if (S_ISSOCK(mode)) return "a socket";
    return "a device";
}

std::string whyNotOpened(int error) {
    switch (error) {
        case ENOENT:
            return "there is no such file";
        case EACCES:
            return "permission denied";
        case ENOTDIR:
            return "there is no such file: a part of its path is not a folder";
        case ENXIO:  // also returned for a device whose hardware is missing
            return "this is a socket";
        default:
            return fmt::format("cannot be opened: {}", std::strerror(error));
    }
}

namespace {

tl::unexpected<Error> tooLong(const std::string& path, std::uint64_t mostBytes, std::string_view kind) {
    return fail(path, fmt::format("the file is too long for {}", kind),
                fmt::format("{} is the most", bytesInWords(mostBytes)));
}

/// Reads to the end: the kernel's own files report wrong sizes.
Expected<std::string> readAll(int fd, std::size_t expected, const std::string& path, std::uint64_t mostBytes,
                              std::string_view kind) {
    constexpr std::size_t kStep = std::size_t{64} << 10;
    std::string text;
    std::size_t room = expected + 1;  // one more, so that the first read also detects the end
    while (true) {
        const std::size_t had = text.size();
        text.resize(had + room);
        const ssize_t n = read(fd, text.data() + had, room);
        text.resize(had + (n > 0 ? static_cast<std::size_t>(n) : 0));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return fail(path, fmt::format("cannot be read: {}", std::strerror(errno)));
        if (n == 0) return text;
        if (text.size() > mostBytes) return tooLong(path, mostBytes, kind);
        room = std::min(kStep, static_cast<std::size_t>(mostBytes - text.size()) + 1);
    }
}

}  // namespace

Expected<std::string> readSmallFile(const std::string& path, std::uint64_t mostBytes, std::string_view kind) {
    // Without O_NONBLOCK, opening a pipe waits for someone to write into it.
    const FileHandle file(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    if (!file.open()) return fail(path, whyNotOpened(errno));
    struct stat info {};
    if (fstat(file.fd(), &info) != 0) return fail(path, fmt::format("cannot be read: {}", std::strerror(errno)));
    if (const std::string_view other = fileKind(info.st_mode); !other.empty()) {
        return fail(path, fmt::format("this is {}", other), fmt::format("give the path of a file with {}", kind));
    }
    const auto size = static_cast<std::uint64_t>(info.st_size);
    if (size > mostBytes) return tooLong(path, mostBytes, kind);
    return readAll(file.fd(), static_cast<std::size_t>(size), path, mostBytes, kind);
}

}  // namespace whorl::sim
