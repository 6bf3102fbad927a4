// Loads the texts of the source files that a trace refers to.
#pragma once

#include <filesystem>

#include "sim/trace/trace_builder.h"

namespace whorl::sim {

/// Adds the text of each source file known to the builder that can be read, relative to `folder` (that of the trace) or
/// else to the current folder. Missing files, and those that are not regular or larger than 8 MiB, are skipped without
/// an error.
void loadSources(TraceBuilder& builder, const std::filesystem::path& folder);

}  // namespace whorl::sim
