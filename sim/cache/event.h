// Events: what happens in the hierarchy during an access.
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

/// The events of one access are emitted in the order in which they happen. For a miss: `miss` at the level; the events
/// of the request to the next level; if a valid block must be evicted, `eviction` and, if it was dirty, `writeback`,
/// followed by the next level's events for that write; finally `fill`. A write that goes through is `writeThrough`
/// after the level's own events, followed by the next level's.
enum class EventKind : std::uint8_t {
    hit,
    miss,
    fill,
    eviction,
    writeback,     ///< a dirty block's data goes to the next level, or to memory when its page leaves
    invalidation,  ///< a block is removed for another reason than to make room in its cache; see Cause
    downgrade,     ///< another CPU reads a block this cache held exclusively; writing it needs an upgrade again
    upgrade,       ///< a block gains write permission
    moved,         ///< an exclusive level moved the block to the nearer one
    prefetch,      ///< a block is fetched ahead of demand
    writeThrough,  ///< data written goes on to the next level, by write-through or because the block is absent
    // The following events do not happen in a cache of a level.
    memory,     ///< memory is read or written; its level is the number of levels
    tlbMiss,    ///< a page translation is missing; `cache` is the CPU, `block` the page
    pageFault,  ///< a page comes into memory; level as above, `cache` is the CPU, `block` the page, `set` its frame
    pageOut,    ///< a page leaves its frame for the missing one; its blocks are invalidated next. Fields as above
};

/// Why a block was invalidated.
enum class Cause : std::uint8_t {
    coherence,  ///< another CPU writes
    inclusion,  ///< an inclusive farther level evicts it
    paging,     ///< its page leaves memory
};

struct Event {
    EventKind kind : 6 = EventKind::hit;
    Cause cause : 2 = Cause::coherence;  ///< invalidation
    std::uint8_t level = 0;              ///< 0 is nearest the CPU
    std::uint8_t cache = 0;              ///< index within the level
    bool write : 1 = false;              ///< hit, miss, memory: the request is a write
    bool dirty : 1 = false;   ///< eviction, invalidation, downgrade: the block was dirty; pageOut: the page was written
    bool demand : 1 = false;  ///< hit, miss, memory, upgrade: caused by the CPU's own request, on which it waits
    bool useful : 1 = false;  ///< hit: the first hit on a prefetched block
    bool together : 1 = false;  ///< hit, miss: by convention counted with another block of a straddling access
    bool half : 1 = false;      ///< hit: the write half of a modify, not counted by convention
    SetIndex set;
    WayIndex way;  ///< not valid for a miss, a prefetch, an upgrade without a copy, memory, pages; see bytes()
    std::uint32_t access = 0;  ///< batch index of the access
    BlockAddress block;        ///< in blocks of the level (memory: of the last level)

    /// writeThrough: the number of bytes that go on, stored in place of the way.
    std::uint32_t bytes() const { return way.value; }
    /// Whether the event happens in a cache of a level, not in memory or in address translation.
    bool isInCache() const { return kind < EventKind::memory; }
    /// Whether the event moves data between levels: a cache gets a block, or passes a block or written data outward.
    bool isTransfer() const {
        return kind == EventKind::fill || kind == EventKind::writeback || kind == EventKind::writeThrough;
    }
    /// hit, miss: whether the event counts, by the conventions of the machine. If an access counts once, its first
    /// block that misses counts, or its first block if none misses.
    bool counts() const { return !together && !half; }
};
static_assert(sizeof(Event) == 24);

