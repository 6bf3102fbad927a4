// Runs a search over a run: a task, for it may replay long parts of it.
#pragma once

#include <memory>
#include <optional>

#include "app/session/search.h"
#include "sim/base/progress.h"

namespace whorl::app {

/// The nearest access that the search looks for. Nothing when there is none, or when it was cancelled.
std::optional<SearchHit> findNearest(const std::shared_ptr<const sim::Run>& run, const Search& search,
                                     sim::Progress& progress);

}  // namespace whorl::app
