// Merges the shards of a sweep, all written by sweepAsJson or all by sweepAsCsv.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.h"

namespace whorl::sim {

struct SweepPart {
    std::string name;  ///< the file's, for errors
    std::string text;
};

/// Fails if a part with this beginning is no part of a sweep: so that an endless one is not read.
Expected<void> checkPart(const std::string& name, std::string_view begin);

/// The output of the whole sweep, identical to the byte. An error when a part is not of a sweep, or of a different one,
/// when a point occurs twice, and when points are missing.
Expected<std::string> merged(const std::vector<SweepPart>& parts);

}  // namespace whorl::sim
