// All measures of a range of a trace on a machine, and the ways to compute them without keeping a run.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/progress.h"
#include "sim/cache/cost.h"
#include "sim/cache/counters.h"
#include "sim/machine/machine_config.h"
#include "sim/replay/simulator.h"
#include "sim/replay/totals/ledger.h"
#include "sim/trace/reader.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

class Run;

struct Measures {
    MachineConfig machine;  ///< with the number of CPUs that the trace needs
    Counters counters;
    std::vector<Cycles> cycles;            ///< access cycles, by CPU
    std::shared_ptr<const Ledger> ledger;  ///< null when only counts were requested
    /// Cycles from when all CPUs have finished the accesses before the range until they have finished the last one in
    /// it; empty when unknown.
    std::optional<Cycles> elapsed;

    /// Access cycles of all CPUs together.
    Cycles cyclesOfAll() const;
    /// The average of cyclesOfAll() per access; 0 when there were no accesses.
    double cyclesPerAccess() const;
    /// Subtracts the measures of an earlier part of the same range. Leaves the ledger unchanged.
    Measures& operator-=(const Measures& part);
};

/// The counts and access cycles of a machine so far, without a ledger. `isTimed`: the trace has timing of its own
/// (Trace::timing), so that the machine's clocks do not give the elapsed cycles.
Measures measuresOf(const Simulator& machine, bool isTimed);

/// The machine with the number of CPUs that a trace needs. An error if that machine is not sound.
Expected<MachineConfig> grownFor(const MachineConfig& machine, const Trace& trace);

/// Plays a trace up to the end of the range on a machine, which must be sound for its own CPUs. Progress is in
/// accesses. An error when the machine is not sound with the trace's CPUs, or when cancelled. A trace with timing of
/// its own is played twice, for a ledger and for the clocks.
Expected<Measures> measure(const std::shared_ptr<const Trace>& trace, const MachineConfig& machine, Range range,
                           bool ledger, Progress& progress);

/// Measures a range of a complete run, with a ledger. Empty when cancelled.
std::optional<Measures> measure(const Run& run, Range range, Progress& progress);

/// A complete run of a trace on a machine, which must be sound for its own CPUs. Progress is in accesses. An error when
/// the machine is not sound with the trace's CPUs, or when cancelled.
Expected<std::shared_ptr<const Run>> builtRun(const std::shared_ptr<const Trace>& trace, const MachineConfig& machine,
                                              Progress& progress);

/// The counts of a whole trace that is read without being kept, and a summary of the trace.
struct StreamedMeasures {
    Measures measures;
    StreamedTrace trace;
};

/// Whether measureStreamed() can compute the counts: no level of the machine needs future accesses (OPT), nothing is
/// filtered by region or source file, no regions are to be added, and the input can be read again if it has more CPUs
/// than the machine, or has a format with one CPU only.
bool canStream(const std::string& path, const ReadOptions& options, const MachineConfig& machine);

/// Plays a trace while it is read. Progress and errors are those of streamTrace.
Expected<StreamedMeasures> measureStreamed(const std::string& path, const ReadOptions& options,
                                           const MachineConfig& machine, Progress& progress);

}  // namespace whorl::sim
