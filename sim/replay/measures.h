// All measures of a range of a trace on a machine.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "sim/cache/cost.h"
#include "sim/cache/counters.h"
#include "sim/machine/machine_config.h"
#include "sim/replay/simulator.h"
#include "sim/replay/totals/ledger.h"

namespace whorl::sim {

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
Measures measuresOf(const MachineConfig& machine, const MachineSums& sums, bool isTimed);
inline Measures measuresOf(const Simulator& machine, bool isTimed) {
    return measuresOf(machine.machine(), machine.sums(), isTimed);
}

}  // namespace whorl::sim
