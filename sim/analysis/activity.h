// What the last accesses before a time did to cells of memory and of caches: who was touched, which level served it,
// and what took whose place. With it a picture of cells at a time is a function of that time alone, however one got
// there.
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
    ByteAddress address;  ///< of its first byte
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

/// What is kept of the last accesses.
struct ActivityRequest {
    std::uint64_t lookback = 0;              ///< accesses
    std::optional<std::uint8_t> cacheLevel;  ///< also the touches of this level's caches
    bool operator==(const ActivityRequest&) const = default;
};

struct Activity {
    explicit Activity(Simulator machine) : now(std::move(machine)) {}

    Simulator now;  ///< after every access that has begun
    Tick from;      ///< of the accesses kept, the first
    std::deque<Touch> touches;
    std::deque<CacheTouch> cacheTouches;
    std::deque<Replacement> replacements;  ///< of all levels

    /// The number of accesses that have begun.
    Tick begun() const { return Tick{now.played()}; }
};

/// Returns the activity before any time. Keeps the last one, so that consecutive times are cheap: a cache that does not
/// affect the results. For one thread.
class ActivityReader {
  public:
    explicit ActivityReader(std::shared_ptr<const Run> run) : run_(std::move(run)) {}

    /// At time t (clamped to what is built): of the accesses that have begun, the last `lookback`. Valid until the next
    /// call. Unrecorded accesses are not among them.
    const Activity& at(double t, const ActivityRequest& request);
    /// What the last call returned; null before the first.
    const Activity* last() const { return activity_ ? &*activity_ : nullptr; }

  private:
    void playTo(Tick to);
    void take(Tick tick, const PackedAccess& packed, std::span<const Event> events);
    void takeFill(Tick tick, const Event& fill);
    void trim(Tick from);

    std::shared_ptr<const Run> run_;
    ActivityRequest request_;
    std::optional<Activity> activity_;
    std::vector<const Event*> evictions_;  ///< of the access being taken: those whose ways have not been filled yet
};

/// The weight of something that happened `age` accesses ago, when it halves every `halfLife` accesses; 0 from ten
/// half-lives on.
float decayed(double age, double halfLife);
/// The number of accesses from which something has any weight.
std::uint64_t reachOf(double halfLife);

}  // namespace whorl::sim
