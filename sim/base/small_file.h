// Reads files that are expected to be small and to be there: descriptions of machines, tours, settings, lists.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/base/error.h"

namespace whorl::sim {

/// The whole content of a regular file, or of a link to one, of at most `mostBytes`. Anything else (a folder, a pipe, a
/// device) is refused at once and never waited for, as is a longer file, before it is read. `kind` is what the file
/// should be, for the message: "a machine".
Expected<std::string> readSmallFile(const std::string& path, std::uint64_t mostBytes, std::string_view kind);

}  // namespace whorl::sim
