// Recognizes files that are no traces, so that an error can name their kind and suggest what to do.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/base/error.h"

namespace whorl::sim {

/// The number of bytes at the beginning of a file that suffice to recognize it.
inline constexpr std::size_t kForeignSample = 1024;

/// The error for a file whose first bytes are those of an archive, a program, a picture, text in UTF-16 or the like,
/// which no trace format has; nothing for all others.
std::optional<Error> foreignContent(std::string_view begin, const std::string& name);

/// The error for a file in which no trace was found. It names the kind of file if that is known, such as JSON or binary
/// data; otherwise it says that no line belongs to a trace, and how to write the first one. `lacks` is the number of
/// bytes of the first line that are not in `begin`.
Error noTraceIn(std::string_view begin, const std::string& name, std::uint64_t lacks);

/// An access in the form of another tool, converted to Whorl's own text: "R 0x1000" for "1000,R" or "load 0x1000 4".
/// Empty for a line that is not an access in any form.
std::string inOwnText(std::string_view line);

}  // namespace whorl::sim
