// The searches that the user can start.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/analysis/search.h"
#include "sim/replay/run.h"

namespace whorl::app {

enum class SearchKind : std::uint8_t {
    miss,
    regionMiss,
    eviction,
    conflict,
    transfer,
    pageFault,
    mark,
    watchedAccess,
    watchedFill,
    watchedLoss,
    blockAccess,  ///< access to the selected block
    blockMiss,
    regionAccess,  ///< access to the selected region, or to the region of the selected block
    regionEviction,
    lineAccess,  ///< access by the selected source line
    lineMiss,
    lineEviction,
};
inline constexpr std::size_t kSearchKinds = 17;

/// A requested search: the nearest access after `from`, or before it, that matches any of the queries.
struct Search {
    std::vector<sim::EventQuery> queries;
    sim::Direction direction = sim::Direction::forward;
    std::optional<sim::Tick> from;  ///< excluded from the search; none: the start of the trace
    std::uint32_t cpu = 0;          ///< CPU whose caches are currently shown
    std::string words;              ///< "miss in A"
};

/// The result: the access, and a CPU whose caches show the event.
struct SearchHit {
    sim::Tick tick;
    std::uint32_t cpu = 0;
};

}  // namespace whorl::app
