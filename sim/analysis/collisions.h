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
    std::uint32_t evictor = 0;  ///< name at the address of the access: index into Collisions::names
    std::uint32_t victim = 0;   ///< name of the block: by its region as in the ledger, else by its first byte
    std::vector<Tick> moments;  ///< ticks of the accesses, ascending; one for each evicted block

    std::uint64_t count() const { return moments.size(); }
};

struct Collisions {
    CollisionsOf of = CollisionsOf::region;
    std::vector<std::string> names;
    /// The region or object of each name: index into Trace::regions() or objects(), their number for none. Empty for
    /// classes.
    std::vector<std::size_t> things;
    std::vector<Collision> cells;  ///< by level; the most frequent first
    std::uint64_t leftOut = 0;     ///< stays that the history omits, so that their ends are not known
};

/// The collisions in all levels. Unrecorded accesses do not count.
Collisions collisionsOf(const History& history, const Trace& trace, CollisionsOf of);

/// The thing that a byte belongs to at a tick, as collisions name it, and its index in Collisions::names; none if it
/// takes part in no collision.
struct CollisionThing {
    std::string name;
    std::optional<std::uint32_t> index;
    bool operator==(const CollisionThing&) const = default;
};
CollisionThing collisionThing(const Collisions& collisions, const Trace& trace, ByteAddress byte, Tick tick);

/// The number of collisions of a level that involve a name.
struct CollisionSum {
    std::uint32_t name = 0;  ///< index into Collisions::names
    std::uint64_t count = 0;
    bool operator==(const CollisionSum&) const = default;
};

/// The names that take part on one side, &Collision::evictor or &Collision::victim: the most frequent first, equally
/// frequent ones in the order of the names.
std::vector<CollisionSum> collisionSums(const Collisions& collisions, std::size_t level,
                                        std::uint32_t Collision::*side);

}  // namespace whorl::sim
