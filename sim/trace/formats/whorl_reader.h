// Reads Whorl's binary file format, .whorl; its layout is in whorl_format.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/memory_budget.h"
#include "sim/base/progress.h"
#include "sim/trace/trace.h"
#include "sim/trace/trace_builder.h"

namespace whorl::sim {

/// Reads a trace from the bytes of a file. From a damaged file it recovers the intact blocks and reports the rest in
/// losses(); it fails if no accesses remain, or if the trace takes more memory than is left. Packs of an intact file
/// are only checked, not decoded, unless the touched memory must be determined. Progress is in accesses decoded.
Expected<Trace> traceOf(std::string_view file, const std::string& name, MemoryBudget& budget, Progress& progress);

/// Adds the accesses of a file to a builder. Returns what Trace::losses() would contain.
Expected<std::vector<std::string>> streamWhorl(std::string_view file, const std::string& name, TraceBuilder& builder,
                                               MemoryBudget& budget, Progress& progress);

}  // namespace whorl::sim
