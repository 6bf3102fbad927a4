// Evictions by pairs: for each two regions, objects or classes, how often an access to one evicted a block of the other
// from a cache, and when. Computed from the stays of a history.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/analysis/history.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

enum class CollisionsOf : std::uint8_t { region, object, className };

/// "region", "object", "class", or empty for any other word; and the reverse.
std::optional<CollisionsOf> collisionsNamed(std::string_view word);
std::string_view wordFor(CollisionsOf of);

/// A cell of the matrix of a level.
struct Collision {
    std::size_t level = 0;
    std::uint32_t evictor = 0;  ///< of the access: index into Collisions::names
    std::uint32_t victim = 0;   ///< of the first byte of the block
    std::vector<Tick> moments;  ///< ticks of the accesses, ascending; one for each evicted block

    std::uint64_t count() const { return moments.size(); }
};

struct Collisions {
    CollisionsOf of = CollisionsOf::region;
    std::vector<std::string> names;
    std::vector<Collision> cells;  ///< by level; the most frequent first
    std::uint64_t leftOut = 0;     ///< stays missing from the history, whose ends are not known
};

/// For all levels. Unrecorded accesses do not count.
Collisions collisionsOf(const History& history, const Trace& trace, CollisionsOf of);

}  // namespace whorl::sim
