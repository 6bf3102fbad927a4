// The memory of an owner as one array: a region, or blocks of the heap that a change of the layout gathers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "sim/analysis/layout_trials.h"
#include "sim/trace/region.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// The changes after which the memory of an owner is a region of its name: none for a region; reserve for a variable
/// whose blocks replace each other and grow, pool for other blocks of the heap. Nothing if it has no name that means it
/// alone.
std::optional<LayoutChanges> gathered(const Trace& trace, std::size_t owner);

/// A variable whose memory grows by being copied from one block into a larger one.
struct Growth {
    std::size_t blocks = 0;
    std::uint64_t copied = 0;  ///< bytes of all blocks but the last
};
std::optional<Growth> growthOf(const Trace& trace, std::size_t owner);

struct OwnerShape {
    Region region;           ///< as it is when gathered
    std::uint64_t step = 0;  ///< bytes from one block of the heap to the next, mostly; 0: there is one block

    /// Bytes from one row to the next, as the program walks them; 0: it has no known rows.
    std::uint64_t pitch() const {
        if (region.columns < 2 || region.rows < 2) return 0;
        return step != 0 ? step : region.columns * region.elementSize;
    }
};

/// `gathering`: see gathered(); not empty for an owner that is no region.
OwnerShape shapeOf(const Trace& trace, std::size_t owner, const LayoutChanges& gathering);

}  // namespace whorl::sim
