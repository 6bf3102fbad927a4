// What the last accesses before a time did to cells of memory and of caches: which cells they touched, which level
// served them, and which blocks replaced which. A picture of cells at a time thus depends on that time alone, not on
// how the playhead got there.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sim/cache/event.h"
#include "sim/replay/run.h"
#include "sim/replay/simulator.h"

namespace whorl::sim {

/// An access.
struct Touch {
    Tick tick;
    ByteAddress address;  ///< address of the first byte
    std::uint32_t size = 0;
    std::uint8_t cpu = 0;
    std::uint8_t served = 0;  ///< the level that served its last request; the number of levels: memory
    bool write = false;
};

/// A request of any kind, or a fill, at a cell of a cache.
struct CacheTouch {
    Tick tick;
    std::uint32_t slot = 0;  ///< set * ways + way
    std::uint8_t cache = 0;
    bool hit = false;  ///< else its block was filled
    bool write = false;
};

/// A block took the place of another in a cache: a line of conflict.
struct Replacement {
    Tick tick;
    BlockAddress out;  ///< in blocks of the level
    BlockAddress in;
    std::uint8_t level = 0;
    std::uint8_t cache = 0;
};

/// Which of the last accesses to keep.
struct ActivityRequest {
    std::uint64_t lookback = 0;              ///< accesses
    std::optional<std::uint8_t> cacheLevel;  ///< also the touches of this level's caches
    bool operator==(const ActivityRequest&) const = default;
};

struct Activity {
    explicit Activity(Simulator machine) : now(std::move(machine)) {}

    Simulator now;  ///< after every access that has begun
    Tick from;      ///< the first access kept
    std::deque<Touch> touches;
    std::deque<CacheTouch> cacheTouches;
    std::deque<Replacement> replacements;  ///< replacements in all levels

    /// The number of accesses that have begun.
    Tick begun() const { return Tick{now.played()}; }
};

/// Returns the activity before any time. Keeps the last one, so that consecutive times are cheap: a cache that does not
/// affect the results. For one thread.
class ActivityReader {
  public:
    explicit ActivityReader(std::shared_ptr<const Run> run) : run_(std::move(run)) {}

    /// The last `lookback` of the accesses that have begun at time t, which is clamped to what is built. Unrecorded
    /// accesses are left out. Valid until the next call.
    const Activity& at(double t, const ActivityRequest& request);
    /// The result of the last call of at(); null before the first.
    const Activity* last() const { return activity_ ? &*activity_ : nullptr; }

  private:
    void playTo(Tick to);
    void take(Tick tick, const PackedAccess& packed, std::span<const Event> events);
    void takeFill(Tick tick, const Event& fill);
    void trim(Tick from);

    std::shared_ptr<const Run> run_;
    ActivityRequest request_;
    std::optional<Activity> activity_;
    std::vector<const Event*> evictions_;  ///< evictions by the current access whose ways have not been filled yet
};

/// The weight of something that happened `age` accesses ago, when it halves every `halfLife` accesses; 0 from ten
/// half-lives on.
float decayed(double age, double halfLife);
/// The number of accesses from which something has any weight.
std::uint64_t reachOf(double halfLife);

}  // namespace whorl::sim
