// Still pictures.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "sim/base/error.h"

namespace whorl::app {

/// Writes RGBA pixels, rows from the top, as a PNG without alpha. Written beside its name and renamed when complete.
sim::Expected<void> writePng(const std::string& path, int width, int height, std::span<const std::byte> rgba);

}  // namespace whorl::app
