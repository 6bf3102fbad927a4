// Tours as JSON (docs/tours.md lists the keys): what is written reads back as the same tour.
#pragma once

#include <string>
#include <string_view>

#include "app/session/tour.h"
#include "sim/base/error.h"

namespace whorl::app {

class TourFolders;

/// Parses a tour from JSON text. All faults are reported in one error, one per line with its JSON path; each line
/// starts with `file`. Programs and machines are checked too, but input files are not read, and whether the trace is
/// long enough for the position is known only when it is open. Paths of files are taken relative to `folders`, outside
/// of which the tour may not name any; without folders they stay as they are.
sim::Expected<Tour> parseTour(std::string_view json, const std::string& file, const TourFolders* folders = nullptr);

/// The text of a tour's file, with a key only for what is not as usual. `folder`: where the file will lie; files in it
/// and below it are named relative to it. Empty: all paths stay as they are.
std::string tourText(const Tour& tour, const std::string& folder = {});

}  // namespace whorl::app
