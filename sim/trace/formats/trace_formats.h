// The formats of traces: how each is recognized and read. To add a format, write its reader and add an entry here.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.h"

namespace whorl::sim {

class ByteSource;
class LineReader;
class LineSource;
class TraceBuilder;
struct Reading;
struct TableColumns;

enum class TraceFormat {
    lackey,      ///< valgrind --tool=lackey --trace-mem=yes
    din,         ///< Dinero: "0 1fc8" read, "1 1fc8" write, "2 4000" instruction fetch
    text,        ///< Whorl's own, one access per line: see docs/traces.md
    whorl,       ///< Whorl's own binary file
    chiron,      ///< Chiron, a visualizer: accesses and the events of a simulated memory system
    drcachesim,  ///< DynamoRIO: the output of its tool "view" for a trace of drmemtrace
    pinatrace,   ///< Pin's example tools: "0x4004f6: R 0x7ffd10"
    champsim,    ///< ChampSim: binary, with a record of 64 bytes per instruction
};

/// A format that Whorl reads. One of three functions recognizes it, and one of three reads it; the others are null.
struct KnownFormat {
    TraceFormat format;
    std::string_view name;
    bool hasCpus = false;          ///< its accesses can belong to several CPUs
    bool hasInstructions = false;  ///< it can contain instruction fetches, which count only on request
    bool bringsMachine = false;    ///< it may contain the machine on which the trace was made
    bool hasSyncs = false;         ///< it may tell where threads waited for each other

    /// Whether a file belongs to the format by its name, for formats that the content does not show.
    bool (*named)(std::string_view path) = nullptr;
    /// Whether a file with this beginning belongs to the format.
    bool (*begins)(std::string_view begin) = nullptr;
    /// How likely a line belongs to the format: 0 it does not, 1 it may, 2 almost certainly.
    int (*like)(std::string_view line) = nullptr;

    /// Reads a binary format.
    Expected<void> (*readBytes)(const Reading& reading, ByteSource& bytes) = nullptr;
    /// Reads a text whose lines are not parsed one by one; `begun` is its first block.
    Expected<void> (*readText)(const Reading& reading, std::string_view begun, LineSource& lines) = nullptr;
    /// Creates the reader of a format that is parsed line by line. `instructions`: treat instruction fetches as reads.
    std::unique_ptr<LineReader> (*lineReader)(TraceBuilder& builder, bool instructions) = nullptr;
};
/// All formats, those parsed line by line first. If several match a line equally well, the first of them wins.
std::span<const KnownFormat> knownFormats();
const KnownFormat& known(TraceFormat format);

/// Reads a text; detects the format if `format` is null.
Expected<void> readText(const Reading& reading, const KnownFormat* format, std::unique_ptr<ByteSource> bytes);

/// The names of all formats, those parsed line by line first.
std::vector<std::string> formatNames();
/// The format with this name; nothing if there is none.
std::optional<TraceFormat> formatNamed(std::string_view name);

int likeLackey(std::string_view line);
std::unique_ptr<LineReader> lackeyReader(TraceBuilder& builder, bool instructions);
int likeDin(std::string_view line);
std::unique_ptr<LineReader> dinReader(TraceBuilder& builder, bool instructions);
int likeText(std::string_view line);
std::unique_ptr<LineReader> textReader(TraceBuilder& builder, bool instructions);
/// Reads lines of the text format that declare regions, and rejects all others.
std::unique_ptr<LineReader> regionReader(TraceBuilder& builder);
int likeDrcachesim(std::string_view line);
std::unique_ptr<LineReader> drcachesimReader(TraceBuilder& builder, bool instructions);
int likePinatrace(std::string_view line);
std::unique_ptr<LineReader> pinatraceReader(TraceBuilder& builder, bool instructions);
/// Of tables, whose columns the user names.
std::unique_ptr<LineReader> columnsReader(const TableColumns& columns, TraceBuilder& builder, bool instructions);
bool likeWhorl(std::string_view begin);
Expected<void> readWhorl(const Reading& reading, ByteSource& bytes);
/// Whether the first line that is neither blank nor a comment is "i" and a number.
bool likeChiron(std::string_view text);
Expected<void> readChiron(const Reading& reading, std::string_view begun, LineSource& lines);
/// Whether the name ends in .champsim or .champsimtrace, perhaps followed by .xz, .gz or .zst.
bool namesChampsim(std::string_view path);
Expected<void> readChampsim(const Reading& reading, ByteSource& bytes);

}  // namespace whorl::sim
