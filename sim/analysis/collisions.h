// Who throws out whom: for each pair of regions, objects or classes, how often an access to the one made a block of the
// other leave a cache for want of room, and when. Read off the stays of a history.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/analysis/history.h"
#include "sim/report/table.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

enum class CollisionsOf : std::uint8_t { region, object, className };

/// "region", "object", "class", or nothing for another word.
std::optional<CollisionsOf> collisionsNamed(std::string_view word);

/// A cell of the matrix of a level.
struct Collision {
    std::size_t level = 0;
    std::uint32_t culprit = 0;  ///< what the access was to: index into Collisions::names
    std::uint32_t victim = 0;   ///< what the first byte of the block belonged to
    std::vector<Tick> moments;  ///< the accesses, ascending; one for each block that left

    std::uint64_t count() const { return moments.size(); }
};

struct Collisions {
    CollisionsOf of = CollisionsOf::region;
    std::vector<std::string> names;
    std::vector<Collision> cells;  ///< by level; what happened most often first
    std::uint64_t leftOut = 0;     ///< stays that the history has left out, whose ends are not known
};

/// Of all levels. What is not recorded does not count.
Collisions collisionsOf(const History& history, const Trace& trace, CollisionsOf of);

/// The matrix of a level: a row for each culprit, a column for each victim, those of most collisions first; at most so
/// many of each, and the others together.
Table collisionMatrix(const Collisions& collisions, const History& history, std::size_t level, std::size_t top);

/// A row for each pair, of all levels or of one, with the first moments.
Table collisionPairs(const Collisions& collisions, const History& history, std::optional<std::size_t> level);

/// {"by", "pairs": [{"level", "culprit", "victim", "evictions", "moments": [ticks]}], "left_out"}.
std::string collisionsAsJson(const Collisions& collisions, const History& history, std::optional<std::size_t> level);

}  // namespace whorl::sim
