// All that is measured of a range of a trace on a machine, and the ways to get it without keeping a run.
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

struct Measures {
    MachineConfig machine;  ///< with as many CPUs as the trace needs
    Counters counters;
    std::vector<Cycles> cycles;            ///< waited, by CPU
    std::shared_ptr<const Ledger> ledger;  ///< null when only counts were wanted
    /// From when all CPUs were through with what came before until they were through with the last; nothing when that
    /// is not known.
    std::optional<Cycles> elapsed;

    /// Cycles waited by all CPUs together.
    Cycles cyclesOfAll() const;
    /// … for each access; 0 when there were none.
    double cyclesPerAccess() const;
    /// Without what an earlier part of the same range measured. Leaves the ledger as it is.
    Measures& operator-=(const Measures& part);
};

/// What a machine has counted and waited so far, without a ledger. `isTimed`: the trace knows more of time than its
/// accesses (Trace::timing), so that the machine's clocks do not tell what elapsed.
Measures measuresOf(const Simulator& machine, bool isTimed);

/// The machine with as many CPUs as a trace needs. An error when it is not sound so.
Expected<MachineConfig> grownFor(const MachineConfig& machine, const Trace& trace);

/// Plays a trace on a machine, which must be sound for its own CPUs, up to the end of the range. Progress is in
/// accesses. An error when the machine is not sound with the trace's CPUs, and when it was cancelled. A trace that
/// knows more of time than its accesses is played twice, for the clocks.
Expected<Measures> measure(const std::shared_ptr<const Trace>& trace, const MachineConfig& machine, Range range,
                           bool ledger, Progress& progress);

/// The counts of a whole trace that is read without being kept, with what is known of it.
struct StreamedMeasures {
    Measures measures;
    StreamedTrace trace;
};

/// Whether the counts can be found that way: no level of the machine looks into the future, nothing is chosen by region
/// or source file, and the input can be read again should it turn out to have more CPUs than the machine, or is of a
/// format that has one only.
bool canStream(const std::string& path, const ReadOptions& options, const MachineConfig& machine);

/// Plays a trace while it is read. Progress and errors are those of streamTrace.
Expected<StreamedMeasures> measureStreamed(const std::string& path, const ReadOptions& options,
                                           const MachineConfig& machine, Progress& progress);

}  // namespace whorl::sim
