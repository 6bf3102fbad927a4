// Writes a trace: in Whorl's text form, or as a .whorl file.
#pragma once

#include <string>

#include "sim/error.h"
#include "sim/progress.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// Writes `trace` to a file ("-" is standard output): a .whorl file when the name ends so, or text, compressed when the
/// name ends in .gz or .zst. The file is written
/// beside its name and renamed when whole, so a failure leaves what was there. Reading it gives an equal trace; save
/// that in text inferred regions are inferred again, source texts are looked up by their paths, and there is no room
/// for instructions, modules, the machine and times of capture.
Expected<void> writeTrace(const Trace& trace, const std::string& path, Progress& progress);

}  // namespace whorl::sim
