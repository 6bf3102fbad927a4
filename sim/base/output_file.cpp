#include "sim/base/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>
#include <utility>

namespace whorl::sim {

namespace {

constexpr int kMaxFollowed = 40;  ///< the kernel's limit

std::optional<struct stat> statusOf(const std::string& path) {
    struct stat info {};
    return stat(path.c_str(), &info) == 0 ? std::optional(info) : std::nullopt;
}

/// The target of a symbolic link; nothing if the path is no link.
std::optional<std::string> linkAt(const std::string& path) {
    char text[PATH_MAX];
    const ssize_t size = readlink(path.c_str(), text, sizeof text);
    if (size < 0) return std::nullopt;
    return std::string(text, static_cast<std::size_t>(size));
}

/// The path with the links in its last component resolved. Nothing if there are too many links, or if the path leads to
/// an open file of a process (/dev/stdout, /dev/fd/63), which has no name that could be replaced.
std::optional<std::string> withoutLinks(std::string path) {
    for (int i = 0; i < kMaxFollowed; ++i) {
        const auto link = linkAt(path);
        if (!link) return path;
        if (path.starts_with("/proc/") || path.starts_with("/dev/fd/")) return std::nullopt;
        path = link->starts_with('/') ? *link : folderOf(path) + "/" + *link;
    }
    return std::nullopt;
}

Expected<OutputTarget> fileTarget(const std::string& path, std::optional<struct stat> present) {
    const auto real = withoutLinks(path);
    if (!real) return OutputTarget{.kind = OutputTarget::Kind::inPlace, .path = path, .name = path, .present = {}};
    const std::string folder = folderOf(*real);
    const auto around = statusOf(folder);
    if (!around) return fail(path, whyNotWritten(errno));
    if (!S_ISDIR(around->st_mode)) return fail(path, whyNotWritten(ENOTDIR));
    if (present && access(real->c_str(), W_OK) != 0) return fail(path, whyNotWritten(errno), "it is left as it is");
    if (access(folder.c_str(), W_OK | X_OK) != 0) {
        return fail(path, fmt::format("no file can be made in its folder: {}", whyNotWritten(errno)),
                    "choose another folder");
    }
    return OutputTarget{.kind = OutputTarget::Kind::file, .path = *real, .name = path, .present = present};
}

bool sameFile(const struct stat& a, const struct stat& b) {
    return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/// The file that receives the output; nothing if the target is no file.
std::optional<struct stat> fileBehind(const OutputTarget& target) {
    if (target.kind == OutputTarget::Kind::file) return target.present;
    struct stat info {};
    const bool known = target.kind == OutputTarget::Kind::standardOutput ? fstat(STDOUT_FILENO, &info) == 0
                                                                         : stat(target.path.c_str(), &info) == 0;
    return known && S_ISREG(info.st_mode) ? std::optional(info) : std::nullopt;
}

std::optional<struct stat> inputBehind(const std::string& path) {
    if (path != "-") return statusOf(path);
    struct stat info {};
    return fstat(STDIN_FILENO, &info) == 0 ? std::optional(info) : std::nullopt;
}

}  // namespace

Expected<OutputTarget> outputTarget(const std::string& path) {
    using Kind = OutputTarget::Kind;
    if (path == "-") return OutputTarget{.kind = Kind::standardOutput, .path = {}, .name = "standard output"};
    if (path.empty()) return fail("", "the name of the output is empty", "name a file");
    const auto present = statusOf(path);
    if (!present && errno != ENOENT) return fail(path, whyNotWritten(errno));
    if (present && S_ISDIR(present->st_mode)) return fail(path, "this is a folder", "expected the name of a file");
    if (path.ends_with('/')) return fail(path, "this is the name of a folder", "expected the name of a file");
    if (present && !S_ISREG(present->st_mode)) {
        return OutputTarget{.kind = Kind::inPlace, .path = path, .name = path, .present = {}};
    }
    return fileTarget(path, present);
}

Expected<void> checkOutput(const std::string& path, std::span<const std::string> inputs) {
    const auto target = WHORL_TRY(outputTarget(path));
    const auto written = fileBehind(target);
    if (!written) return {};
    const auto same = std::find_if(inputs.begin(), inputs.end(), [&](const std::string& input) {
        const auto read = inputBehind(input);
        return read && sameFile(*read, *written);
    });
    if (same == inputs.end()) return {};
    return fail(target.name, fmt::format("this is also an input ({})", *same == "-" ? "standard input" : *same),
                "choose another name for the output");
}

std::string whyNotWritten(int error) {
    switch (error) {
        case ENOSPC:
        case EDQUOT:
            return "the disk is full";
        case EFBIG:
            return "the file would become larger than is allowed here (ulimit -f)";
        case EMFILE:
        case ENFILE:
            return "too many files are open (ulimit -n)";
        case ENOENT:
        case ENOTDIR:
            return "there is no such folder";
        case EACCES:
        case EPERM:
        case EROFS:
            return "permission denied";
        case EPIPE:
            return "the reader has closed it";
        case EBADF:
            return "it is closed";
        case ENAMETOOLONG:
            return "the name is too long";
        case ELOOP:
            return "its symbolic links lead in a circle";
        default:
            return fmt::format("cannot be written: {}", std::strerror(error));
    }
}

std::string folderOf(const std::string& path) {
    const std::size_t slash = path.find_last_of('/');
    if (slash == std::string::npos) return ".";
    return slash == 0 ? "/" : path.substr(0, slash);
}

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
    WHORL_TRY(flush());
    {
        const auto lock = locked();
        if (rename(path_.c_str(), target_.path.c_str()) != 0) return fail(target_.name, whyNotRenamed());
        path_.clear();
    }
    if (!flushFolderOf(target_.path)) return fail(target_.name, whyNotWritten(errno));
    return {};
}

Expected<void> moveAside(const std::string& path) {
    std::string name = path + ".broken";
    for (int i = 2; renameat2(AT_FDCWD, path.c_str(), AT_FDCWD, name.c_str(), RENAME_NOREPLACE) != 0; ++i) {
        if (errno != EEXIST) return fail(path, "cannot be moved aside: " + whyNotWritten(errno));
        name = fmt::format("{}.broken{}", path, i);
    }
    return {};
}

}  // namespace whorl::sim
