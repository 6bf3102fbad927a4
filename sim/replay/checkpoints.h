// The checkpoints of a run: the machine at some ticks, each stored as a patch to the previous one, and every so often
// as a patch to the start, so that few patches have to be applied. When their total size exceeds the budget, every
// second one is dropped. One thread adds, any number of others read.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "sim/base/types.h"
#include "sim/cache/hierarchy_patch.h"
#include "sim/replay/simulator.h"

namespace whorl::sim {

/// The difference between a machine at one tick of a trace and at a later one.
class SimulatorPatch {
  public:
    /// The patch that turns `before` into `after`. Compares only the sets in `touched`, those of the events in between,
    /// or all sets if it is null.
    SimulatorPatch(const Simulator& before, const Simulator& after, const TouchedSets* touched);
    /// Equivalent to applying one patch and then the next.
    SimulatorPatch(const SimulatorPatch& first, const SimulatorPatch& second);

    void applyTo(Simulator& state) const;
    /// The size in bytes.
    std::size_t bytes() const;

  private:
    HierarchyPatch hierarchy_;
    MachineSums after_;
};

class Checkpoints {
  public:
    /// A stored state, and the number of misses before it.
    struct Kept {
        Tick at;
        Simulator state;
        std::vector<std::uint64_t> missed;  ///< by level
    };

    /// Starts from the state at tick 0. `spacing` is the initial number of accesses between checkpoints; `budget`
    /// limits the bytes of all checkpoints.
    Checkpoints(const Simulator& start, std::uint64_t spacing, std::size_t budget);

    /// Whether a checkpoint is due at this tick.
    bool isDue(Tick at) const { return at.value % spacing_ == 0; }
    /// Takes the events of each batch played since the last added state.
    void take(const EventList& events) { touched_.add({events.begin(), events.end()}); }
    /// Adds the state at a tick later than all those added before.
    void add(Tick at, const Simulator& state, std::vector<std::uint64_t> missed);

    /// The tick of the last checkpoint at or before a tick.
    Tick before(Tick at) const;
    /// The last checkpoint at or before a tick.
    Kept nearest(Tick at) const;
    std::size_t bytes() const;

  private:
    using Shared = std::shared_ptr<const SimulatorPatch>;
    struct Checkpoint {
        Tick at;
        Shared change;  ///< since the previous checkpoint; null at the start
        Shared whole;   ///< since the start; null in most
        std::vector<std::uint64_t> missed;
    };

    /// Whether a patch to the start is worth its memory, because applying the patches since the last one would cost
    /// more.
    bool needsWhole() const { return sinceWhole_ >= std::max(kMinSinceWhole, wholeSize_); }
    void wholeIsKept(std::size_t size) {
        wholeSize_ = size;
        sinceWhole_ = 0;
    }
    std::size_t thinOut();
    /// The index in the list of the last checkpoint at or before a tick; the mutex must be locked.
    std::size_t indexBefore(Tick at) const;
    static std::size_t bytesOf(const Checkpoint& c);

    static constexpr std::size_t kMinSinceWhole = std::size_t{1} << 20;  ///< bytes
    static constexpr std::size_t kFewest = 16;  ///< checkpoints that are kept, whatever their size

    std::shared_ptr<const Simulator> start_;
    std::size_t budget_;
    // Used only by the thread that adds.
    std::uint64_t spacing_;  ///< accesses between checkpoints; doubled by thinOut()
    Simulator last_;         ///< the state added last
    TouchedSets touched_;
    std::size_t sinceWhole_ = 0;  ///< bytes of changes since the last patch to the start
    std::size_t wholeSize_ = 0;   ///< bytes of that patch

    mutable std::mutex mutex_;  ///< guards everything below
    std::vector<Checkpoint> list_;
    std::size_t bytes_ = 0;  ///< bytes of the list
};

}  // namespace whorl::sim
