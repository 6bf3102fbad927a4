// What a person can look for, and what that means for the run that is open.
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

/// Two regions that conflict: an access to one evicts blocks of the other; numbers as in the ledger.
struct RegionPair {
    std::uint32_t evictor = 0;
    std::uint32_t victim = 0;
    bool operator==(const RegionPair&) const = default;
};

enum class SearchKind : std::uint8_t { miss, regionMiss, eviction, conflict, transfer, mark };
inline constexpr std::size_t kSearchKinds = 6;

/// A search that is wanted: the nearest access from `from` on, or before it, that does any of these.
struct Search {
    std::vector<sim::EventQuery> queries;
    sim::Direction direction = sim::Direction::forward;
    std::optional<sim::Tick> from;  ///< the access that does not count; none: the start of the trace
    std::uint32_t cpu = 0;          ///< whose caches are looked at now
    std::string words;              ///< "miss in A"
};

/// What was found: the access, and a CPU in whose caches it can be seen.
struct SearchHit {
    sim::Tick tick;
    std::uint32_t cpu = 0;
};

/// What is looked for, in words, with the names of what is chosen: "eviction of A[3][0]". An error says what must be
/// chosen first.
sim::Expected<std::string> wordsFor(const Session& session, SearchKind searchKind);

/// The search that the session asks for; an error as above.
sim::Expected<Search> searchFor(const Session& session, SearchKind searchKind, sim::Direction direction);

/// The name of a region as the ledger numbers it; "elsewhere" for what lies in none.
std::string regionName(const sim::Trace& trace, std::uint32_t region);

}  // namespace whorl::app
