// Frames as films have them: brightness for each pixel, colour for each four.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace whorl::app {

/// The pixels of a frame (RGBA, row by row) as planes of Y, U and V in "yuv420p": U and V of two by two pixels each,
/// rounded up; by ITU-R BT.709 in its narrow range, of 16 to 235. Alpha is left out. `to` is resized.
void toYuv420(std::span<const std::byte> rgba, int width, int height, std::vector<std::byte>& to);

}  // namespace whorl::app
