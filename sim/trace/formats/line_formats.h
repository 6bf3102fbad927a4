// The formats of traces, and those of text whose lines are parsed one by one. A new one of these is an entry here.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace whorl::sim {

class LineReader;
class TraceBuilder;

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

struct LineFormat {
    TraceFormat format;
    std::string_view name;
    /// How likely a line belongs to the format: 0 it does not, 1 it may, 2 almost certainly.
    int (*like)(std::string_view line);
    /// `instructions`: treat instruction fetches as reads.
    std::unique_ptr<LineReader> (*reader)(TraceBuilder& builder, bool instructions);
    bool hasCpus;          ///< its accesses can be of several CPUs
    bool hasInstructions;  ///< it can contain instruction fetches
};
/// Where a line is equally likely of several, the first of them wins.
std::span<const LineFormat> lineFormats();
/// The entry of a format; null if it is not one of lines.
const LineFormat* lineFormat(TraceFormat format);

/// Whether the accesses of a format can be of several CPUs.
bool hasCpus(TraceFormat format);
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

}  // namespace whorl::sim
