// The destination of an output (standard output, a pipe or a device, or a file that is replaced as a whole), and the
// file that is written under a temporary name and replaces its target once it is complete.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "sim/base/error.h"
#include "sim/base/unfinished.h"

namespace whorl::sim {

/// The destination of an output: standard output, a pipe or a device, or a file that is replaced as a whole.
struct OutputTarget {
    enum class Kind : std::uint8_t {
        standardOutput,
        inPlace,  ///< a pipe or a device
        file
    };
    Kind kind = Kind::file;
    std::string path;                    ///< symbolic links followed; empty for standard output
    std::string name;                    ///< for messages: as the user gave it, or "standard output"
    std::optional<struct stat> present;  ///< file only: the status of the existing file, if any
};

/// The target for a path; "-" is standard output. Creates nothing. Fails for a folder, for a path whose folder does not
/// exist, and for a file that must not be written.
Expected<OutputTarget> outputTarget(const std::string& path);

/// Fails if `path` is not a valid target, or if it is the same file as one of `inputs` (paths; "-" is standard input)
/// under any name: an output never replaces its own input. Creates nothing.
Expected<void> checkOutput(const std::string& path, std::span<const std::string> inputs = {});

/// Why a file cannot be written, for a number from errno.
std::string whyNotWritten(int error);

/// Renames a file that cannot be used to "path.broken", or to the first free name like it.
Expected<void> moveAside(const std::string& path);

/// The folder that a path lies in: "." for a name alone.
std::string folderOf(const std::string& path);

/// A file that is written under a temporary name and replaces its target once it is complete.
class PartFile final : public Unfinished {
  public:
    /// Creates an empty file beside the target, under a name not in use. Errors name the target.
    static Expected<std::unique_ptr<PartFile>> forTarget(const OutputTarget& target);
    /// Removes the file, unless it was published.
    ~PartFile() override;

    /// Open for writing and reading, at the beginning of the file.
    int descriptor() const { return fd_; }
    const std::string& path() const { return path_; }

    /// Flushes the file to the disk, gives it the permissions of the file that it replaces, and renames it to its
    /// target. On failure the target is unchanged, except that it has been replaced already if only flushing its folder
    /// failed.
    Expected<void> publish();

    void remove() noexcept override;

  private:
    PartFile(int fd, std::string path, OutputTarget target);
    Expected<void> flush();
    std::string whyNotRenamed() const;

    int fd_;
    std::string path_;  ///< empty when nothing is left to remove
    OutputTarget target_;
};

/// A name beside `path` that only this process uses: number `n` of its names there.
std::string partName(const std::string& path, unsigned n);

/// Flushes a file or a folder to the disk. False, with errno set, on failure. Returns true for kinds of files that
/// cannot be flushed.
bool flushToDisk(int fd);
/// Flushes the entries of the folder that holds `path`.
bool flushFolderOf(const std::string& path);

}  // namespace whorl::sim
