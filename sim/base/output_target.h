// The destination of an output: standard output, a pipe or a device, or a file that is replaced as a whole.
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

/// The folder that a path lies in: "." for a name alone.
std::string folderOf(const std::string& path);

}  // namespace whorl::sim
