// Writes a trace in Whorl's text form.
#pragma once

#include <string>

#include "sim/error.h"
#include "sim/progress.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// Writes `trace` to a file ("-" is standard output), compressed when the name ends in .gz or .zst. The file is written
/// beside its name and renamed when whole, so a failure leaves what was there. Reading it gives an equal trace, save
/// that inferred regions are inferred again and source texts are looked up by their paths.
Expected<void> writeTrace(const Trace& trace, const std::string& path, Progress& progress);

}  // namespace whorl::sim
