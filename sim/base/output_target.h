// Where an output goes: to standard output, into a pipe or a device, or to a file that is replaced as a whole.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "sim/base/error.h"

namespace whorl::sim {

struct OutputTarget {
    enum class Kind : std::uint8_t {
        standardOutput,
        inPlace,  ///< a pipe or a device
        file
    };
    Kind kind = Kind::file;
    std::string path;                    ///< symbolic links followed; empty for standard output
    std::string name;                    ///< for messages: as the user gave it, or "standard output"
    std::optional<struct stat> present;  ///< of a file: what is there now
};

/// The target that a path stands for; "-" is standard output. Creates nothing. Fails for a folder, for a path whose
/// folder does not exist, and for a file that must not be written.
Expected<OutputTarget> outputTarget(const std::string& path);

/// Fails if `path` is no target, or if it is the same file as one of `inputs` (paths; "-" is standard input), under
/// whatever name: an input is never replaced by what was made of it. Creates nothing.
Expected<void> checkOutput(const std::string& path, std::span<const std::string> inputs = {});

/// Why a file cannot be written, for a number from errno.
std::string whyNotWritten(int error);

/// The folder that a path lies in: "." for a name alone.
std::string folderOf(const std::string& path);

}  // namespace whorl::sim
