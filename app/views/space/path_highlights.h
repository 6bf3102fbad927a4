// What of a history lies on the critical path of its run, to be lit in the views that show it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "sim/analysis/critical_path.h"
#include "sim/analysis/cycle_costs.h"
#include "sim/analysis/history.h"
#include "sim/base/progress.h"
#include "sim/replay/run.h"

namespace whorl::app {

/// A critical path to highlight.
struct HighlightedPath {
    std::shared_ptr<const sim::RunCosts> costs;
    sim::PathCosts parts;
};

/// Plays a complete run. Null when cancelled.
std::shared_ptr<const HighlightedPath> highlightedPathOf(const sim::Run& run,
                                                         std::shared_ptr<const sim::RunCosts> costs,
                                                         sim::Progress& progress);

/// Indices, ascending, of the source lines that take at least a hundredth of the path. `history` must be the simulated
/// history of the run.
std::vector<std::uint32_t> linesOn(const sim::History& history, const sim::Trace& trace, const HighlightedPath& path);
/// The objects that take at least a hundredth of the path, or the words of such objects.
std::vector<std::uint32_t> objectsOn(const sim::History& history, const sim::Trace& trace, const HighlightedPath& path,
                                     bool words);
/// The stays of a level that began with an access on the path.
std::vector<std::uint32_t> staysOn(const sim::History& history, std::size_t level, const HighlightedPath& path);

}  // namespace whorl::app
