// Determines from a trace's synchronization log, while the trace is played, the waits of its threads at locks, barriers
// and the like: which CPU ended each wait, and when.
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

/// The kind of thing that a CPU waits for; `other`: an event, a semaphore, another thread, or something unknown.
enum class WaitFor : std::uint8_t { lock, barrier, other };

/// A wait of a CPU.
struct Wait {
    std::uint8_t cpu = 0;
    std::uint8_t by = 0;  ///< the CPU that ended the wait, at `to`
    WaitFor what = WaitFor::other;
    bool spun = false;  ///< the CPU made accesses while it waited
    Cycles from = 0;
    Cycles to = 0;
    bool operator==(const Wait&) const = default;
};

class SyncWaits {
  public:
    /// The log must outlive this. `isTimed`: the clocks are those of a trace with timing, so that the CPU that leaves a
    /// barrier first opened it; otherwise the last one to arrive did.
    SyncWaits(const SyncLog& log, bool isTimed);

    /// Whether the next entry precedes an access.
    bool isDue(Tick access) const { return hasNext_ && next_.at <= access; }
    const Sync& next() const { return next_; }
    /// The end of a wait: its time, and the CPU that caused it.
    struct Release {
        Cycles at = 0;
        std::uint8_t by = 0;
    };
    /// Takes the next entry; its CPU has finished its preceding accesses at `now`. Returns the release that ended its
    /// wait, if it waited for another CPU.
    std::optional<Release> take(Cycles now);

    /// A wait in progress: for a lock from wanting it until having it, for a barrier from arriving until leaving.
    struct Doing {
        WaitFor what = WaitFor::other;
        Cycles since = 0;
        bool tried = false;  ///< the CPU has made an access while waiting
    };
    std::optional<Doing>& doing(std::uint32_t cpu) { return doing_[cpu]; }

  private:
    struct Object {
        std::optional<Release> unlocked;  ///< lock: its last unlock
        std::vector<Release> happened;    ///< events, posts, or arrivals; an arrival has the latest time so far
        std::uint32_t taken = 0;          ///< semaphore: number taken
    };
    void advance();
    std::optional<Release> releaseOf(Object& object, Cycles now);
    std::optional<Release> opened(const Object& object, std::uint32_t arrivals, Cycles now);

    SyncCursor cursor_;
    SyncNeeds needs_;
    bool isTimed_;
    bool hasNext_ = false;
    Sync next_;
    std::size_t waits_ = 0;  ///< number of entries of needs_.waits already used
    std::vector<Object> objects_;
    std::array<std::optional<Doing>, kMaxCpus> doing_;
    /// By barrier and number of arrivals: the CPU that opened it, for a trace with timing.
    std::map<std::pair<std::uint32_t, std::uint32_t>, Release> opened_;
};

}  // namespace whorl::sim
