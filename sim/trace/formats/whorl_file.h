// Reads and writes Whorl's own binary file, .whorl; whorl_format.h tells how it is made.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/base/byte_sink.h"
#include "sim/base/error.h"
#include "sim/base/progress.h"
#include "sim/trace/trace.h"
#include "sim/trace/trace_builder.h"

namespace whorl::sim {

/// Whether a file that starts with these bytes is a .whorl file.
bool likeWhorl(std::string_view bytes);

/// Writes a trace with all that is known about it; reading it gives an equal one. The chunks are written as they are.
Expected<void> writeWhorl(const Trace& trace, ByteSink& sink, Progress& progress);

/// Makes a trace of the bytes of a file. Of a damaged file it gives what is whole and tells of the rest in losses(); an
/// error only when there are no accesses. Chunks of a whole file are not unpacked, only checked.
Expected<Trace> traceOf(std::string_view file, const std::string& name);

/// Adds the accesses of a file to a builder, and gives what a trace would tell in losses().
Expected<std::vector<std::string>> streamWhorl(std::string_view file, const std::string& name, TraceBuilder& builder,
                                               const Progress& progress);

}  // namespace whorl::sim
