// A view of a trace with a different memory layout, as if the program had been compiled with other padding. The
// accesses are not copied.
#pragma once

#include <memory>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/progress.h"
#include "sim/trace/layout/layout_change.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// The trace after the changes, applied in sequence. Regions, objects and footprint are mapped, and the name lists the
/// changes. A recording is dropped, because its addresses no longer apply. A view of a view has the same original.
/// Progress is in accesses. Takes one pass over the accesses.
Expected<Trace> mapped(const std::shared_ptr<const Trace>& trace, const std::vector<LayoutChange>& changes,
                       Progress& progress);

/// Whether any address in a view differs from that in the mapped trace.
bool isMoved(const Trace& view, const Trace& trace);

}  // namespace whorl::sim
