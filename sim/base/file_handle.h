// An open file descriptor, closed at the end.
#pragma once

#include <unistd.h>

#include <utility>

namespace whorl::sim {

class FileHandle {
  public:
    FileHandle() = default;
    explicit FileHandle(int fd) : fd_(fd) {}
    FileHandle(FileHandle&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    FileHandle& operator=(FileHandle&& other) noexcept {
        std::swap(fd_, other.fd_);
        return *this;
    }
    ~FileHandle() {
        if (fd_ >= 0) close(fd_);
    }

    bool open() const { return fd_ >= 0; }
    int fd() const { return fd_; }

  private:
    int fd_ = -1;
};

}  // namespace whorl::sim
