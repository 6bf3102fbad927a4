// What happens in the hierarchy, as told to whoever listens.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "sim/base/types.h"

namespace whorl::sim {

/// The events of one access come in the order in which things happen. A miss: `miss` at the level, then all that is
/// told as the next level is asked for the block, then, if a valid block must make room, `eviction` of it and, if it
/// was dirty, `writeback`, followed by the next level's events for that write; last `fill`.
enum class EventKind : std::uint8_t {
    hit,
    miss,
    fill,
    eviction,
    writeback,     ///< a block's new data leaves for the next level
    invalidation,  ///< a block is taken away: by another CPU's write, or by a farther level that must hold it too
    downgrade,     ///< another CPU reads what this cache had to itself: it may no longer be written unasked
    upgrade,       ///< a block that may be read becomes one that may be written
    moved,         ///< an exclusive level gave the block to the nearer one
    prefetch,      ///< a block is asked for that no access has asked for yet
    memory,        ///< memory is read or written; its level is the number of levels
    tlbMiss,       ///< a page's translation is not at hand; `cache` is the CPU, `block` the page
};

/// Why a block was invalidated.
enum class Cause : std::uint8_t { coherence, inclusion };

struct Event {
    EventKind kind = EventKind::hit;
    std::uint8_t level = 0;   ///< 0 is nearest the CPU
    std::uint8_t cache = 0;   ///< which of the level's caches
    bool write : 1 = false;   ///< hit, miss, memory: a write there
    bool dirty : 1 = false;   ///< eviction, invalidation, downgrade: the block held data that the next level lacks
    bool demand : 1 = false;  ///< hit, miss, memory, upgrade: the CPU's own request, on its way outward
    bool useful : 1 = false;  ///< hit: the first on a block that a prefetch had brought
    bool again : 1 = false;   ///< hit, miss: a later block of an access that straddles; counts with an earlier one
    bool worse : 1 = false;   ///< …, and makes the hit that was counted a miss
    bool half : 1 = false;    ///< hit: the write half of a modify, which by convention does not count
    Cause cause : 1 = Cause::coherence;  ///< invalidation
    SetIndex set;
    WayIndex way;              ///< not for a miss, an upgrade of nothing, memory and prefetch
    std::uint32_t access = 0;  ///< which access of the batch that was played
    BlockAddress block;        ///< in the level's own blocks (memory: the last level's)
};
static_assert(sizeof(Event) == 24);

/// Events in the order in which they happened. A listener, if there is one, hears each before the machine changes.
class EventList {
  public:
    using Listener = std::function<void(const Event&)>;

    EventList() = default;
    explicit EventList(Listener listener) : listener_(std::move(listener)) {}

    void add(Event event) {
        event.access = access_;
        if (listener_) listener_(event);
        if (size_ == events_.size()) events_.resize(std::max<std::size_t>(16, 2 * size_));
        events_[size_++] = event;
    }
    /// The place, in its batch, of the access whose events come next.
    void beginAccess(std::uint32_t index) { access_ = index; }
    void clear() {
        size_ = 0;
        hits_.clear();
    }

    bool hasListener() const { return static_cast<bool>(listener_); }
    bool empty() const { return size_ == 0; }
    std::size_t size() const { return size_; }
    const Event* begin() const { return events_.data(); }
    const Event* end() const { return events_.data() + size_; }
    const Event& operator[](std::size_t i) const { return events_[i]; }

    /// Most accesses do nothing but hit in the nearest level. A list can keep those apart, where it is played on a
    /// plain machine: they have no events, only the place where they hit, set * ways + way; all others have kNoHit
    /// there.
    static constexpr std::uint32_t kNoHit = ~std::uint32_t{0};
    void separateHits() { separateHits_ = true; }
    bool separatesHits() const { return separateHits_; }
    /// By access of the batch; empty when all have events.
    std::span<const std::uint32_t> hits() const { return hits_; }
    /// Room for the hits of a batch.
    std::span<std::uint32_t> roomForHits(std::size_t accesses) {
        hits_.resize(accesses);
        return hits_;
    }

    /// Room for a loop that writes a great many events itself: where they go, and how many of them have been written.
    std::span<Event> room(std::size_t atLeast) {
        if (events_.size() - size_ < atLeast) events_.resize(std::max(2 * events_.size(), size_ + atLeast));
        return std::span(events_).subspan(size_);
    }
    void written(std::size_t count) { size_ += count; }

  private:
    std::vector<Event> events_;  ///< those from size_ on are room
    std::size_t size_ = 0;
    std::uint32_t access_ = 0;
    bool separateHits_ = false;
    std::vector<std::uint32_t> hits_;
    Listener listener_;
};

/// Follows the events of an access and tells how far out its last request had to go.
class RequestPath {
  public:
    /// Takes the next event; true when it is the CPU's own request coming to a level.
    bool take(const Event& e) {
        const bool asks = e.kind == EventKind::hit || e.kind == EventKind::miss;
        if (!asks || !e.demand) return false;
        servedBy_ = e.kind == EventKind::hit ? e.level : e.level + std::size_t{1};
        return true;
    }
    /// The level that served the last request; the number of levels if it was memory.
    std::size_t servedBy() const { return servedBy_; }

  private:
    std::size_t servedBy_ = 0;
};

/// Follows the events of an access and tells from where a block comes to the nearest level.
class Origin {
  public:
    explicit Origin(std::size_t levels) : levels_(levels) {}

    /// Takes the next event; true when it is the CPU's own request coming to a level.
    bool take(const Event& e) {
        if (e.kind == EventKind::prefetch && e.level == 0) {
            prefetching_ = true;
            prefetched_ = levels_;
        }
        if (prefetching_ && e.kind == EventKind::hit && !e.demand && !e.write) prefetched_ = e.level;
        return path_.take(e);
    }
    /// Asked at a fill of the nearest level: the level that served it; the number of levels if it was memory.
    std::size_t servedBy() { return std::exchange(prefetching_, false) ? prefetched_ : path_.servedBy(); }

  private:
    std::size_t levels_;
    RequestPath path_;
    bool prefetching_ = false;
    std::size_t prefetched_ = 0;
};

}  // namespace whorl::sim
