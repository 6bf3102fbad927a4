#include "sim/base/part_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "sim/base/input_file.h"
#include "sim/base/output_file.h"

namespace whorl::sim {
namespace {

constexpr int kFolder = O_RDONLY | O_DIRECTORY | O_CLOEXEC;

class OpenFolder {
  public:
    explicit OpenFolder(const std::string& path) : stream_(opendir(path.c_str())) {}
    ~OpenFolder() {
        if (stream_ != nullptr) closedir(stream_);
    }
    OpenFolder(const OpenFolder&) = delete;
    OpenFolder& operator=(const OpenFolder&) = delete;

    bool isOpen() const { return stream_ != nullptr; }
    int descriptor() const { return dirfd(stream_); }
    /// The entries of the folder except "." and "..".
    std::vector<std::string> names() {
        std::vector<std::string> out;
        rewinddir(stream_);
        while (const dirent* const entry = readdir(stream_)) {
            const std::string name = static_cast<const char*>(entry->d_name);
            if (name != "." && name != "..") out.push_back(name);
        }
        return out;
    }

  private:
    DIR* stream_;
};

Error notMade(const std::string& folder, int error) {
    return {.where = folder, .what = whyNotWritten(error), .hint = "choose another folder"};
}

/// The inode number, which identifies a file; 0 if it is not a regular file.
ino_t numberOf(int folder, const std::string& name) {
    struct stat info {};
    const bool known = fstatat(folder, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(info.st_mode);
    return known ? info.st_ino : 0;
}

/// The files of a folder. Fails if it holds something that may not be replaced.
Expected<ReplacedFiles> checkReplaceable(const std::string& path, const MayReplace& mayReplace) {
    OpenFolder folder(path);
    if (!folder.isOpen()) return tl::unexpected(notMade(path, errno));
    const std::vector<std::string> names = folder.names();
    const auto foreign = std::find_if_not(
        names.begin(), names.end(), [&](const std::string& name) { return mayReplace(folder.descriptor(), name); });
    if (foreign == names.end()) {
        ReplacedFiles files;
        for (const std::string& name : names) files.emplace(name, numberOf(folder.descriptor(), name));
        return files;
    }
    return fail(path, fmt::format("this folder holds something else ({})", *foreign),
                "name a new folder: only an empty one, or an earlier recording, is replaced");
}

bool isCurrentFolder(const struct stat& folder) {
    struct stat current {};
    return stat(".", &current) == 0 && current.st_dev == folder.st_dev && current.st_ino == folder.st_ino;
}

/// The path of an existing folder, without links.
Expected<std::string> presentFolder(const std::string& path, const struct stat& info) {
    if (!S_ISDIR(info.st_mode)) return fail(path, "is there already and not a folder", "name a new folder");
    if (isCurrentFolder(info)) return fail(path, "this is the current folder", "name a new folder in it");
    char real[PATH_MAX];
    if (realpath(path.c_str(), real) == nullptr) return tl::unexpected(notMade(path, errno));
    return std::string(real);
}

std::string withoutLastSlashes(std::string path) {
    while (path.size() > 1 && path.ends_with('/')) path.pop_back();
    return path;
}

/// The path for a folder, without links. Fails if something that may not be replaced is there.
Expected<std::string> placeFor(const std::string& target, const MayReplace& mayReplace) {
    const std::string path = withoutLastSlashes(target);
    struct stat info {};
    const bool present = stat(path.c_str(), &info) == 0;
    if (!present && errno != ENOENT) return tl::unexpected(notMade(path, errno));
    if (!present && lstat(path.c_str(), &info) == 0) {
        return fail(path, "this symbolic link leads nowhere", "name a new folder");
    }
    if (!present) {
        const std::string around = folderOf(path);
        if (access(around.c_str(), W_OK | X_OK) == 0) return path;
        return fail(path, fmt::format("no folder can be made in {}: {}", around, whyNotWritten(errno)),
                    "choose another place");
    }
    auto real = WHORL_TRY(presentFolder(path, info));
    WHORL_TRY(checkReplaceable(real, mayReplace));
    return real;
}

/// Whether the error means that the file system cannot exchange two names, or rename to a free name only.
bool isUnsupported(int error) {
    return error == EINVAL || error == ENOSYS;
}

}  // namespace

Expected<void> PartFolder::check(const std::string& target, const MayReplace& mayReplace) {
    WHORL_TRY(placeFor(target, mayReplace));
    return {};
}

Expected<std::unique_ptr<PartFolder>> PartFolder::forTarget(const std::string& target, MayReplace mayReplace) {
    const std::string path = WHORL_TRY(placeFor(target, mayReplace));
    std::unique_ptr<PartFolder> folder(new PartFolder(path, {}, -1, std::move(mayReplace)));
    const auto lock = locked();
    for (unsigned n = 0;; ++n) {
        std::string part = partName(path, n);
        if (mkdir(part.c_str(), 0777) == 0) {
            folder->path_ = std::move(part);
            break;
        }
        if (errno != EEXIST) return tl::unexpected(notMade(path, errno));
    }
    folder->fd_ = open(folder->path_.c_str(), kFolder);
    if (folder->fd_ < 0) return tl::unexpected(notMade(path, errno));
    return folder;
}

PartFolder::PartFolder(std::string target, std::string path, int fd, MayReplace mayReplace)
    : target_(std::move(target)), path_(std::move(path)), fd_(fd), mayReplace_(std::move(mayReplace)) {
    begin();
}

PartFolder::~PartFolder() {
    end();
    if (fd_ >= 0) close(fd_);
}

void PartFolder::remove() noexcept {
    if (path_.empty()) return;
    for (const std::string& name : files_) unlinkat(fd_, name.c_str(), 0);
    rmdir(path_.c_str());
    path_.clear();
}

Expected<std::unique_ptr<ByteSink>> PartFolder::create(const std::string& name) {
    const auto lock = locked();
    files_.push_back(name);
    const int fd = openat(fd_, name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0) return sinkFor(fd, target_ + "/" + name);
    const int reason = errno;
    files_.pop_back();
    return tl::unexpected(notMade(target_, reason));
}

Expected<void> PartFolder::publish() {
    for (const std::string& name : files_) {
        const int fd = openat(fd_, name.c_str(), O_RDONLY | O_CLOEXEC);
        const bool flushed = fd >= 0 && flushToDisk(fd);
        const int reason = errno;
        if (fd >= 0) close(fd);
        if (!flushed) return tl::unexpected(notMade(target_, reason));
    }
    if (!flushToDisk(fd_)) return tl::unexpected(notMade(target_, errno));
    WHORL_TRY(takePlace());
    if (!flushFolderOf(target_)) return tl::unexpected(notMade(target_, errno));
    return {};
}

Expected<void> PartFolder::takePlace() {
    constexpr int kTries = 100;
    for (int i = 0; i < kTries; ++i) {
        struct stat info {};
        if (stat(target_.c_str(), &info) != 0) {
            const auto lock = locked();
            int done = renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, target_.c_str(), RENAME_NOREPLACE);
            if (done != 0 && isUnsupported(errno)) done = rename(path_.c_str(), target_.c_str());
            if (done == 0) path_.clear();
            if (done == 0) return {};
            if (errno != EEXIST && errno != ENOTEMPTY) return tl::unexpected(notMade(target_, errno));
            continue;  // another recording took the name meanwhile; the last one wins
        }
        const auto replaced = WHORL_TRY(checkReplaceable(target_, mayReplace_));
        fchmod(fd_, info.st_mode & 07777);
        return exchange(replaced);
    }
    return tl::unexpected(notMade(target_, EEXIST));
}

/// Gives the target's name to the new folder, and removes the old folder.
Expected<void> PartFolder::exchange(const ReplacedFiles& replaced) {
    const auto lock = locked();
    std::string old = path_;
    if (renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, target_.c_str(), RENAME_EXCHANGE) != 0) {
        if (!isUnsupported(errno)) return tl::unexpected(notMade(target_, errno));
        // This file system cannot exchange names in one step: for a moment, no folder has the target's name.
        old = path_ + ".old";
        if (rename(target_.c_str(), old.c_str()) != 0) return tl::unexpected(notMade(target_, errno));
        if (rename(path_.c_str(), target_.c_str()) != 0) {
            const int reason = errno;
            rename(old.c_str(), target_.c_str());
            return tl::unexpected(notMade(target_, reason));
        }
    }
    path_.clear();
    return removeReplaced(old, replaced);
}

Expected<void> PartFolder::removeReplaced(const std::string& path, const ReplacedFiles& replaced) const {
    {
        OpenFolder folder(path);
        if (!folder.isOpen()) return tl::unexpected(notMade(path, errno));
        for (const auto& [name, number] : replaced) {
            if (numberOf(folder.descriptor(), name) == number) unlinkat(folder.descriptor(), name.c_str(), 0);
        }
    }
    if (rmdir(path.c_str()) == 0) return {};
    return fail(target_,
                fmt::format("somebody has put a file into the folder that was replaced; it is now in {}", path));
}

std::string beginningOf(int folder, const std::string& name, std::size_t most) {
    const FileHandle file(openat(folder, name.c_str(), O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC));
    struct stat info {};
    if (!file.open() || fstat(file.fd(), &info) != 0 || !S_ISREG(info.st_mode)) return {};
    std::string beginning(most, '\0');
    const ssize_t n = read(file.fd(), beginning.data(), beginning.size());
    beginning.resize(static_cast<std::size_t>(std::max<ssize_t>(n, 0)));
    return beginning;
}

}  // namespace whorl::sim
