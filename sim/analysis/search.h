// Finds the next or previous access of a run that matches a query: by the outlines of the chunks in the run's event
// index, then their entries, and by replaying a chunk only where those did not fit into memory.
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
        miss,       ///< a miss: in a level, of a region, or any in the nearest level
        eviction,   ///< a block leaves a cache, for any reason: of a level, of an address, or any
        conflict,   ///< an access to one region evicts a block of another
        transfer,   ///< a CPU invalidates another's block, or reads what the other held exclusively
        pageFault,  ///< a page comes into memory
        mark,       ///< a mark of the trace: the access after it
        access,  ///< an access to the block of the nearest level at an address, to a region, or by a line or function
        fill,    ///< the block at an address comes into a cache, for any reason: of a level, or any
    };

    Kind kind = Kind::miss;
    std::optional<std::uint8_t> level;    ///< none: any level (for misses the nearest)
    std::optional<std::uint32_t> region;  ///< miss or eviction: region of the block; else: region of the access
    std::optional<std::uint32_t> victim;  ///< conflict: region of the evicted block
    std::optional<ByteAddress> address;   ///< miss, eviction, access or fill: a byte of the block
    /// A source line, numbered as in the trace.
    struct Line {
        std::uint32_t file = 0;
        std::uint32_t line = 0;
    };
    std::optional<Line> line;               ///< source line of the access, for whatever it leads to
    std::optional<std::uint32_t> function;  ///< … and its function, as numbered in the trace
};

/// The first access after `from`, or the last one before it, that matches; empty when there is none as far as the run
/// is built, or when cancelled. `from` itself is excluded.
std::optional<Tick> findEvent(const Run& run, const EventQuery& query, Tick from, Direction direction,
                              Progress& progress);

}  // namespace whorl::sim
