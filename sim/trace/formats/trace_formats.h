// The formats of traces: how each is recognized, and how it is read. A new one is its reader and an entry here.
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

enum class TraceFormat {
    lackey,      ///< valgrind --tool=lackey --trace-mem=yes
    din,         ///< Dinero: "0 1fc8" read, "1 1fc8" write, "2 4000" instruction fetch
    text,        ///< Whorl's own, one line an access: see docs/traces.md
    whorl,       ///< Whorl's own binary file
    chiron,      ///< of the visualizer Chiron: accesses and the events of a simulated memory system
    drcachesim,  ///< what DynamoRIO's tool "view" prints of a trace of drmemtrace
    pinatrace,   ///< of Pin's example tools: "0x4004f6: R 0x7ffd10"
    champsim,    ///< ChampSim: binary, a record of 64 bytes an instruction
};

/// A format that Whorl reads. It is recognized by one of three things, and read by one of three; the others are null.
struct KnownFormat {
    TraceFormat format;
    std::string_view name;
    bool hasCpus = false;          ///< its accesses can be of several CPUs
    bool hasInstructions = false;  ///< it can contain instruction fetches, which count only if asked for
    bool bringsMachine = false;    ///< it may contain the machine that the trace was made on

    /// Whether the name of a file tells that it is of the format: nothing in such a file does.
    bool (*named)(std::string_view path) = nullptr;
    /// Whether a file that begins so is of the format.
    bool (*begins)(std::string_view begin) = nullptr;
    /// How likely a line belongs to the format: 0 it does not, 1 it may, 2 almost certainly.
    int (*like)(std::string_view line) = nullptr;

    /// Reads what is not text.
    Expected<void> (*readBytes)(const Reading& reading, ByteSource& bytes) = nullptr;
    /// Reads a text whose lines are not parsed one by one; `begun` is its first block.
    Expected<void> (*readText)(const Reading& reading, std::string_view begun, LineSource& lines) = nullptr;
    /// Makes what parses its lines one by one. `instructions`: treat instruction fetches as reads.
    std::unique_ptr<LineReader> (*lineReader)(TraceBuilder& builder, bool instructions) = nullptr;
};
/// Those of lines first; where a line is equally likely of several, the first of them wins.
std::span<const KnownFormat> knownFormats();
const KnownFormat& known(TraceFormat format);

/// The names of all formats, those of lines first.
std::vector<std::string> formatNames();
/// The format of such a name; nothing for another word.
std::optional<TraceFormat> formatNamed(std::string_view name);

int likeLackey(std::string_view line);
std::unique_ptr<LineReader> lackeyReader(TraceBuilder& builder, bool instructions);
int likeDin(std::string_view line);
std::unique_ptr<LineReader> dinReader(TraceBuilder& builder, bool instructions);
int likeText(std::string_view line);
std::unique_ptr<LineReader> textReader(TraceBuilder& builder, bool instructions);
/// Reads lines of the text format that declare regions, and refuses all others.
std::unique_ptr<LineReader> regionReader(TraceBuilder& builder);
int likeDrcachesim(std::string_view line);
std::unique_ptr<LineReader> drcachesimReader(TraceBuilder& builder, bool instructions);
int likePinatrace(std::string_view line);
std::unique_ptr<LineReader> pinatraceReader(TraceBuilder& builder, bool instructions);
bool likeWhorl(std::string_view begin);
Expected<void> readWhorl(const Reading& reading, ByteSource& bytes);
/// Its first line that is neither blank nor a comment is "i" and a number.
bool likeChiron(std::string_view text);
Expected<void> readChiron(const Reading& reading, std::string_view begun, LineSource& lines);
/// The name ends in .champsim or .champsimtrace, behind which .xz, .gz or .zst may follow.
bool namesChampsim(std::string_view path);
Expected<void> readChampsim(const Reading& reading, ByteSource& bytes);

}  // namespace whorl::sim
