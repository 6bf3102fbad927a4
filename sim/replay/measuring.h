// The ways to compute the measures of a trace on a machine: with a run, without keeping one, and while the trace is
// read. With threads, they take less time (see replay.h); the measures are the same.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "sim/base/error.h"
#include "sim/base/jobs.h"
#include "sim/base/progress.h"
#include "sim/machine/machine_config.h"
#include "sim/replay/measures.h"
#include "sim/replay/run.h"
#include "sim/trace/reader.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// The machine with the number of CPUs that a trace needs. An error if that machine is not sound.
Expected<MachineConfig> grownFor(const MachineConfig& machine, const Trace& trace);

/// Plays a trace up to the end of the range on a machine, which must be sound for its own CPUs. Progress is in
/// accesses. An error when the machine is not sound with the trace's CPUs, or when cancelled. A trace with timing of
/// its own is played twice, for a ledger and for the clocks.
Expected<Measures> measure(const std::shared_ptr<const Trace>& trace, const MachineConfig& machine, Range range,
                           bool ledger, Progress& progress, const ThreadRunner& threads = {});

/// Measures a range of a complete run, with a ledger. Empty when cancelled.
std::optional<Measures> measure(const Run& run, Range range, Progress& progress);

/// A complete run of a trace on a machine, which must be sound for its own CPUs. Progress is in accesses. An error when
/// the machine is not sound with the trace's CPUs, or when cancelled.
Expected<std::shared_ptr<const Run>> builtRun(const std::shared_ptr<const Trace>& trace, const MachineConfig& machine,
                                              Progress& progress, const ThreadRunner& threads = {});

/// The counts of a whole trace that is read without being kept, and a summary of the trace.
struct StreamedMeasures {
    Measures measures;
    StreamedTrace trace;
};

/// Whether measureStreamed() can compute the counts: no level of the machine needs future accesses (OPT), nothing is
/// filtered by region or source file, no regions are to be added, the file is not of a part of a trace, the order is
/// that of the file, and the input can be read again if it has more CPUs than the machine, or has a format with one CPU
/// only.
bool canStream(const std::string& path, const ReadOptions& options, const MachineConfig& machine);

/// Plays a trace while it is read. Progress and errors are those of streamTrace.
Expected<StreamedMeasures> measureStreamed(const std::string& path, const ReadOptions& options,
                                           const MachineConfig& machine, Progress& progress,
                                           const ThreadRunner& threads = {});

}  // namespace whorl::sim
