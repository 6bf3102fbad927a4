// Reads a trace from a file of any supported format.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/progress.h"
#include "sim/trace/filter.h"
#include "sim/trace/formats/columns.h"
#include "sim/trace/formats/trace_formats.h"
#include "sim/trace/source_lookup.h"
#include "sim/trace/trace.h"
#include "sim/trace/trace_builder.h"
#include "sim/trace/virtual_time.h"

namespace whorl::sim {

/// Gives a trace the names that another file contains, before it is filtered.
using Naming = std::function<Expected<Trace>(Trace)>;

struct ReadOptions {
    std::optional<TraceFormat> format;  ///< if not given, detected from the content; champsim from the file's name
    bool lenient = false;               ///< skip and count malformed lines instead of failing at the first one
    std::optional<TableColumns> columns = {};  ///< the file is a table of text with these columns
    bool ignoresSizes = false;                 ///< each access is of its first byte alone, so that it touches one block
    bool instructions = false;                 ///< treat instruction fetches as reads instead of skipping them
    std::string chironSources;  ///< path of a Chiron trace's list of source files; empty: PATH.files, if it exists
    std::string regions;        ///< path of a file that names memory (see readRegions); empty: none
    SourcePolicy sources = {};  ///< where to look up texts of source files
    StreamedSites sites = StreamedSites::none;   ///< streaming only: whether accesses have distinct sites
    std::uint64_t memory = 0;                    ///< maximum memory for reading, in bytes; 0: usualMemoryBudget()
    Naming naming = nullptr;                     ///< null: the trace keeps its names
    std::string namedBy = {};                    ///< the file that provides names; empty: none
    AccessOrder order = AccessOrder::automatic;  ///< of several CPUs; streaming: as recorded
    TraceFilter only;  ///< selects accesses, and decides the treatment of accesses between `off` and `on`
};

/// Reads a whole trace. `path` may be "-" for standard input; gzip, zstd and xz are detected by content and
/// decompressed on the fly. Texts of source files are also looked up beside the trace (see withSourceTexts). Progress
/// is in bytes of the file, then, for a .whorl file, in accesses decoded, if any; and in accesses read so far. Errors
/// give file and line, the offending text and what was expected. An empty trace is an error, too, as is a trace that
/// takes more memory than allowed.
Expected<Trace> readTrace(const std::string& path, const ReadOptions& options, Progress& progress);

/// Summary of a trace that was streamed without being kept.
struct StreamedTrace {
    std::uint64_t accesses = 0;
    std::uint64_t writes = 0;  ///< number of writes among them
    std::uint32_t cpus = 1;    ///< one more than the highest CPU index
    bool hasTimes = false;     ///< see Trace::hasTimes; the times are not passed on
    std::uint64_t skippedLines = 0;
    std::uint64_t accessesOff = 0;
    std::uint64_t instructions = 0;   ///< instructions executed; 0 if unknown, or if accesses were filtered
    std::vector<std::string> losses;  ///< losses of a damaged file, one sentence each
};

/// Reads a trace of any length and passes its accesses on in batches of some thousands, without keeping them. The
/// accesses have sites only if `options.sites` requests them, with the ids that readTrace assigns; otherwise skipped
/// instruction records cost very little. Options and errors are those of readTrace. In addition, it fails if an option
/// needs a complete trace: a filter by regions or source files, a file of regions, or another order.
Expected<StreamedTrace> streamTrace(const std::string& path, const ReadOptions& options, AccessConsumer consumer,
                                    Progress& progress);
/// Streams a text in memory as streamTrace() streams a file.
Expected<StreamedTrace> streamText(std::string_view text, const std::string& name, const ReadOptions& options,
                                   AccessConsumer consumer);

/// Whether a file may contain the machine on which its trace was made: a .whorl file or a Chiron trace. False if it
/// cannot be read, or only once (a pipe).
bool mayBringMachine(const std::string& path, const ReadOptions& options);
/// Whether it may tell where threads waited for each other, so that only reading tells its order. True if it can be
/// read only once.
bool mayBringSyncs(const std::string& path, const ReadOptions& options);
/// Whether a file is a .whorl file of windows or an excerpt (see windows.h): what makes it one is not
/// passed on when it is streamed.
bool isPartial(const std::string& path);

/// Reads a trace from memory (uncompressed); `name` is the file in error messages. Source texts are looked up only in
/// the folders of the options, since the trace has none.
Expected<Trace> parseTrace(std::string_view text, const std::string& name, const ReadOptions& options);

}  // namespace whorl::sim
