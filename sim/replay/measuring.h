// From a trace and a machine to figures, without a run that is kept: nothing is remembered on the way but what is asked
// for.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "sim/base/error.h"
#include "sim/base/progress.h"
#include "sim/cache/cost.h"
#include "sim/cache/counters.h"
#include "sim/machine/machine_config.h"
#include "sim/replay/totals/ledger.h"
#include "sim/trace/reader.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// What was measured of a stretch of a trace.
struct Figures {
    MachineConfig machine;  ///< with as many CPUs as the trace needs
    Counters counters;
    std::vector<Cycles> cycles;            ///< waited, by CPU
    std::shared_ptr<const Ledger> ledger;  ///< null when only counts were wanted
    /// From when all CPUs were through with what came before until they were through with the last; nothing when that
    /// is not known.
    std::optional<Cycles> elapsed;
};

/// The accesses [from, to).
struct Stretch {
    Tick from;
    Tick to;
};

/// The machine with as many CPUs as a trace needs. An error when it is not sound so.
Expected<MachineConfig> grownFor(const MachineConfig& machine, const Trace& trace);

/// Plays a trace on a machine, which must be sound for its own CPUs, up to the end of the stretch. Progress is in
/// accesses. An error when the machine is not sound with the trace's CPUs, and when it was cancelled. A trace that
/// knows more of time than its accesses is played twice, for the clocks.
Expected<Figures> measure(const std::shared_ptr<const Trace>& trace, const MachineConfig& machine, Stretch stretch,
                          bool ledger, Progress& progress);

/// The counts of a whole trace that is read without being kept, with what is known of it.
struct StreamedFigures {
    Figures figures;
    StreamedTrace trace;
};

/// Whether the counts can be found that way: no level of the machine looks into the future, nothing is chosen by region
/// or source file, and the input can be read again should it turn out to have more CPUs than the machine, or is of a
/// format that has one only.
bool canStream(const std::string& path, const ReadOptions& options, const MachineConfig& machine);

/// Plays a trace while it is read. Progress and errors are those of streamTrace.
Expected<StreamedFigures> measureStreamed(const std::string& path, const ReadOptions& options,
                                          const MachineConfig& machine, Progress& progress);

}  // namespace whorl::sim
