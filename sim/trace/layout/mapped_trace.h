// A trace seen as if things lay elsewhere in memory: what would be, were a program compiled with other padding. The
// accesses are not copied.
#pragma once

#include <memory>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/progress.h"
#include "sim/trace/layout/layout_change.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// The trace after the changes, each made to what the one before has left. Its regions, objects and footprint are where
/// they have come to lie, and its name says what was changed. A recording is left out, for it tells of other addresses.
/// Of a view, the result is a view of the same original. Progress is in accesses. Costs one look at every access.
Expected<Trace> mapped(const std::shared_ptr<const Trace>& trace, const std::vector<LayoutChange>& changes,
                       Progress& progress);

}  // namespace whorl::sim
