#include "sim/trace/source_lookup.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <map>
#include <set>
#include <utility>

#include "sim/base/folder_root.h"
#include "sim/base/text.h"

namespace whorl::sim {
namespace {

constexpr std::uint64_t kMaxOfOne = std::uint64_t{8} << 20;   ///< bytes
constexpr std::uint64_t kMaxOfAll = std::uint64_t{64} << 20;  ///< bytes
constexpr std::size_t kMaxNames = 64;  ///< maximum number of components in a path, beyond any usual nesting
/// The maximum number of names looked up in total, which takes a few seconds: enough for a hundred thousand files with
/// usual paths.
constexpr std::uint64_t kMaxSteps = std::uint64_t{1} << 20;
constexpr std::size_t kMaxFilesNamed = 4;

/// The suffixes of source file names, in lower case, sorted.
constexpr auto kSuffixes = std::to_array<std::string_view>(
    {"adb",   "ads",  "asm",  "c",    "c++", "cc",  "chpl", "clj",  "cls", "cp",  "cpp", "cppm", "cs",  "cu",    "cuh",
     "cxx",   "cxxm", "d",    "dart", "erl", "ex",  "f",    "f03",  "f08", "f77", "f90", "f95",  "for", "fpp",   "fs",
     "ftn",   "go",   "h",    "h++",  "hh",  "hpp", "hs",   "hxx",  "i",   "ii",  "inc", "inl",  "ino", "ipp",   "ispc",
     "ixx",   "java", "jl",   "js",   "kt",  "l",   "lhs",  "lisp", "ll",  "lua", "m",   "ml",   "mli", "mm",    "mod",
     "mpp",   "nim",  "odin", "pas",  "php", "pl",  "pm",   "py",   "pyx", "r",   "rb",  "rs",   "s",   "scala", "scm",
     "swift", "sx",   "tcc",  "tpp",  "ts",  "txx", "v",    "vala", "y",   "yy",  "zig"});
static_assert(std::is_sorted(kSuffixes.begin(), kSuffixes.end()));

bool isSource(std::string_view path) {
    const std::size_t dot = path.rfind('.');
    if (dot == std::string_view::npos || path.find('/', dot) != std::string_view::npos) return false;
    std::string suffix(path.substr(dot + 1));
    for (char& c : suffix) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return std::binary_search(kSuffixes.begin(), kSuffixes.end(), std::string_view(suffix));
}

/// The path, and its tails without leading folders, longest first. Nothing for a path that cannot be that of a source
/// file.
std::vector<std::string_view> pathEnds(std::string_view path) {
    std::vector<std::string_view> ends;
    if (!isSource(path)) return ends;
    ends.push_back(path);
    for (std::size_t slash = path.find('/'); slash != std::string_view::npos; slash = path.find('/', slash + 1)) {
        const std::string_view rest = path.substr(slash + 1);
        if (rest.starts_with('/') || rest.starts_with("./") || rest.starts_with("../")) continue;
        if (ends.size() == kMaxNames) return {};
        ends.push_back(rest);
    }
    return ends;
}

/// The first `size` bytes of a file, or fewer if it has become shorter.
std::string contentOf(const FileHandle& file, std::size_t size) {
    std::string bytes(size, '\0');
    std::size_t had = 0;
    while (had < size) {
        const ssize_t n = ::read(file.fd(), bytes.data() + had, size - had);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) break;
        had += static_cast<std::size_t>(n);
    }
    bytes.resize(had);
    return bytes;
}

class SourceFinder {
  public:
    SourceFinder(const SourcePolicy& policy, const std::optional<std::filesystem::path>& folder) {
        roots_.reserve(policy.folders.size() + 1);
        if (folder) addRoot(folder->string());
        for (const std::string& more : policy.folders) addRoot(more);
    }

    /// The text of a source file; empty if it was not found, or not read.
    SourceText find(const std::string& path) {
        if (roots_.empty()) return {};
        for (const std::string_view end : pathEnds(path)) {
            for (const FolderRoot& root : roots_) {
                if (steps_ > kMaxSteps) {
                    ++notSought_;
                    return {};
                }
                const FolderRoot::Result result = root.find(end);
                steps_ += result.steps;
                const bool isFound = result.outcome == FolderRoot::Outcome::found && isSource(result.name);
                if (isFound) return textOf(result.file, path);
            }
        }
        return {};
    }

