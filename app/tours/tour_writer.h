// Writes tours into files, whose text is tourText().
#pragma once

#include <string>
#include <vector>

#include "app/tours/tour_json.h"
#include "sim/base/error.h"

namespace whorl::app {

/// The paths of files that a tour in this folder must not name, since they lie elsewhere (see TourFolders).
std::vector<std::string> filesElsewhere(const Tour& tour, const std::string& folder);

/// Writes the text of a tour into a file. An existing file may be replaced only if it is `own`, the file that this tour
/// was read from; another file is an error.
sim::Expected<void> writeTour(const Tour& tour, const std::string& path, const std::string& own);

}  // namespace whorl::app
