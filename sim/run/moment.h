// A moment of a run: the machine as it stands, and what the last few accesses did to it. All that a picture needs.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/cache/event.h"
#include "sim/run/simulator.h"
#include "sim/trace/access.h"
#include "sim/types.h"

namespace whorl::sim {

/// The order of eviction in one set, before and after an access that touched it.
struct Reordering {
    std::uint8_t level = 0;
    std::uint8_t cache = 0;
    SetIndex set;
    std::vector<Line> before;  ///< by way
    std::vector<Line> after;   ///< by way
};

/// One access and all that it did.
struct Step {
    Tick tick;
    Access access;
    std::vector<Event> events;
    std::vector<Reordering> reorderings;  ///< one for each set that the access touched
};

/// The access with index i happens during (i, i + 1]: at time t, floor(t) accesses are over, and ceil(t) have begun.
struct Moment {
    double t = 0;
    std::uint32_t cpu = 0;     ///< whose caches are looked at
    Simulator now;             ///< after every access that has begun
    std::vector<Step> recent;  ///< the last accesses that have begun, oldest first

    /// How many accesses have begun.
    Tick begun() const { return Tick{now.counters().accesses()}; }
    /// The cache of a level that the CPU uses, and whether an event or a set is of one of those.
    const Cache& cache(std::size_t level) const {
        return now.hierarchy().cache(level, now.machine().cacheOf(level, cpu));
    }
    template <class T>
    bool isOnPath(const T& of) const {
        return of.level < now.hierarchy().levels() && of.cache == now.machine().cacheOf(of.level, cpu);
    }
    /// The access in motion, or the last one that was; null before the first.
    const Step* current() const { return recent.empty() ? nullptr : &recent.back(); }
};

}  // namespace whorl::sim
