// A folder that is filled under a name of its own, and takes its target's place once it is complete.
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

/// The files of a folder that is replaced, each with its number on the disk.
using ReplacedFiles = std::map<std::string, ino_t>;

/// A folder that is filled, and replaces only what may be replaced.
class PartFolder final : public Unfinished {
  public:
    /// Fails unless `target` is free, or a folder in which there is nothing, or nothing but what may be replaced.
    /// Creates nothing.
    static Expected<void> check(const std::string& target, const MayReplace& mayReplace);
    /// Creates a folder beside `target`, after that check. A symbolic link to a folder stands for that folder.
    static Expected<std::unique_ptr<PartFolder>> beside(const std::string& target, MayReplace mayReplace);
    /// Removes the files that were created and the folder, unless it was published.
    ~PartFolder() override;

    /// Creates a file in the folder; its name is one component.
    Expected<std::unique_ptr<ByteSink>> create(const std::string& name);
    /// Flushes everything to the disk and renames the folder to the target. What was there is checked again, and
    /// removed; if it holds by now what may not be replaced, this fails and leaves it.
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
