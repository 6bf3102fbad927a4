// The program's icon, drawn in any size from the one that is kept as SVG (assets/desktop).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace whorl::app {

inline constexpr int kIconSize = 128;  ///< size of window icons in pixels; desktops scale them down as needed

/// The icon as RGBA pixels, rows from the top; `size` is its width and height in pixels. Empty if it cannot be drawn.
std::vector<std::uint8_t> iconPixels(int size);

/// The icon as a PNG file with transparency. Empty if it cannot be drawn.
std::string iconAsPng(int size);

}  // namespace whorl::app
