// Placements of data at which CPUs may share blocks falsely that they do not share where the data is now. Only an
// estimate, based on which CPUs use which words of neighbouring blocks: cheap enough to choose the few placements that
// are replayed.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/base/progress.h"
#include "sim/base/types.h"
#include "sim/trace/layout/layout_change.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// Things that begin a few bytes earlier or later.
struct Placement {
    std::vector<LayoutChange> shifts;  ///< by the same number of bytes, in the order in which they can be applied
    std::uint64_t weight = 0;          ///< the accesses that would meet in blocks and do not now; an estimate

    bool operator==(const Placement&) const = default;
};

/// At most `most` placements, the heaviest first. Each shift is smaller than a block of one of the sizes, and keeps the
/// alignment that the accesses require. Progress is in accesses; empty when cancelled.
std::optional<std::vector<Placement>> latentPlacements(const Trace& trace, Range range,
                                                       std::span<const std::uint32_t> blockSizes, std::size_t most,
                                                       Progress& progress);

}  // namespace whorl::sim
