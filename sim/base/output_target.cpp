#include "sim/base/output_target.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>

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

}  // namespace whorl::sim
