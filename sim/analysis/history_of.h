// Makes the history of a run, or of a trace with a recording of its own memory system.
#pragma once

#include <memory>

#include "sim/analysis/history.h"
#include "sim/analysis/residency_log.h"
#include "sim/base/progress.h"
#include "sim/replay/run.h"

namespace whorl::sim {

/// Everything that happened in the accesses of a range. Only what is before it must be built, and of a run that has
/// begun: the rest may be built meanwhile. Costs a replay from the start of the trace, or only of the range where the
/// trace has no timing of its own. Unrecorded accesses change the caches, but are not counted and take no time.
/// Progress is in accesses. Null when cancelled.
std::shared_ptr<const History> historyOf(const Run& run, Range range, Progress& progress,
                                         const HistoryBudget& budget = {});

/// The same from the recording in a trace, without playing it: its levels are those of the recording. Accesses cost
/// their recorded access cycles. Null when the trace has no recording.
std::shared_ptr<const History> historyOf(const Trace& trace, Range range, const HistoryBudget& budget = {});
/// For the whole trace.
inline std::shared_ptr<const History> historyOf(const Trace& trace, const HistoryBudget& budget = {}) {
    return historyOf(trace, {Tick{0}, Tick{trace.size()}}, budget);
}

}  // namespace whorl::sim
