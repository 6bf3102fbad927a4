// A simulated machine in the middle of a trace: the contents of the caches, the counters and the clocks so far. A plain
// value.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sim/base/progress.h"
#include "sim/cache/cost.h"
#include "sim/cache/counters.h"
#include "sim/cache/hierarchy.h"
#include "sim/trace/access.h"

namespace whorl::sim {

class Trace;

/// What a machine has counted so far.
struct MachineSums {
    Counters counters;
    std::vector<Cycles> clocks;  ///< the access cycles, by CPU
    std::uint64_t played = 0;    ///< the number of accesses played, counted or not

    /// The latest of all clocks.
    Cycles time() const;
    bool operator==(const MachineSums&) const = default;
};

class Simulator {
  public:
    /// The machine must be sound; levels with OPT need their future (see futureOf).
    explicit Simulator(const MachineConfig& machine, const Future& future = {});

    /// Plays one access and appends its events to the list. Unrecorded accesses change the caches and have events, but
    /// are not counted and take no time.
    void step(const Access& a, EventList& events);
    /// Plays one access without events.
    void step(const Access& a);

    /// Plays one access as `step` does, faster if it is a plain hit.
    void playOne(const PackedAccess& a, EventList& events) {
        if (events.hasListener() || !hitNearest(a, &events)) step(a.unpack(), events);
    }

    /// Plays accesses one after the other, in the fastest way. Appends their events, with the batch indices of their
    /// accesses, to `events` if given.
    void play(std::span<const PackedAccess> accesses, EventList* events);

    /// Fills the caches of a machine that has played nothing, as StoredState tells; false if they do not fit it, and it
    /// is to be thrown away.
    bool restore(std::string_view state);

    const Hierarchy& hierarchy() const { return hierarchy_; }
    const MachineConfig& machine() const { return hierarchy_.machine(); }
    const MachineSums& sums() const { return sums_; }
    const Counters& counters() const { return sums_.counters; }
    std::uint64_t played() const { return sums_.played; }
    Cycles clock(std::uint32_t cpu) const { return sums_.clocks[cpu]; }
    Cycles time() const { return sums_.time(); }

    std::size_t bytes() const { return sizeof *this + hierarchy_.bytes(); }
    bool operator==(const Simulator&) const = default;

  private:
    friend class SimulatorPatch;

    bool hitNearest(const PackedAccess& a, EventList* events);
    std::size_t playRow(std::span<const PackedAccess> row, std::size_t first, EventList* events);

    Hierarchy hierarchy_;
    MachineSums sums_;
};

/// Computes the future for levels with OPT; plays the trace once for each of them. Has no entries when there are no
/// such levels; std::nullopt when cancelled.
std::optional<Future> futureOf(const MachineConfig& machine, const Trace& trace, Progress& progress);

}  // namespace whorl::sim
