// Files that name memory: lines `region NAME ADDRESS BYTES …` as in Whorl's text format, for traces that have no names.
#pragma once

#include <string>
#include <vector>

#include "sim/base/error.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// The regions in a file, in address order. Errors give file and line, the text and what was expected; two overlapping
/// regions are an error.
Expected<std::vector<Region>> readRegions(const std::string& path);

/// Adds regions to a trace, in address order, as if it declared them: inferred regions and those of objects make room
/// for them. Fails if one overlaps a region that the trace declares; `path` is the file in the error.
Expected<Trace> withRegions(Trace trace, std::vector<Region> named, const std::string& path);

}  // namespace whorl::sim
