// What happens in the hierarchy, as told to whoever listens.
#pragma once

#include <cstdint>

#include "sim/types.h"

namespace whorl::sim {

/// The events of one access come in the order in which things happen. A miss: `miss` at the level, then all events of
/// the next level as it is asked for the block, then, if a valid block must make room, `eviction` of it and, if it was
/// dirty, `writeback`, followed by the next level's events for that write; last `fill`. A miss at the last level reads
/// memory; a write-back from it writes memory.
enum class EventKind : std::uint8_t { hit, miss, fill, eviction, writeback };

struct Event {
    EventKind kind = EventKind::hit;
    std::uint8_t level = 0;  ///< 0 is nearest the CPU
    std::uint8_t cache = 0;  ///< which of the level's caches
    bool write = false;      ///< hit, miss: a write at this level; eviction: the victim was dirty
    SetIndex set;
    WayIndex way;        ///< not for a miss
    BlockAddress block;  ///< in the level's own blocks
};

}  // namespace whorl::sim
