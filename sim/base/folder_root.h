// A folder that limits which files an untrusted file may name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "sim/base/input_file.h"

namespace whorl::sim {

/// Opens regular files at or below a folder, and accesses nothing outside it. Links are followed as long as they stay
/// within; file and folder names that start with a dot are refused.
class FolderRoot {
  public:
    enum class Outcome : std::uint8_t {
        found,
        missing,  ///< no such file, though its path stays within
        refused   ///< outside, hidden, not a regular file, or not readable
    };
    struct Result {
        Outcome outcome = Outcome::refused;
        FileHandle file;          ///< the file that was found, open for reading
        std::string name = {};    ///< the file's own name, not that of a link to it
        std::uint32_t steps = 0;  ///< names looked up on the way, as the cost of the lookup
    };

    /// Returns nothing if there is no such folder. The empty path is the current folder.
    static std::optional<FolderRoot> open(const std::string& path);

    /// Looks a file up by its path, relative to the folder or absolute. Never blocks, as opening a pipe would.
    Result find(std::string_view path) const;

  private:
    class Walk;

    FolderRoot(FileHandle folder, std::string named, std::string resolved)
        : folder_(std::move(folder)), named_(std::move(named)), resolved_(std::move(resolved)) {}

    /// The part of a path below the folder; nothing if it is absolute and lies elsewhere.
    std::optional<std::string_view> below(std::string_view path) const;

    FileHandle folder_;
    std::string named_;     ///< absolute path as given
    std::string resolved_;  ///< absolute path without links
};

}  // namespace whorl::sim
