// Makes the history of a run, or of a trace that brings a recording of what its own memory system did.
#pragma once

#include <memory>

#include "sim/analysis/history.h"
#include "sim/analysis/residency_log.h"
#include "sim/base/error.h"
#include "sim/base/progress.h"
#include "sim/replay/run.h"

namespace whorl::sim {

/// Everything that happened in the accesses of a range, which must be built. Costs a replay from the start of the
/// trace, or from the range on where nothing is known of time beyond the accesses. What is not recorded happens, but
/// neither counts nor takes time. Progress is in accesses. Null when it was cancelled.
std::shared_ptr<const History> historyOf(const Run& run, Range range, Progress& progress,
                                         const HistoryBudget& budget = {});

/// The same from the recording that a trace brings along, without playing it: its levels are those of the recording.
/// Accesses cost what they are said to have waited. Null when the trace has no recording.
std::shared_ptr<const History> historyOf(const Trace& trace, Range range, const HistoryBudget& budget = {});
/// Of the whole trace.
inline std::shared_ptr<const History> historyOf(const Trace& trace, const HistoryBudget& budget = {}) {
    return historyOf(trace, {Tick{0}, Tick{trace.size()}}, budget);
}

/// A history for one question: plays the whole trace on a machine, which must be sound for its own CPUs, and then the
/// range. An error when the machine is not sound with the trace's CPUs, and when it was cancelled.
Expected<std::shared_ptr<const History>> historyFor(const std::shared_ptr<const Trace>& trace,
                                                    const MachineConfig& machine, Range range, Progress& progress);

}  // namespace whorl::sim
