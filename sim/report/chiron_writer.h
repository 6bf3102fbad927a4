// Writes a trace in the format of Chiron, with what a machine does for it: see docs/traces.md.
#pragma once

#include <string>

#include "sim/base/error.h"
#include "sim/base/progress.h"
#include "sim/machine/machine_config.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// Plays `trace` on `machine`, which must be sound and is given as many CPUs as the trace has, and writes both to a
/// file ("-" is standard output, .gz and .zst pack it), and the paths of the source files to PATH.files beside it; each
/// appears when it is whole. Reading it gives the trace again, a recording of all the events that the format has, and
/// the machine; but not the instructions, nor what is not recorded, of which only the events of blocks are written.
/// Progress is in accesses.
///
/// An error when the machine has not two levels, an L1 cache for each CPU, or is exclusive.
Expected<void> writeChiron(const Trace& trace, const MachineConfig& machine, const std::string& path,
                           Progress& progress);

}  // namespace whorl::sim
