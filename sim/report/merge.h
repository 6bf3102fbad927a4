// Puts the shards of a sweep together again, each written by sweepAsJson or each by sweepAsCsv.
#pragma once

#include <string>
#include <vector>

#include "sim/base/error.h"

namespace whorl::sim {

struct SweepPart {
    std::string name;  ///< for errors: the file's
    std::string text;
};

/// What the whole sweep would have been written as, to the byte. An error when a part is not of a sweep, or of another
/// one, when a point comes twice, and when points are missing.
Expected<std::string> merged(const std::vector<SweepPart>& parts);

}  // namespace whorl::sim
