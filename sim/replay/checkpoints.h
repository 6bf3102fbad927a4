// The checkpoints of a run: the machine at some ticks, each as a patch to the one before, and every so often as a patch
// to the start, so that few patches have to be applied. When all together exceed their budget, every second one is
// dropped. One thread adds, any number of others read.
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
#include "sim/replay/simulator_patch.h"

namespace whorl::sim {

class Checkpoints {
  public:
    /// A state that is kept, and the misses before it.
    struct Kept {
        Tick at;
        Simulator state;
        std::vector<std::uint64_t> missed;  ///< by level
    };

    /// From the state at tick 0. `spacing`: accesses between them, at first; `budget`: bytes for all.
    Checkpoints(const Simulator& start, std::uint64_t spacing, std::size_t budget);

    /// Whether one is due after so many accesses.
    bool isDue(Tick at) const { return at.value % spacing_ == 0; }
    /// Takes the events of each batch that is played between the states that are added.
    void take(const EventList& events) { touched_.add({events.begin(), events.end()}); }
    /// The state at a tick after all that were added.
    void add(Tick at, const Simulator& state, std::vector<std::uint64_t> missed);

    /// The last one that is not after a tick.
    Kept nearest(Tick at) const;
    std::size_t bytes() const;

  private:
    using Shared = std::shared_ptr<const SimulatorPatch>;
    struct Checkpoint {
        Tick at;
        Shared change;  ///< since the one before; null at the start
        Shared whole;   ///< since the start; null in most
        std::vector<std::uint64_t> missed;
    };

    /// A patch to the start is worth its memory when applying the patches since the last one would cost more.
    bool needsWhole() const { return sinceWhole_ >= std::max(kLeastSinceWhole, wholeSize_); }
    void wholeIsKept(std::size_t size) {
        wholeSize_ = size;
        sinceWhole_ = 0;
    }
    std::size_t thinOut();
    static std::size_t bytesOf(const Checkpoint& c);

    static constexpr std::size_t kLeastSinceWhole = std::size_t{1} << 20;  ///< bytes
    static constexpr std::size_t kFewest = 16;  ///< checkpoints that are kept, however big they are

    std::shared_ptr<const Simulator> start_;
    std::size_t budget_;
    // Of the thread that adds.
    std::uint64_t spacing_;  ///< accesses between them; doubles when they are thinned out
    Simulator last_;         ///< the state that was added last
    TouchedSets touched_;
    std::size_t sinceWhole_ = 0;  ///< bytes of changes since the last one that is whole
    std::size_t wholeSize_ = 0;   ///< bytes of that

    mutable std::mutex mutex_;  ///< guards all below
    std::vector<Checkpoint> list_;
    std::size_t bytes_ = 0;  ///< of the list
};

}  // namespace whorl::sim
