// The kind of a file, in words for messages, and why it could not be opened.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

namespace whorl::sim {

/// "a folder", "a pipe", "a socket", "a device"; empty for a regular file. `mode` is that of stat().
std::string_view fileKind(mode_t mode);

/// "there is no such file": why open() failed, as a part of a sentence. `error` is its errno.
std::string whyNotOpened(int error);

}  // namespace whorl::sim
