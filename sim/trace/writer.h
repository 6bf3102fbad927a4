// Writes a trace in Whorl's text format or as a .whorl file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/progress.h"
#include "sim/trace/formats/trace_packer.h"
#include "sim/trace/reader.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// Writes `trace` to a file ("-" is standard output) in the given format; by default as a .whorl file if the name ends
/// in .whorl, else as text. Text is compressed if the name ends in .gz or .zst. The file is written to a temporary name
/// and renamed when complete, so a failure leaves an existing file unchanged. Reading the file gives an equal trace,
/// except that with text, inferred regions are inferred again, source texts are looked up by path, and instructions,
/// modules, the machine, capture times, timing and recordings are lost.
Expected<void> writeTrace(const Trace& trace, const std::string& path, Progress& progress,
                          std::optional<TraceFormat> format = std::nullopt, const WhorlPacking& packing = {});

/// A region, or a mark, as a line of Whorl's text format, including the newline.
std::string asTextLine(const Region& region);
std::string asTextLine(const Mark& mark);

/// A line between the accesses of a trace written as text: the birth or death of an object, or a mark.
struct TimedMarker {
    /// The order at one tick: deaths; then lives without an access, which may be followed by others at the same
    /// address; then births.
    enum class Kind : std::uint8_t { death, briefLife, birth, mark };

    Tick at;
    Kind kind = Kind::mark;
    std::size_t index = 0;  ///< index of the object or the mark

    auto order() const { return std::tuple(at, kind, index); }
};

/// All markers of a trace, in output order. Objects that outlive the trace have no death.
std::vector<TimedMarker> markersOf(const Trace& trace);

}  // namespace whorl::sim
