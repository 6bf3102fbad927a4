// Reads folders for the dialog that opens files. Takes time on slow disks: call it in a task.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/commands/palette.h"
#include "sim/base/progress.h"

namespace whorl::app {

/// What is in a folder: files and folders, without hidden ones, at most so many. If it cannot be read, the listing says
/// why. Also, which of the recent inputs are files that are not there.
FolderListing listFolder(const std::string& folder, const std::vector<std::string>& recent, sim::Progress& progress);
inline constexpr std::size_t kMostListed = 20'000;

/// The built-in tours.
std::vector<NamedTour> builtInTours();

}  // namespace whorl::app
