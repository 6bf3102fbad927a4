// Recognizes files that are no traces, so that an error can say what they are and what to do with them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/base/error.h"

namespace whorl::sim {

/// As many bytes of the beginning are enough.
inline constexpr std::size_t kForeignLookedAt = 1024;

/// The error for a file whose first bytes are those of an archive, a program, a picture, text in UTF-16 or the like,
/// which no trace has, in whatever format; nothing for all others.
std::optional<Error> foreignContent(std::string_view begin, const std::string& name);

/// The error for a file in which no trace was found: what it seems to be, as JSON or no text at all, or else that none
/// of its lines is one of a trace, and how the first would be written. `lacks`: so many bytes of it are not in `begin`.
Error noTraceIn(std::string_view begin, const std::string& name, std::uint64_t lacks);

/// How Whorl's own text has an access that another tool wrote: "R 0x1000" for "1000,R" or "load 0x1000 4". Empty for a
/// line that is no access, of whatever form.
std::string inOwnText(std::string_view line);

}  // namespace whorl::sim
