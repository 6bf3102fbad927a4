// Finds the texts of the source files that a trace names.
#pragma once

#include <filesystem>

#include "sim/trace/trace_builder.h"

namespace whorl::sim {

/// Gives the builder the text of each source file it names that can be read: from the folder given (where the trace
/// lies), else from the current one. A file that is not there, or is no plain file of at most 8 MiB, has no text; that
/// is no error.
void loadSources(TraceBuilder& builder, const std::filesystem::path& folder);

}  // namespace whorl::sim
