// The numbers that take time to work out: all measures of a range, and the kinds of misses up to a moment. They are the
// run's own; this asks for them and puts them together.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "app/session/range.h"
#include "sim/analysis/history.h"
#include "sim/analysis/sharing.h"
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
    sim::Tick at;  ///< they count the accesses before this one
    MissKindCounts kinds;
};

/// All that is measured of a range, which must be built. Null when it was cancelled.
std::shared_ptr<const RangeFigures> figuresOf(const sim::Run& run, const sim::Range& range, sim::Progress& progress);

/// The kinds of the misses before `at`, as far as the overview knows them for sure: up to a moment not far before.
KindsSoFar kindsKnown(const sim::Overview& overview, sim::Tick at);
/// The same up to `at` itself, which must be built, by a replay of the rest. Null when it was cancelled.
std::shared_ptr<const KindsSoFar> kindsBefore(const sim::Run& run, KindsSoFar known, sim::Tick at,
                                              sim::Progress& progress);

/// Which history is meant: of the whole run, or of a range; as its machine played it, or as its trace was recorded.
struct HistoryRequest {
    std::optional<sim::Range> range;
    bool recorded = false;
    bool operator==(const HistoryRequest&) const = default;
};
/// The one that the session's views need of a run.
HistoryRequest historyRequestOf(const Session& session, const sim::Run& run);
/// The history of a run, which must be complete unless it is the recorded one. Null when it was cancelled.
std::shared_ptr<const sim::History> historyFor(const sim::Run& run, const HistoryRequest& request,
                                               sim::Progress& progress);

/// Whether misses of this kind can happen on a machine at all.
bool canHappen(const sim::MachineConfig& machine, sim::MissKind kind);

/// What the panels show of all this: what is known, perhaps of an earlier question, and what is being worked out.
struct QueryResults {
    std::shared_ptr<const RangeFigures> range;          ///< null when there is no range, or nothing of it is known yet
    std::shared_ptr<const KindsSoFar> soFar;            ///< null when nothing is known yet
    bool measuring = false;                             ///< the range is being measured
    double measured = -1;                               ///< how far that is, from 0 to 1; negative when not known
    bool searching = false;                             ///< a search is under way
    std::shared_ptr<const sim::SharingReport> sharing;  ///< null when it is not asked for, or not known yet
    bool findingSharing = false;                        ///< the sharing report is being worked out
};

}  // namespace whorl::app
