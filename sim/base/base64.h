// Bytes as text, for files of text that hold others.
#pragma once

#include <string>
#include <string_view>

namespace whorl::sim {

/// RFC 4648, with padding.
std::string base64(std::string_view bytes);

}  // namespace whorl::sim
