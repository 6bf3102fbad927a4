// Writes a trace in Chiron's format, with a machine's events for it: see docs/traces.md.
#pragma once

#include <string>

#include "sim/base/error.h"
#include "sim/base/progress.h"
#include "sim/machine/machine_config.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// Plays `trace` on `machine`, which must be sound and gets the number of CPUs of the trace. Writes both, with the
/// events, to a file ("-" is standard output; .gz and .zst compress it), and the paths of the source files to
/// PATH.files beside it; each file appears once complete. Reading it gives the trace again, a recording of all events
/// that the format has, and the machine, but not the instructions, nor unrecorded accesses, of which only block events
/// are written. Progress is in accesses.
///
/// An error unless the machine has two levels and an L1 cache for each CPU, and is not exclusive.
Expected<void> writeChiron(const Trace& trace, const MachineConfig& machine, const std::string& path,
                           Progress& progress);

}  // namespace whorl::sim
