// What the threads of a trace waited for at locks, barriers and the like, found in its synchronization log while the
// trace is played: which CPU let them go on, and when.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "sim/base/types.h"
#include "sim/cache/cost.h"
#include "sim/trace/sync_log.h"
#include "sim/trace/sync_needs.h"

namespace whorl::sim {

/// What a CPU waits for; `other`: an event, a semaphore, another thread, or something unknown.
enum class WaitFor : std::uint8_t { lock, barrier, other };

/// A CPU waited.
struct Wait {
    std::uint8_t cpu = 0;
    std::uint8_t by = 0;  ///< the CPU that let it go on, at `to`
    WaitFor what = WaitFor::other;
    bool spun = false;  ///< it made accesses meanwhile
    Cycles from = 0;
    Cycles to = 0;
    bool operator==(const Wait&) const = default;
};

class SyncWaits {
  public:
    /// The log must outlive it. `isTimed`: the clocks are those of a trace with timing, so that who leaves a barrier
    /// first has opened it; else the last to arrive has.
    SyncWaits(const SyncLog& log, bool isTimed);

    /// Whether the next entry comes before an access.
    bool isDue(Tick access) const { return hasNext_ && next_.at <= access; }
    const Sync& next() const { return next_; }
    /// What let a CPU go on.
    struct Release {
        Cycles at = 0;
        std::uint8_t by = 0;
    };
    /// Takes the next entry, whose CPU has finished its accesses before it at `now`. Returns what let it go on, if it
    /// waited for another.
    std::optional<Release> take(Cycles now);

    /// What a CPU is waiting for: a lock from wanting it until it has it, a barrier from arriving until leaving.
    struct Doing {
        WaitFor what = WaitFor::other;
        Cycles since = 0;
        bool tried = false;  ///< it has made an access meanwhile
    };
    std::optional<Doing>& doing(std::uint32_t cpu) { return doing_[cpu]; }

  private:
    struct Object {
        std::optional<Release> unlocked;  ///< of a lock: the last
        std::vector<Release> happened;    ///< events, posts, arrivals; of arrivals, the latest so far
        std::uint32_t taken = 0;          ///< from a semaphore
    };
    void advance();
    std::optional<Release> releaseOf(Object& object, Cycles now);
    std::optional<Release> opened(const Object& object, std::uint32_t arrivals, Cycles now);

    SyncCursor cursor_;
    SyncNeeds needs_;
    bool isTimed_;
    bool hasNext_ = false;
    Sync next_;
    std::size_t waits_ = 0;  ///< of needs_, so many are used up
    std::vector<Object> objects_;
    std::array<std::optional<Doing>, kMaxCpus> doing_;
    /// By barrier and number of arrivals: who opened it, where the clocks tell.
    std::map<std::pair<std::uint32_t, std::uint32_t>, Release> opened_;
};

}  // namespace whorl::sim
