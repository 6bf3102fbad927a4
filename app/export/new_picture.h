// Pictures that the window saves.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "sim/base/error.h"

namespace whorl::app {

/// Writes RGBA pixels, rows from the top, into a file that did not exist before in the current folder: "NAME.png", or
/// "NAME-2.png" if that is there, and so on. Returns its name.
sim::Expected<std::string> saveNewPicture(const std::string& name, int width, int height,
                                          std::span<const std::byte> rgba);

}  // namespace whorl::app
