#include "sim/report/event_narrator.h"

namespace whorl::sim {

ByteAddress EventNarrator::addressOf(const Event& e) const {
    return after_.hierarchy().cache(e.level).addressOf(e.block);
}

ByteAddress EventNarrator::askedFor(const Event& e) const {
    const std::uint64_t first = addressOf(e).value;
    const std::uint64_t from = access_.address.value;
    const std::uint64_t block = after_.machine().levels[e.level].block;
    if (from - first < block) return access_.address;
    return ByteAddress{first};
}

/// The address requested when a block had to be evicted: that of the next block filled into that cache.
ByteAddress EventNarrator::replacing(std::size_t eviction) const {
    const Event& gone = events_[eviction];
    for (std::size_t i = eviction + 1; i < events_.size(); ++i) {
        const Event& e = events_[i];
        if (e.kind == EventKind::fill && e.level == gone.level && e.cache == gone.cache) return askedFor(e);
    }
    return access_.address;
}

/// Whether no other cache of the level can hold the block.
bool EventNarrator::isPrivate(const Event& fill) const {
    const MachineConfig& machine = after_.machine();
    if (machine.protocol == Protocol::none || machine.caches(fill.level) == 1) return machine.caches(fill.level) == 1;
    const Cache& cache = after_.hierarchy().cache(fill.level, fill.cache);
    const std::uint32_t way = cache.find(fill.block);
    return way != Cache::kNoWay && cache.has(fill.set, WayIndex{way}, Cache::owned);
}

std::optional<RecordedEvent> EventNarrator::take(std::size_t event) {
    using Kind = RecordedEvent::Kind;
    const Event& e = events_[event];
    if (!access_.unrecorded) waited_ += costOf(e, after_.machine());
    RecordedEvent recorded;
    recorded.level = e.level;
    recorded.cache = e.cache;
    recorded.access = tick_;
    recorded.cycles = start_ + waited_;
    switch (e.kind) {
        case EventKind::fill:
            recorded.kind = Kind::load;
            recorded.privately = isPrivate(e);
            recorded.address = askedFor(e);
            return recorded;
        case EventKind::eviction:
            recorded.kind = Kind::replace;
            recorded.privately = e.dirty;
            recorded.address = replacing(event);
            recorded.other = addressOf(e);
            return recorded;
        case EventKind::invalidation:
            recorded.kind = Kind::invalidate;
            recorded.privately = e.dirty;
            recorded.address = addressOf(e);
            return recorded;
        case EventKind::upgrade:
            recorded.kind = Kind::protect;
            recorded.address = askedFor(e);
            return recorded;
        default:
            return std::nullopt;
    }
}

std::optional<RecordedEvent> EventNarrator::wait() const {
    if (waited_ == 0) return std::nullopt;
    return RecordedEvent{.kind = RecordedEvent::Kind::wait,
                         .level = 0,
                         .cache = access_.cpu,
                         .privately = access_.isWrite(),
                         .access = tick_,
                         .cycles = waited_,
                         .address = access_.address};
}

}  // namespace whorl::sim
