// The searches that the user can start, and their queries for the open run.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/analysis/search.h"
#include "sim/replay/run.h"

namespace whorl::app {

struct Session;

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
    blockAccess,  ///< of the selected block
    blockMiss,
    regionAccess,  ///< of the region of the selected block, or the selected one
    regionEviction,
    lineAccess,  ///< of the selected source line
    lineMiss,
    lineEviction,
};
inline constexpr std::size_t kSearchKinds = 17;

/// A requested search: the nearest access after `from`, or before it, that matches any of the queries.
struct Search {
    std::vector<sim::EventQuery> queries;
    sim::Direction direction = sim::Direction::forward;
    std::optional<sim::Tick> from;  ///< excluded from the search; none: the start of the trace
    std::uint32_t cpu = 0;          ///< whose caches are currently shown
    std::string words;              ///< "miss in A"
};

/// The result: the access, and a CPU whose caches show the event.
struct SearchHit {
    sim::Tick tick;
    std::uint32_t cpu = 0;
};

/// Describes a search, with the names of what is selected: "eviction of A[3][0]". The error states what must be
/// selected first.
sim::Expected<std::string> wordsFor(const Session& session, SearchKind searchKind);

/// The search for the session's current selection; errors as above.
sim::Expected<Search> searchFor(const Session& session, SearchKind searchKind, sim::Direction direction);

/// The name of a region as numbered in the ledger; "elsewhere" for addresses outside all regions.
std::string regionName(const sim::Trace& trace, std::uint32_t region);

}  // namespace whorl::app
