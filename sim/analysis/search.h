// Finds the next access of a run, or the last before, that does what is searched for: by the outlines of the chunks in
// the run's event index, then their entries, and only where those did not fit into memory by a replay of a chunk.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/base/progress.h"
#include "sim/base/types.h"
#include "sim/replay/run.h"

namespace whorl::sim {

enum class Direction : std::uint8_t { forward, backward };

/// What to search for.
struct EventQuery {
    enum class Kind : std::uint8_t {
        miss,      ///< a miss: in a level, of a region, or any in the nearest level
        eviction,  ///< a block leaves a cache, for whatever reason: of a level, of an address, or any
        conflict,  ///< an access to one region evicts a block of another
        transfer,  ///< a CPU invalidates another's block, or reads what the other had to itself
        mark,      ///< a mark of the trace: the access after it
    };

    Kind kind = Kind::miss;
    std::optional<std::uint8_t> level;    ///< any, if not given (of misses: the nearest)
    std::optional<std::uint32_t> region;  ///< of a miss: whose; of a conflict: that of the access
    std::optional<std::uint32_t> victim;  ///< of a conflict: whose block is evicted
    std::optional<ByteAddress> address;   ///< of an eviction: a byte of the block
};

/// The first access after `from`, or the last before it, that does what is searched for; nothing when there is none as
/// far as the run is built, or when it was cancelled. `from` itself does not count.
std::optional<Tick> findEvent(const Run& run, const EventQuery& query, Tick from, Direction direction,
                              Progress& progress);

}  // namespace whorl::sim
