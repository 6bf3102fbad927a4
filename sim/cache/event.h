// What happens in the hierarchy, as told to whoever listens.
#pragma once

#include <cstddef>
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

/// Follows the events of an access and tells the CPU's own request, on its way outward, from what it sets off
/// (write-backs and what they set off in turn). Each level is asked before anything else happens, so a request is the
/// run of hits and misses, one a level, that begins at the nearest.
class RequestPath {
  public:
    /// Takes the next event; true when it is the request coming to a level.
    bool take(const Event& e) {
        const bool asks = e.kind == EventKind::hit || e.kind == EventKind::miss;
        if (asks && e.level == 0) {
            level_ = 0;
            open_ = true;
        }
        if (!asks || !open_ || e.level != level_) return open_ = false;
        open_ = e.kind == EventKind::miss;
        if (open_) ++level_;
        return true;
    }
    /// The level that served the last request; the number of levels if it was memory.
    std::size_t servedBy() const { return level_; }

  private:
    std::size_t level_ = 0;
    bool open_ = false;
};

}  // namespace whorl::sim
