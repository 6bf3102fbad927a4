// The caches of a machine and the way of an access through them. Its state is a plain value: copying it is a
// checkpoint.
//
// The convention, on which independent simulators agree: an access that straddles blocks touches each, in address
// order; on a miss the next level is asked first, then the victim is written back; a write-back is a write to the next
// level and allocates there; invalid ways are filled first.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/cache/cache.h"
#include "sim/cache/event.h"
#include "sim/machine/machine_config.h"
#include "sim/trace/access.h"

namespace whorl::sim {

class Hierarchy {
  public:
    /// The machine must be sound, as `checked` says.
    explicit Hierarchy(const MachineConfig& machine) {
        for (const LevelConfig& level : machine.levels) caches_.emplace_back(level);
    }

    std::size_t levels() const { return caches_.size(); }
    const Cache& cache(std::size_t level) const { return caches_[level]; }

    /// Plays one access and tells each event to on(const Event&).
    template <class On>
    void access(const Access& a, On&& on) {
        const unsigned shift = caches_[0].blockShift();
        const std::uint64_t last = (a.address.value + (a.size - 1)) >> shift;
        for (std::uint64_t b = a.address.value >> shift; b <= last; ++b) {
            touch(0, BlockAddress{b}, a.isWrite(), on);
        }
    }

    bool operator==(const Hierarchy&) const = default;

  private:
    template <class On>
    void touch(std::size_t level, BlockAddress block, bool write, On& on) {
        Cache& cache = caches_[level];
        const SetIndex set = cache.setOf(block);
        Event event{.kind = EventKind::hit,
                    .level = static_cast<std::uint8_t>(level),
                    .cache = 0,
                    .write = write,
                    .set = set,
                    .way = WayIndex{cache.find(block)},
                    .block = block};
        if (event.way.value != Cache::kNoWay) {
            on(event);
            cache.touch(set, event.way);
        } else {
            event.kind = EventKind::miss;
            on(event);
            event.way = bringIn(level, block, on);
        }
        if (write) cache.markDirty(set, event.way);
    }

    /// Asks the next level for a block that missed, makes room and fills; gives the way.
    template <class On>
    WayIndex bringIn(std::size_t level, BlockAddress block, On& on) {
        if (level + 1 < caches_.size()) touch(level + 1, outward(level, block), false, on);
        Cache& cache = caches_[level];
        const SetIndex set = cache.setOf(block);
        const WayIndex way = cache.nextWay(set);
        const Line victim = cache.line(set, way);
        const auto tell = [&](EventKind kind, BlockAddress which, bool flag) {
            on(Event{.kind = kind,
                     .level = static_cast<std::uint8_t>(level),
                     .cache = 0,
                     .write = flag,
                     .set = set,
                     .way = way,
                     .block = which});
        };
        if (victim.valid) {
            tell(EventKind::eviction, victim.block, victim.dirty);
            if (victim.dirty) {
                tell(EventKind::writeback, victim.block, true);
                if (level + 1 < caches_.size()) touch(level + 1, outward(level, victim.block), true, on);
            }
        }
        cache.fill(set, way, block);
        tell(EventKind::fill, block, false);
        return way;
    }

    /// The next level's block that holds this level's block.
    BlockAddress outward(std::size_t level, BlockAddress block) const {
        return caches_[level + 1].blockOf(caches_[level].addressOf(block));
    }

    std::vector<Cache> caches_;
};

}  // namespace whorl::sim