/// Events in the order in which they happened. An optional listener is called for each event before the state changes.
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
    /// Marks an added hit as counted with a later block of its access.
    void countTogether(std::size_t hit) { events_[hit].together = true; }
    /// Sets the batch index of the access whose events follow.
    void beginAccess(std::uint32_t index) { access_ = index; }
    void clear() {
        size_ = 0;
        hits_.clear();
    }

    bool hasListener() const { return static_cast<bool>(listener_); }
    /// Copies the events and separate hits of another list, without its spare memory.
    void assign(const EventList& other) {
        if (events_.size() < other.size_) events_.resize(other.size_);
        std::copy_n(other.events_.begin(), other.size_, events_.begin());
        size_ = other.size_;
        separateHits_ = other.separateHits_;
        hits_.assign(other.hits_.begin(), other.hits_.end());
    }

    bool empty() const { return size_ == 0; }
    std::size_t size() const { return size_; }
    const Event* begin() const { return events_.data(); }
    const Event* end() const { return events_.data() + size_; }
    const Event& operator[](std::size_t i) const { return events_[i]; }

    /// Most accesses only hit in the nearest level. On a simple machine a list can store those hits separately, without
    /// an event: only the position of the hit, set * ways + way. All other accesses have kNoHit there.
    static constexpr std::uint32_t kNoHit = ~std::uint32_t{0};
    void separateHits() { separateHits_ = true; }
    bool separatesHits() const { return separateHits_; }
    /// By access of the batch; empty if all hits are stored as events.
    std::span<const std::uint32_t> hits() const { return hits_; }
    /// Resizes the hits for a batch and returns them for writing.
    std::span<std::uint32_t> roomForHits(std::size_t accesses) {
        hits_.resize(accesses);
        return hits_;
    }

    /// Direct access for the optimized loop: space for at least `atLeast` events; `written` then appends those filled
    /// in.
    std::span<Event> room(std::size_t atLeast) {
        if (events_.size() - size_ < atLeast) events_.resize(std::max(2 * events_.size(), size_ + atLeast));
        return std::span(events_).subspan(size_);
    }
    void written(std::size_t count) { size_ += count; }

  private:
    std::vector<Event> events_;  ///< entries from size_ on are spare capacity
    std::size_t size_ = 0;
    std::uint32_t access_ = 0;
    bool separateHits_ = false;
    std::vector<std::uint32_t> hits_;
    Listener listener_;
};

/// Whether the level that a write goes through also has the block; `events` are those of the access.
inline bool isKept(const Event& writeThrough, std::span<const Event> events) {
    return std::any_of(events.begin(), events.end(), [&](const Event& e) {
        const bool has = e.kind == EventKind::hit || e.kind == EventKind::fill;
        return has && e.level == writeThrough.level && e.cache == writeThrough.cache && e.block == writeThrough.block;
    });
}

/// Follows the events of an access to find the level that served its last request.
class RequestPath {
  public:
    /// Processes the next event. True if it is the CPU's own request reaching a level.
    bool take(const Event& e) {
        const bool asks = e.kind == EventKind::hit || e.kind == EventKind::miss;
        if (!asks || !e.demand) return false;
        servedBy_ = e.kind == EventKind::hit ? e.level : e.level + std::size_t{1};
        return true;
    }
    /// The level that served the last request; the number of levels for memory.
    std::size_t servedBy() const { return servedBy_; }

  private:
    std::size_t servedBy_ = 0;
};

/// Follows the events of an access to find where blocks filled into the nearest level came from.
class Origin {
  public:
    explicit Origin(std::size_t levels) : levels_(levels) {}

    /// Processes the next event. True if it is the CPU's own request reaching a level.
    bool take(const Event& e) {
        if (e.kind == EventKind::prefetch && e.level == 0) {
            prefetching_ = true;
            prefetched_ = levels_;
        }
        if (prefetching_ && e.kind == EventKind::hit && !e.demand && !e.write) prefetched_ = e.level;
        return path_.take(e);
    }
    /// The level that served the block, or the number of levels for memory. To be called at a fill of the nearest
    /// level.
    std::size_t servedBy() { return std::exchange(prefetching_, false) ? prefetched_ : path_.servedBy(); }

  private:
    std::size_t levels_;
    RequestPath path_;
    bool prefetching_ = false;
    std::size_t prefetched_ = 0;
};

}  // namespace whorl::sim
