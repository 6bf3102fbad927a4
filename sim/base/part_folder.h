// A folder that is filled under a temporary name and replaces its target once it is complete.
#pragma once

#include <sys/types.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sim/base/byte_sink.h"
#include "sim/base/error.h"
#include "sim/base/unfinished.h"

namespace whorl::sim {

/// Whether a file may be replaced: `folder` is the open folder that it lies in, `name` its name there.
using MayReplace = std::function<bool(int folder, const std::string& name)>;

/// The first bytes of a file in an open folder, at most so many; empty if it is no regular file that can be read.
std::string beginningOf(int folder, const std::string& name, std::size_t most);

/// The files of a folder that is replaced, each with its inode number.
using ReplacedFiles = std::map<std::string, ino_t>;

/// A folder being filled, which replaces only files that may be replaced.
class PartFolder final : public Unfinished {
  public:
    /// Fails unless `target` is free, or a folder that holds only files that may be replaced. Creates nothing.
    static Expected<void> check(const std::string& target, const MayReplace& mayReplace);
    /// Creates a folder beside `target`, after check(). A symbolic link to a folder stands for that folder.
    static Expected<std::unique_ptr<PartFolder>> forTarget(const std::string& target, MayReplace mayReplace);
    /// Removes the created files and the folder, unless it was published.
    ~PartFolder() override;

    /// Creates a file in the folder; its name is one component.
    Expected<std::unique_ptr<ByteSink>> create(const std::string& name);
    /// Flushes everything to the disk and renames the folder to the target. Checks the old folder again and removes it;
    /// if it now holds a file that may not be replaced, publish() fails and leaves it.
    Expected<void> publish();

    void remove() noexcept override;

  private:
    PartFolder(std::string target, std::string path, int fd, MayReplace mayReplace);
    Expected<void> takePlace();
    Expected<void> exchange(const ReplacedFiles& replaced);
    Expected<void> removeReplaced(const std::string& path, const ReplacedFiles& replaced) const;

    std::string target_;  ///< links followed
    std::string path_;    ///< empty when nothing is left to remove
    int fd_;
    MayReplace mayReplace_;
    std::vector<std::string> files_;  ///< created in it
};

}  // namespace whorl::sim
