// A file that did not exist before.
#pragma once

#include <string>

#include "sim/base/error.h"

namespace whorl::app {

/// "NAME.csv", or "NAME-2.csv" if that is there, and so on.
std::string newName(const std::string& name, const std::string& suffix);

/// Writes a text into a new file in the current folder: "NAME.csv", or "NAME-2.csv" if that is there, and so on.
/// Returns its name.
sim::Expected<std::string> writeNewFile(const std::string& name, const std::string& suffix, const std::string& text);

}  // namespace whorl::app
