// Reads a trace from a file, whatever its format. The way in for every trace that Whorl did not make itself.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/progress.h"
#include "sim/trace/filter.h"
#include "sim/trace/trace.h"
#include "sim/trace/trace_builder.h"

namespace whorl::sim {

enum class TraceFormat {
    lackey,  ///< valgrind --tool=lackey --trace-mem=yes
    din,     ///< Dinero: "0 1fc8" read, "1 1fc8" write, "2 4000" instruction fetch
    text,    ///< Whorl's own, one line an access: see docs/traces.md
    whorl,   ///< Whorl's own binary file
    chiron,  ///< of the visualizer Chiron: accesses, and the events of a simulated memory system
};

/// "lackey", "din", "text", "whorl", "chiron", or nothing for another word.
std::optional<TraceFormat> formatNamed(std::string_view name);

struct ReadOptions {
    std::optional<TraceFormat> format;  ///< not given: found by content
    bool lenient = false;               ///< leave malformed lines out and count them, instead of stopping at the first
    bool instructions = false;          ///< take instruction fetches as reads, instead of leaving them out
    std::string chironSources;          ///< the list of source files of a Chiron trace; empty: what lies beside it
    TraceFilter only;                   ///< leave out what is not wanted; also says what becomes of accesses in `off`
};

/// Reads a whole trace. `path` may be "-" for standard input; gzip and zstd are recognised by content and read as they
/// are, streaming. Progress is in bytes of the file. Errors name file and line, the text, and what was expected; also
/// an empty trace is an error.
Expected<Trace> readTrace(const std::string& path, const ReadOptions& options, Progress& progress);

/// What is known of a trace that was read without being kept.
struct StreamedTrace {
    std::uint64_t accesses = 0;
    std::uint64_t writes = 0;  ///< of the accesses
    std::uint32_t cpus = 1;    ///< one more than the highest CPU named
    bool hasTiming = false;    ///< it knows more of time than its accesses, which is not handed on
    std::uint64_t skippedLines = 0;
    std::uint64_t accessesOff = 0;
    std::vector<std::string> losses;  ///< what a damaged file has lost, a sentence each
};

/// Reads a trace of any length and hands its accesses on, some thousands at a time, without keeping them: their sites
/// are not known. Instructions that are left out are hardly looked at. Options and errors are those of readTrace; an
/// error also when the filter asks for regions or source files, which only a whole trace has.
Expected<StreamedTrace> streamTrace(const std::string& path, const ReadOptions& options, AccessConsumer consumer,
                                    Progress& progress);
/// The same with a text in memory.
Expected<StreamedTrace> streamText(std::string_view text, const std::string& name, const ReadOptions& options,
                                   AccessConsumer consumer);

/// Whether a file may bring along the machine that its trace was made on: a .whorl file or a Chiron trace. False also
/// when it cannot be read, and of what can be read only once.
bool mayBringMachine(const std::string& path, const ReadOptions& options);

/// Reads a trace that is already in memory (uncompressed); `name` stands for the file in errors.
Expected<Trace> parseTrace(std::string_view text, const std::string& name, const ReadOptions& options);

}  // namespace whorl::sim
