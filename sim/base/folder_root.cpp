#include "sim/base/folder_root.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <vector>

namespace whorl::sim {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestPath = 4096;  ///< bytes; the limit of Linux
constexpr std::size_t kMaxFolders = 64;     ///< between the root and a file; each is an open descriptor
constexpr std::uint32_t kMaxNamesPassed = 256;
constexpr int kMaxLinks = 40;  ///< the limit of Linux

/// The part of `path` below the folder; nothing if it lies elsewhere.
std::optional<std::string_view> without(std::string_view folder, std::string_view path) {
    while (folder.ends_with('/')) folder.remove_suffix(1);
    if (!path.starts_with(folder)) return std::nullopt;
    path.remove_prefix(folder.size());
    if (!path.starts_with('/')) return std::nullopt;
    return path;
}

}  // namespace

/// One lookup. Descends name by name from open folder to open folder, so that nobody can replace a component in
/// between.
class FolderRoot::Walk {
  public:
    explicit Walk(const FolderRoot& root) : root_(root) {}

    Result to(std::string_view path) {
        if (!add(path)) return {};
        while (!names_.empty()) {
            const std::string name = std::move(names_.back());
            names_.pop_back();
            if (name.empty() || name == ".") continue;
            if (++steps_ > kMaxNamesPassed) break;
            if (name == "..") {
                if (folders_.empty()) break;
                folders_.pop_back();
                continue;
            }
            if (name.starts_with('.')) break;
            struct stat info {};
            if (fstatat(here(), name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) return ended(whyNot());
            if (S_ISLNK(info.st_mode) && follow(name)) continue;
            if (S_ISDIR(info.st_mode) && enter(name)) continue;
            if (S_ISREG(info.st_mode) && names_.empty()) return openedFile(name);
            break;
        }
        return ended(Outcome::refused);
    }

  private:
    const FolderRoot& root_;
    std::vector<FileHandle> folders_;  ///< on the way down from the root
    std::vector<std::string> names_;   ///< names not yet looked up, the next one last
    std::uint32_t steps_ = 0;
    int links_ = 0;

    int here() const { return folders_.empty() ? root_.folder_.fd() : folders_.back().fd(); }
    Result ended(Outcome outcome) const { return {.outcome = outcome, .file = {}, .name = {}, .steps = steps_}; }

    /// Puts a path before the remaining names. False if it does not lie in the root.
    bool add(std::string_view path) {
        if (path.empty() || path.size() > kLongestPath || path.find('\0') != std::string_view::npos) return false;
        const auto below = root_.below(path);
        if (!below) return false;
        if (path.front() == '/') folders_.clear();
        std::string_view rest = *below;
        while (true) {
            const std::size_t slash = rest.rfind('/');
            names_.emplace_back(rest.substr(slash + 1));
            if (slash == std::string_view::npos) return true;
            rest = rest.substr(0, slash);
        }
    }

    /// Reports a name as missing only if the rest of the path cannot lead out of the root.
    Outcome whyNot() const {
        const bool absent = errno == ENOENT || errno == ENOTDIR;
        return absent && std::find(names_.begin(), names_.end(), "..") == names_.end() ? Outcome::missing
                                                                                       : Outcome::refused;
    }

    bool follow(const std::string& name) {
        std::array<char, kLongestPath> target;
        const ssize_t length = readlinkat(here(), name.c_str(), target.data(), target.size());
        return length > 0 && ++links_ <= kMaxLinks && add({target.data(), static_cast<std::size_t>(length)});
    }

    bool enter(const std::string& name) {
        if (names_.empty() || folders_.size() == kMaxFolders) return false;
        FileHandle folder(openat(here(), name.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
        if (!folder.open()) return false;
        folders_.push_back(std::move(folder));
        return true;
    }

    /// Opens without waiting and checks the type again: a pipe may have replaced the file since.
    Result openedFile(const std::string& name) const {
        FileHandle file(openat(here(), name.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW | O_CLOEXEC));
        struct stat info {};
        const bool isRegular = file.open() && fstat(file.fd(), &info) == 0 && S_ISREG(info.st_mode);
        if (!isRegular) return ended(Outcome::refused);
        return {.outcome = Outcome::found, .file = std::move(file), .name = name, .steps = steps_};
    }
};

std::optional<FolderRoot> FolderRoot::open(const std::string& path) {
    const std::string named = path.empty() ? "." : path;
    FileHandle folder(::open(named.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    std::error_code error;
    const fs::path resolved = fs::canonical(named, error);
    if (!folder.open() || error) return std::nullopt;
    const fs::path absolute = fs::absolute(named, error).lexically_normal();
    return FolderRoot(std::move(folder), absolute.string(), resolved.string());
}

FolderRoot::Result FolderRoot::find(std::string_view path) const {
    return Walk(*this).to(path);
}

std::optional<std::string_view> FolderRoot::below(std::string_view path) const {
    if (!path.starts_with('/')) return path;
    const auto part = without(named_, path);
    return part ? part : without(resolved_, path);
}

}  // namespace whorl::sim