    std::vector<std::string> losses() const {
        std::vector<std::string> out;
        if (!tooLong_.empty()) {
            out.push_back(fmt::format(
                "{} of its source files {} too long to be read: {}; at most {} MiB of one are read, and {} MiB in all",
                tooLong_.size(), tooLong_.size() == 1 ? "is" : "are", firstNames(tooLong_, kMaxFilesNamed),
                kMaxOfOne >> 20, kMaxOfAll >> 20));
        }
        if (notSought_ > 0) {
            out.push_back(
                fmt::format("{} of its source files were not looked for, since it names so many with long "
                            "paths; --sources with the folder that has them finds them sooner",
                            notSought_));
        }
        return out;
    }

  private:
    std::vector<FolderRoot> roots_;
    std::map<std::pair<dev_t, ino_t>, SourceText> read_;  ///< by device and inode; empty: too long
    std::uint64_t bytes_ = 0;                             ///< bytes of all texts
    std::uint64_t steps_ = 0;
    std::vector<std::string> tooLong_;
    std::uint64_t notSought_ = 0;

    void addRoot(const std::string& folder) {
        if (auto root = FolderRoot::open(folder)) roots_.push_back(*std::move(root));
    }

    SourceText textOf(const FileHandle& file, const std::string& path) {
        struct stat info {};
        if (fstat(file.fd(), &info) != 0) return {};
        const auto [known, isNew] = read_.try_emplace({info.st_dev, info.st_ino});
        if (!isNew) return known->second;
        const auto size = static_cast<std::uint64_t>(info.st_size);
        if (size > kMaxOfOne || size > kMaxOfAll - bytes_) {
            tooLong_.push_back(path);
            return {};
        }
        bytes_ += size;
        return known->second = SourceText(contentOf(file, size));
    }
};

}  // namespace

Expected<void> checkedSources(const SourcePolicy& policy) {
    for (const std::string& folder : policy.folders) {
        std::error_code error;
        if (!std::filesystem::exists(folder, error)) {
            return fail(folder, "there is no such folder", "name one that holds source files");
        }
        if (!FolderRoot::open(folder)) {
            return fail(folder, "this is not a folder that can be opened", "name one that holds source files");
        }
    }
    return {};
}

Expected<Trace> withSourceTexts(Trace trace, const SourcePolicy& policy,
                                const std::optional<std::filesystem::path>& folder, const Progress& progress) {
    SourceFinder finder(policy, folder);
    std::vector<std::pair<std::size_t, SourceText>> found;
    for (std::size_t i = 0; i < trace.files().size(); ++i) {
        if (progress.cancelled()) return tl::unexpected(Error::byUser());
        const SourceFile& file = trace.files()[i];
        if (!file.lines.empty()) continue;
        if (SourceText text = finder.find(file.path); !text.empty()) found.emplace_back(i, std::move(text));
    }
    const std::vector<std::string> losses = finder.losses();
    if (found.empty() && losses.empty()) return trace;
    TraceParts parts = std::move(trace).takeParts();
    for (auto& [i, text] : found) parts.files[i].lines = std::move(text);
    parts.losses.insert(parts.losses.end(), losses.begin(), losses.end());
    return Trace(std::move(parts));
}

std::string pathOfSource(const std::string& name, const SourcePolicy& policy,
                         const std::optional<std::filesystem::path>& folder) {
    std::error_code unknown;
    const std::filesystem::path itself(name);
    if (isSource(name) && itself.is_absolute() && std::filesystem::is_regular_file(itself, unknown)) return name;
    std::vector<std::string> folders = policy.folders;
    if (folder) folders.insert(folders.begin(), folder->string());
    for (const std::string_view end : pathEnds(name)) {
        for (const std::string& below : folders) {
            const auto root = FolderRoot::open(below);
            if (!root || root->find(end).outcome != FolderRoot::Outcome::found) continue;
            return std::filesystem::absolute(std::filesystem::path(below) / end, unknown).lexically_normal().string();
        }
    }
    return {};
}

Trace withoutSourceTexts(Trace trace) {
    TraceParts parts = std::move(trace).takeParts();
    for (SourceFile& file : parts.files) file.lines = {};
    return Trace(std::move(parts));
}

std::vector<std::string> sourcesWithText(const Trace& trace) {
    std::vector<std::string> names;
    std::set<const void*> seen;
    for (const SourceFile& file : trace.files()) {
        if (!file.lines.empty() && seen.insert(file.lines.identity()).second) names.push_back(file.path);
    }
    return names;
}

}  // namespace whorl::sim
