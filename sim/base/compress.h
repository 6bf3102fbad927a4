// Fast in-memory compression with zstd.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace whorl::sim {

/// The compressed bytes; empty if compression fails for lack of memory.
std::string compressed(std::string_view bytes);

/// Decompresses the output of `compressed` into `to`, which must have the original size. False if the data is invalid
/// or the size differs.
bool decompress(std::string_view packed, std::span<char> to);

}  // namespace whorl::sim
