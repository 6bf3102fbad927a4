// What of a history lies on the critical path of its run, to be lit in the views that show it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "app/session/view_id.h"
#include "sim/analysis/critical_path.h"
#include "sim/analysis/cycle_costs.h"
#include "sim/analysis/history.h"
#include "sim/base/progress.h"
#include "sim/replay/run.h"

namespace whorl::app {

/// A critical path that is to be lit.
struct LitPath {
    std::shared_ptr<const sim::RunCosts> costs;
    sim::PathCosts parts;
};

/// Plays a complete run. Null when cancelled.
std::shared_ptr<const LitPath> litPathOf(const sim::Run& run, std::shared_ptr<const sim::RunCosts> costs,
                                         sim::Progress& progress);

/// Of the nodes or stays of a view, those on the path: indices, ascending. Lines and objects: those that take at least
/// a hundredth of it; words: those of such objects. Stays: those that began with an access on it. The history must be
/// that of the run as it is simulated.
std::vector<std::uint32_t> pathHighlights(const sim::History& history, const sim::Trace& trace, const LitPath& path,
                                          const ViewId& view, bool words);

}  // namespace whorl::app
