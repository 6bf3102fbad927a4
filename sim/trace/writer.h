// Writes a trace: in Whorl's text form, or as a .whorl file.
#pragma once

#include <optional>
#include <string>

#include "sim/base/error.h"
#include "sim/base/progress.h"
#include "sim/trace/reader.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// Writes `trace` to a file ("-" is standard output): a .whorl file or text, as `format` says, or, without it, a .whorl
/// file when the name ends so; text is compressed when the name ends in .gz or .zst. The file is written beside its
/// name and renamed when whole, so a failure leaves what was there. Reading it gives an equal trace; save that in text
/// inferred regions are inferred again, source texts are looked up by their paths, and there is no room for
/// instructions, modules, the machine, times of capture and recordings.
Expected<void> writeTrace(const Trace& trace, const std::string& path, Progress& progress,
                          std::optional<TraceFormat> format = std::nullopt);

/// A region, or a mark, as a line of Whorl's text, with its end.
std::string asTextLine(const Region& region);
std::string asTextLine(const Mark& mark);

}  // namespace whorl::sim
