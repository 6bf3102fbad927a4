// A view of a trace with a different memory layout, as if the program had been compiled with other padding. The
// accesses are not copied.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/progress.h"
#include "sim/trace/layout/address_map.h"
#include "sim/trace/layout/layout_change.h"
#include "sim/trace/region.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// The trace after the changes, applied in sequence. Regions, objects and footprint are mapped, and the name lists the
/// changes. A recording is dropped, because its addresses no longer apply. A view of a view has the same original.
/// Progress is in accesses. Takes one pass over the accesses, for the footprint; none without it, for a view that is
/// only played: its footprint is the old one.
Expected<Trace> mapped(const std::shared_ptr<const Trace>& trace, const std::vector<LayoutChange>& changes,
                       Progress& progress, bool hasFootprint = true);

/// Whether any address in a view differs from that in the mapped trace.
bool isMoved(const Trace& view, const Trace& trace);

/// Where a byte of a view lies in another view of the same accesses. Memory that is gathered elsewhere stays in place.
ByteAddress sameByte(const Trace& view, const Trace& other, ByteAddress byte);

// The address mapping of one change: the named things move or grow, and other things move up to make room.

/// Things that a change does not name move only to make room, by multiples of this many bytes, so that their offsets
/// within blocks and pages do not change.
inline constexpr std::uint64_t kKeptAlignment = 4096;

/// The effect of a change on the memory layout.
struct LayoutStep {
    AddressMap::Step map;
    /// Bytes of unused memory added before and in the named things; not counting those added to make room for them.
    std::uint64_t padding = 0;
};

/// The step for a change, given the regions and objects in memory. All things keep their order: those in the way move
/// up, and those behind them only as far as necessary. Objects that use the same memory at different times move
/// together; a change fails if it would move an object that it does not name along with another. `trace` is the trace
/// in error messages.
Expected<LayoutStep> layoutStep(const LayoutChange& change, const std::vector<Region>& regions,
                                const std::vector<Object>& objects, const std::string& trace);

/// Applies a step to regions and objects. A region whose content has changed its layout loses its rows and columns.
void applyStep(const AddressMap::Step& step, std::vector<Region>& regions, std::vector<Object>& objects);

}  // namespace whorl::sim
