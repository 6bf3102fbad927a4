#include "sim/base/part_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <utility>

namespace whorl::sim {
namespace {

constexpr std::size_t kLongestKept = 200;  ///< bytes of the target's name; file names may have 255

/// Gives a file the owner and the permissions of the file that it replaces, as far as the system allows.
bool adopt(int fd, const struct stat& replaced) {
    struct stat own {};
    if (fstat(fd, &own) != 0) return false;
    const bool sameOwner = own.st_uid == replaced.st_uid && own.st_gid == replaced.st_gid;
    // Only root may give files away; others get a file of their own.
    const bool isTheirs = sameOwner || fchown(fd, replaced.st_uid, replaced.st_gid) == 0;
    const mode_t most = isTheirs ? 07777 : 0777;
    return fchmod(fd, replaced.st_mode & most) == 0;
}

}  // namespace

std::string partName(const std::string& path, unsigned n) {
    const std::size_t slash = path.find_last_of('/');
    const std::size_t begin = slash == std::string::npos ? 0 : slash + 1;
    std::string name = path.substr(begin);
    if (name.size() > kLongestKept) {
        std::size_t end = kLongestKept;
        while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xc0) == 0x80) --end;  // keep whole UTF-8 characters
        name.resize(end);
    }
    return fmt::format("{}{}.{}-{}.part", path.substr(0, begin), name, getpid(), n);
}

bool flushToDisk(int fd) {
    while (fsync(fd) != 0) {
        if (errno == EINTR) continue;
        return errno == EINVAL || errno == ENOTSUP || errno == EROFS;
    }
    return true;
}

bool flushFolderOf(const std::string& path) {
    const int fd = open(folderOf(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    // A folder may be writable but not readable; its entries then reach the disk in the system's own time.
    if (fd < 0) return errno == EACCES;
    const bool flushed = flushToDisk(fd);
    const int reason = errno;
    ::close(fd);
    errno = reason;
    return flushed;
}

Expected<std::unique_ptr<PartFile>> PartFile::forTarget(const OutputTarget& target) {
    for (unsigned n = 0;; ++n) {
        std::string part = partName(target.path, n);
        // Register the file before creating it, so that a signal in between cannot leave it behind.
        std::unique_ptr<PartFile> file(new PartFile(-1, {}, target));
        const auto lock = locked();
        file->fd_ = open(part.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file->fd_ >= 0) {
            file->path_ = std::move(part);
            return file;
        }
        if (errno != EEXIST) return fail(target.name, whyNotWritten(errno));
    }
}

PartFile::PartFile(int fd, std::string path, OutputTarget target)
    : fd_(fd), path_(std::move(path)), target_(std::move(target)) {
    begin();
}

PartFile::~PartFile() {
    end();
    if (fd_ >= 0) ::close(fd_);
}

void PartFile::remove() noexcept {
    if (!path_.empty()) unlink(path_.c_str());
    path_.clear();
}

Expected<void> PartFile::flush() {
    if (target_.present && !adopt(fd_, *target_.present)) return fail(target_.name, whyNotWritten(errno));
    if (!flushToDisk(fd_)) return fail(target_.name, whyNotWritten(errno));
    // Some file systems report a full disk only on close.
    if (::close(std::exchange(fd_, -1)) != 0) return fail(target_.name, whyNotWritten(errno));
    return {};
}

std::string PartFile::whyNotRenamed() const {
    const int reason = errno;
    if (reason != ENOENT || access(path_.c_str(), F_OK) == 0) return whyNotWritten(reason);
    return fmt::format("{}, the name that it had until it was complete, was removed or renamed by another program",
                       path_);
}

Expected<void> PartFile::publish() {
    if (auto flushed = flush(); !flushed) return flushed;
    {
        const auto lock = locked();
        if (rename(path_.c_str(), target_.path.c_str()) != 0) return fail(target_.name, whyNotRenamed());
        path_.clear();
    }
    if (!flushFolderOf(target_.path)) return fail(target_.name, whyNotWritten(errno));
    return {};
}

}  // namespace whorl::sim
