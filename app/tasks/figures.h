// Results that take time to compute: all measures of a range, and the kinds of misses up to a tick. The run computes
// them; the functions here combine its results.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "app/session/selection.h"
#include "app/session/session.h"
#include "sim/analysis/history.h"
#include "sim/analysis/orders.h"
#include "sim/analysis/sharing.h"
#include "sim/analysis/why.h"
#include "sim/base/progress.h"
#include "sim/replay/run.h"
#include "sim/replay/totals/miss_kind.h"
#include "sim/replay/totals/overview.h"

namespace whorl::app {

struct Session;

/// Misses by level and kind.
using MissKindCounts = std::vector<std::array<std::uint64_t, sim::kMissKinds>>;

struct RangeFigures {
    sim::Range of;
    sim::Measures measures;
    MissKindCounts kinds;
};

struct KindsSoFar {
    sim::Tick at;  ///< the accesses before this one are counted
    MissKindCounts kinds;
};

/// All measures of a range, which must be built. Null if cancelled.
std::shared_ptr<const RangeFigures> figuresOf(const sim::Run& run, const sim::Range& range, sim::Progress& progress);

/// The kinds of the misses before `at`, as far as the overview has them exactly: up to a tick shortly before `at`.
KindsSoFar kindsKnown(const sim::Overview& overview, sim::Tick at);
/// The kinds of all misses before `at`, which must be built: replays the accesses after `known`. Null if cancelled.
std::shared_ptr<const KindsSoFar> kindsBefore(const sim::Run& run, KindsSoFar known, sim::Tick at,
                                              sim::Progress& progress);

/// Selects a history: of the whole run or a range; as simulated on its machine, or as recorded in the trace.
struct HistoryRequest {
    std::optional<sim::Range> range;
    bool recorded = false;
    bool operator==(const HistoryRequest&) const = default;
};
/// The history of a run that its views need.
HistoryRequest historyRequestOf(const RunContext& context, const sim::Run& run);
/// Whether a run is far enough for a history. That plays the accesses itself, beside the building: nothing needs to be
/// built but what it starts from.
bool canMakeHistory(const sim::Run& run, const HistoryRequest& request);
/// The history of a run, which must be far enough for it. Null if cancelled.
std::shared_ptr<const sim::History> historyFor(const sim::Run& run, const HistoryRequest& request,
                                               sim::Progress& progress);

/// Whether misses of this kind are possible on a machine.
bool canHappen(const sim::MachineConfig& machine, sim::MissKind kind);

/// Why the run stalls, and what there is to say about the order of its accesses.
struct WhyAnswer {
    sim::WhyReport report;
    std::optional<sim::OrderNote> order;
};

/// The results shown by the panels, possibly of an earlier query, and the state of running queries.
struct QueryResults {
    std::shared_ptr<const RangeFigures> range;          ///< null if there is no range or no result yet
    std::shared_ptr<const KindsSoFar> soFar;            ///< null if there is no result yet
    bool measuring = false;                             ///< the range is being measured
    double measured = -1;                               ///< progress of that, from 0 to 1; negative if unknown
    bool searching = false;                             ///< a search is under way
    std::shared_ptr<const sim::SharingReport> sharing;  ///< null if not requested or not available yet
    bool findingSharing = false;                        ///< it is being computed, with its cures
    double sharingFraction = -1;                        ///< progress of that, from 0 to 1; negative if unknown
    std::shared_ptr<const WhyAnswer> why;               ///< null if not requested or not available yet
    bool findingWhy = false;                            ///< it is being computed
    double whyFraction = -1;                            ///< progress of that, from 0 to 1; negative if unknown
};

}  // namespace whorl::app
