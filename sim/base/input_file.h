// Files that are read: opening them, why a path cannot be read, and the content of small ones (descriptions of
// machines, tours, settings, lists).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "sim/base/error.h"

namespace whorl::sim {

/// An open file descriptor, closed at the end.
class FileHandle {
  public:
    FileHandle() = default;
    explicit FileHandle(int fd) : fd_(fd) {}
    FileHandle(FileHandle&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    FileHandle& operator=(FileHandle&& other) noexcept {
        std::swap(fd_, other.fd_);
        return *this;
    }
    ~FileHandle();

    bool open() const { return fd_ >= 0; }
    int fd() const { return fd_; }

  private:
    int fd_ = -1;
};

/// "a folder", "a pipe", "a socket", "a device"; empty for a regular file. `mode` is the st_mode of stat().
std::string_view fileKind(unsigned mode);

/// "there is no such file": why open() failed, as a part of a sentence. `error` is its errno.
std::string whyNotOpened(int error);

/// The whole content of a regular file, or of a link to one, of at most `mostBytes`. Refuses anything else (a folder, a
/// pipe, a device) at once, without waiting, and a longer file before reading it. `kind` is what the file should be,
/// for the message: "a machine".
Expected<std::string> readSmallFile(const std::string& path, std::uint64_t mostBytes, std::string_view kind);

}  // namespace whorl::sim
