#include "sim/base/file_kind.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>

namespace whorl::sim {

std::string_view fileKind(mode_t mode) {
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

}  // namespace whorl::sim
