// Writes tours as JSON, such that reading gives the same tour again.
#pragma once

#include <string>
#include <vector>

#include "app/session/tour.h"
#include "sim/base/error.h"

namespace whorl::app {

/// The text of a tour's file, with a key only for what is not as usual. `folder`: where the file will lie; files in it
/// and below it are named relative to it. Empty: all paths stay as they are.
std::string tourText(const Tour& tour, const std::string& folder = {});

/// The paths of files that a tour in this folder must not name, since they lie elsewhere (see TourFolders).
std::vector<std::string> filesElsewhere(const Tour& tour, const std::string& folder);

/// Writes the text of a tour into a file, where a tour may be replaced only if it is `own`, the file that this one was
/// read from. The error says so, or why it cannot be written.
sim::Expected<void> writeTour(const Tour& tour, const std::string& path, const std::string& own);

}  // namespace whorl::app
