// Runs a search over a run: a task, because it may replay long parts of the run.
#pragma once

#include <memory>
#include <optional>

#include "app/session/search.h"
#include "sim/base/progress.h"

namespace whorl::app {

/// The nearest access that matches the search. Nothing if there is none or if cancelled.
std::optional<SearchHit> findNearest(const std::shared_ptr<const sim::Run>& run, const Search& search,
                                     sim::Progress& progress);

}  // namespace whorl::app
