// What the order of the accesses does to a report: a trace of several CPUs, of which it is known where they waited for
// each other, can be played in the order in which it was recorded or in virtual time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/analysis/sharing.h"
#include "sim/base/error.h"
#include "sim/base/progress.h"
#include "sim/machine/machine_config.h"
#include "sim/trace/spinning.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// The order that a report is about, and the other one.
struct OrderNote {
    bool isVirtual = false;  ///< the report is about virtual time
    std::uint32_t cpus = 0;
    std::uint64_t accesses = 0;
    std::optional<SharingCosts> other = {};  ///< the costs of the whole trace in the other order; none: not known
    std::optional<Spinning> spinning = {};   ///< how threads waited as it was recorded; none: not known
    std::string spinsAt = {};                ///< the line that mostly reads then; empty: none, or not known
};

/// Whether there is another order for a trace of this kind: several CPUs, and no times of its own but the log of waits.
bool hasOtherOrder(const Trace& trace);

/// The note on a trace. `other`: the same accesses in the other order; null: not at hand. Plays these once. An error if
/// the machine is not sound with the trace's CPUs, or when cancelled.
Expected<OrderNote> noteOnOrder(const Trace& trace, const Trace* other, const MachineConfig& machine,
                                Progress& progress);

}  // namespace whorl::sim
