// Makes the history of a run, or of a trace with a recording of its own memory system.
#pragma once

#include <memory>

#include "sim/analysis/history.h"
#include "sim/analysis/residency_log.h"
#include "sim/base/progress.h"
#include "sim/replay/run.h"

namespace whorl::sim {

/// The history of the accesses of a range. The build of the run must have begun and reached the start of the range; the
/// rest may be built meanwhile. Costs a replay from the start of the trace, or only of the range where the trace has no
/// timing of its own. Unrecorded accesses change the caches, but are not counted and take no time. Progress is in
/// accesses. Null when cancelled.
std::shared_ptr<const History> historyOf(const Run& run, Range range, Progress& progress,
                                         const HistoryBudget& budget = {});

/// The history from the recording in a trace, made without playing the trace: its levels are those of the recording.
/// Accesses cost their recorded access cycles. Null when the trace has no recording.
std::shared_ptr<const History> historyOf(const Trace& trace, Range range, const HistoryBudget& budget = {});
/// The recorded history of the whole trace.
inline std::shared_ptr<const History> historyOf(const Trace& trace, const HistoryBudget& budget = {}) {
    return historyOf(trace, {Tick{0}, Tick{trace.size()}}, budget);
}

}  // namespace whorl::sim
