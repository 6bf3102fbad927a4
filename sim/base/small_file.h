// Reads files that should be small regular files: descriptions of machines, tours, settings, lists.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/base/error.h"

namespace whorl::sim {

/// The whole content of a regular file, or of a link to one, of at most `mostBytes`. Refuses anything else (a folder, a
/// pipe, a device) at once, without waiting, and a longer file before reading it. `kind` is what the file should be,
/// for the message: "a machine".
Expected<std::string> readSmallFile(const std::string& path, std::uint64_t mostBytes, std::string_view kind);

}  // namespace whorl::sim
