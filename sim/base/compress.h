// Bytes in less memory, for a while: quickly packed and unpacked, by zstd.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace whorl::sim {

/// The bytes packed; nothing when there is no memory for it.
std::string compressed(std::string_view bytes);

/// Unpacks what `squeezed` gave into a place of just the size that it had. False when it is not that.
bool decompress(std::string_view packed, std::span<char> to);

}  // namespace whorl::sim
