// A simulated machine in the middle of a trace: the caches as they stand, the counters and the clocks so far. A plain
// value.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sim/base/progress.h"
#include "sim/cache/cost.h"
#include "sim/cache/counters.h"
#include "sim/cache/hierarchy.h"
#include "sim/trace/access.h"

namespace whorl::sim {

class Trace;
struct PlainRun;

class Simulator {
  public:
    /// The machine must be sound; levels with OPT need their future (see futureOf).
    explicit Simulator(const MachineConfig& machine, const Future& future = {});

    /// Plays one access; its events are added to the list. What is not recorded happens and has events, but neither
    /// counts nor takes time.
    void step(const Access& a, EventList& events);
    /// Plays one access without events.
    void step(const Access& a);

    /// Plays accesses one after the other, the fastest way there is. Their events are added to `events`, if given, with
    /// their places among the accesses.
    void play(std::span<const PackedAccess> accesses, EventList* events);

    const Hierarchy& hierarchy() const { return hierarchy_; }
    const MachineConfig& machine() const { return hierarchy_.machine(); }
    const Counters& counters() const { return counters_; }
    /// The accesses played, counted or not.
    std::uint64_t played() const { return played_; }
    /// How long a CPU has waited for its accesses.
    Cycles clock(std::uint32_t cpu) const { return clocks_[cpu]; }
    /// The latest of all clocks.
    Cycles time() const;

    std::size_t bytes() const { return sizeof *this + hierarchy_.bytes(); }
    bool operator==(const Simulator&) const = default;

  private:
    friend class SimulatorPatch;

    bool hitNearest(const PackedAccess& a, EventList* events);
    template <bool kEmit>
    void playSimply(std::span<const PackedAccess> accesses, EventList* events);
    void playPlainly(std::span<const PackedAccess> accesses, EventList* events);
    std::size_t playRow(std::span<const PackedAccess> row, std::size_t first, EventList* events);
    void count(const PlainRun& run);

    Hierarchy hierarchy_;
    Counters counters_;
    std::vector<Cycles> clocks_;  ///< by CPU
    std::uint64_t played_ = 0;
};

/// What levels with OPT have to know: plays the trace once for each of them. Empty when there are none. Nothing when it
/// was cancelled.
std::optional<Future> futureOf(const MachineConfig& machine, const Trace& trace, Progress& progress);

}  // namespace whorl::sim
