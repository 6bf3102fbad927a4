// Reads a trace from a file, whatever its format. The way in for every trace that Whorl did not make itself.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/error.h"
#include "sim/progress.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

enum class TraceFormat {
    lackey,  ///< valgrind --tool=lackey --trace-mem=yes
    din,     ///< Dinero: "0 1fc8" read, "1 1fc8" write, "2 4000" instruction fetch
    text,    ///< Whorl's own, one line an access: see docs/traces.md
};

/// "lackey", "din", "text", or nothing for another word.
std::optional<TraceFormat> formatNamed(std::string_view name);

struct ReadOptions {
    std::optional<TraceFormat> format;  ///< not given: found by content
    bool lenient = false;               ///< leave malformed lines out and count them, instead of stopping at the first
    bool instructions = false;          ///< take instruction fetches as reads, instead of leaving them out
};

/// Reads a whole trace. `path` may be "-" for standard input; gzip and zstd are recognised by content and read as they
/// are, streaming. Progress is in bytes of the file. Errors name file and line, the text, and what was expected; also
/// an empty trace is an error.
Expected<Trace> readTrace(const std::string& path, const ReadOptions& options, Progress& progress);

/// Reads a trace that is already in memory (uncompressed); `name` stands for the file in errors.
Expected<Trace> parseTrace(std::string_view text, const std::string& name, const ReadOptions& options);

}  // namespace whorl::sim
