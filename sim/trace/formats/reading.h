// Data and functions that the readers of all formats share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "sim/base/byte_source.h"
#include "sim/base/error.h"
#include "sim/base/memory_budget.h"
#include "sim/base/progress.h"
#include "sim/trace/formats/line_reader.h"
#include "sim/trace/trace.h"
#include "sim/trace/trace_builder.h"

namespace whorl::sim {

/// A trace that is being read.
struct Reading {
    const std::string& name;  ///< name of the file, for errors
    bool lenient;             ///< skip malformed input
    bool instructions;        ///< treat instruction fetches as reads
    const std::string& chironSources;
    TraceBuilder& builder;
    MemoryBudget& budget;
    Progress& progress;
    std::optional<Trace>& whole;  ///< the trace, if the format yields it as a whole; otherwise it is in the builder
};

/// The length in bytes of the line at the start of a block, even if its end is not in the block.
using LineLength = std::function<Expected<std::uint64_t>(std::string_view line)>;

/// Adds a block of lines. Skips malformed lines if reading is lenient.
Expected<void> takeBlock(const Reading& reading, std::string_view block, LineReader& reader,
                         const LineLength& lengthOf);
/// Reads lines to the end with a line reader; `begun` is the block already read.
Expected<void> readLines(const Reading& reading, std::string_view begun, LineSource& lines, LineReader& reader,
                         bool fetchesLeftOut);
/// To be called at the end of a trace.
Expected<void> finish(const Reading& reading, bool fetchesLeftOut);
Expected<void> checkMemory(const Reading& reading);

/// Appends the content of a source, up to `most` bytes in all.
Expected<void> readUpTo(std::size_t most, std::string& bytes, ByteSource& source, const Progress& progress);

}  // namespace whorl::sim
