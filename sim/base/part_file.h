// A file that is written under a temporary name and replaces its target once it is complete.
#pragma once

#include <memory>
#include <string>

#include "sim/base/error.h"
#include "sim/base/output_target.h"
#include "sim/base/unfinished.h"

namespace whorl::sim {

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
