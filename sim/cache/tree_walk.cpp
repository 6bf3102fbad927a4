#include "sim/cache/tree_walk.h"

namespace whorl::sim {

namespace {

/// Compares four ways at a time, possibly reading beyond the set: those entries are blocks of other sets, or padding.
std::uint32_t find(const std::uint64_t* blocks, std::uint32_t ways, std::uint64_t block) {
    for (std::uint32_t w = 0; w < ways; w += 4) {
        const bool first = blocks[w] == block;
        const bool second = blocks[w + 1] == block;
        const bool third = blocks[w + 2] == block;
        const bool fourth = blocks[w + 3] == block;
        if (static_cast<int>(first) | static_cast<int>(second) | static_cast<int>(third) | static_cast<int>(fourth)) {
            return w + (second ? 1 : 0) + (third ? 2 : 0) + (fourth ? 3 : 0);
        }
    }
    return Cache::kNoWay;
}

std::uint32_t freeWay(const std::uint64_t* blocks) {
    std::uint32_t w = 0;
    while (blocks[w] != Cache::kNoBlock) ++w;
    return w;
}

void touch(std::uint16_t* ranks, std::uint32_t ways, std::uint32_t way) {
    const std::uint16_t old = ranks[way];
    if (old == 0) return;
    for (std::uint32_t w = 0; w < ways; ++w) ranks[w] = static_cast<std::uint16_t>(ranks[w] + (ranks[w] < old));
    ranks[way] = 0;
}

std::uint32_t oldest(const std::uint16_t* ranks, std::uint32_t ways) {
    std::uint32_t w = 0;
    while (ranks[w] + 1u != ways) ++w;
    return w;
}

/// Same as Cache::remove.
void remove(const RawCache& c, std::size_t set, std::uint32_t way) {
    const std::size_t first = set * c.ways;
    const std::uint16_t gone = c.ranks[first + way];
    // Ranks have no gaps: after removing the last rank there is nothing to shift.
    if (gone + 1u != c.occupied[set]) {
        for (std::size_t i = first; i < first + c.ways; ++i) {
            const bool closesUp = c.blocks[i] != Cache::kNoBlock && c.ranks[i] > gone;
            c.ranks[i] = static_cast<std::uint16_t>(c.ranks[i] - (closesUp ? 1 : 0));
        }
    }
    c.ranks[first + way] = 0;
    c.blocks[first + way] = Cache::kNoBlock;
    c.flags[first + way] = 0;
    --c.occupied[set];
}

std::size_t setOf(const RawCache& c, std::uint64_t block) {
    return c.sets.of(block);
}

}  // namespace

template <bool kEmit>
TreeWalk<kEmit>::TreeWalk(Hierarchy& hierarchy, Counters& counters, std::uint64_t& clock, EventList* events)
    : count_(static_cast<unsigned>(hierarchy.levels())),
      levels_{},
      counters_(counters),
      clock_(clock),
      memoryLatency_(hierarchy.machine().memoryLatency),
      writebackLatency_(hierarchy.machine().writebackLatency),
      events_(events) {
    for (unsigned l = 0; l < count_; ++l) {
        const LevelConfig& config = hierarchy.machine().levels[l];
        levels_[l] = {.raw = hierarchy.raw(l),
                      .inclusive = l > 0 && config.inclusion == Inclusion::inclusive,
                      .exclusive = config.inclusion == Inclusion::exclusive,
                      .latency = config.latency,
                      .counters = &counters.cache(l, 0)};
    }
}

template <bool kEmit>
Event TreeWalk<kEmit>::event(EventKind kind, unsigned level, std::size_t set, std::uint32_t way,
                             std::uint64_t block) const {
    Event e;
    e.kind = kind;
    e.level = static_cast<std::uint8_t>(level);
    e.set = SetIndex{static_cast<std::uint32_t>(set)};
    e.way = WayIndex{way};
    e.block = BlockAddress{block};
    return e;
}

template <bool kEmit>
void TreeWalk<kEmit>::emitRequest(EventKind kind, unsigned level, std::size_t set, std::uint32_t way,
                                  std::uint64_t block, bool write, bool demand) {
    if constexpr (!kEmit) return;
    Event e = event(kind, level, set, way, block);
    e.write = write;
    e.demand = demand;
    events_->add(e);
}

/// Requests a block of a level, for reading or writing. True if the block arrives dirty.
template <bool kEmit>
bool TreeWalk<kEmit>::request(unsigned level, std::uint64_t block, bool write, bool demand) {
    if (level == count_) return atMemory(block, write, demand);
    const Level& at = levels_[level];
    const RawCache& c = at.raw;
    const std::size_t set = setOf(c, block);
    const std::size_t first = set * c.ways;
    const std::uint32_t way = find(c.blocks + first, c.ways, block);
    ++(write ? at.counters->writes : at.counters->reads);
    clock_ += demand ? at.latency : 0;
    if (way == Cache::kNoWay) return missed(level, set, block, write, demand);
    emitRequest(EventKind::hit, level, set, way, block, write, demand);
    touch(c.ranks + first, c.ways, way);
    if (write) {
        c.flags[first + way] |= Cache::dirty;
    } else if (at.exclusive) {
        const bool dirty = (c.flags[first + way] & Cache::dirty) != 0;
        ++at.counters->moves;
        emit(EventKind::moved, level, set, way, block);
        remove(c, set, way);
        return dirty;
    }
    return false;
}

template <bool kEmit>
bool TreeWalk<kEmit>::atMemory(std::uint64_t block, bool write, bool demand) {
    ++(write ? counters_.memory.writes : counters_.memory.reads);
    clock_ += demand ? memoryLatency_ : 0;
    emitRequest(EventKind::memory, count_, 0, 0, block, write, demand);
    return false;
}

template <bool kEmit>
bool TreeWalk<kEmit>::missed(unsigned level, std::size_t set, std::uint64_t block, bool write, bool demand) {
    const Level& at = levels_[level];
    ++(write ? at.counters->writeMisses : at.counters->readMisses);
    emitRequest(EventKind::miss, level, set, Cache::kNoWay, block, write, demand);
    if (at.exclusive) return request(level + 1, outward(level, block), write, demand);
    const RawCache& c = at.raw;
    const std::size_t first = set * c.ways;
    if (level + 1 < count_ && c.occupied[set] == c.ways) {
        fetchAhead(level + 1, outward(level, c.blocks[first + oldest(c.ranks + first, c.ways)]));
    }
    const bool dirty = request(level + 1, outward(level, block), false, demand);
    makeRoom(level, set);
    const std::uint32_t way = bringIn(level, set, block);
    if (dirty || write) c.flags[first + way] |= Cache::dirty;
    return false;
}

/// Prefetches a set's data into the host's cache before it is needed.
template <bool kEmit>
void TreeWalk<kEmit>::fetchAhead(unsigned level, std::uint64_t block) const {
    const RawCache& c = levels_[level].raw;
    const std::size_t first = setOf(c, block) * c.ways;
    __builtin_prefetch(c.blocks + first);
    __builtin_prefetch(c.blocks + first + 8);
    __builtin_prefetch(c.ranks + first);
    __builtin_prefetch(c.flags + first);
}

/// Fills a free way of a set with a block. Returns the way.
template <bool kEmit>
std::uint32_t TreeWalk<kEmit>::bringIn(unsigned level, std::size_t set, std::uint64_t block) {
    const RawCache& c = levels_[level].raw;
    const std::size_t first = set * c.ways;
    const std::uint32_t way = freeWay(c.blocks + first);
    c.blocks[first + way] = block;
    c.flags[first + way] = 0;
    c.ranks[first + way] = c.occupied[set]++;
    touch(c.ranks + first, c.ways, way);
    ++levels_[level].counters->fills;
    emit(EventKind::fill, level, set, way, block);
    return way;
}

template <bool kEmit>
void TreeWalk<kEmit>::makeRoom(unsigned level, std::size_t set) {
    const RawCache& c = levels_[level].raw;
    if (c.occupied[set] == c.ways) evict(level, set, oldest(c.ranks + set * c.ways, c.ways));
}

template <bool kEmit>
void TreeWalk<kEmit>::evict(unsigned level, std::size_t set, std::uint32_t way) {
    const Level& at = levels_[level];
    const std::size_t i = set * at.raw.ways + way;
    const std::uint64_t block = at.raw.blocks[i];
    const bool nearerDirty = at.inclusive && invalidateNearer(level, block);
    const bool dirty = nearerDirty || (at.raw.flags[i] & Cache::dirty) != 0;
    ++at.counters->evictions;
    if constexpr (kEmit) {
        Event e = event(EventKind::eviction, level, set, way, block);
        e.dirty = dirty;
        events_->add(e);
    }
    remove(at.raw, set, way);
    if (dirty) {
        ++at.counters->writebacks;
        clock_ += writebackLatency_;
        emit(EventKind::writeback, level, set, way, block);
    }
    if (isExclusive(level + 1)) {
        castOut(level + 1, block, dirty);
    } else if (dirty) {
        request(level + 1, outward(level, block), true, false);
    }
}

/// Invalidates in the nearer levels the block that an inclusive level is about to evict. True if a copy was dirty.
template <bool kEmit>
bool TreeWalk<kEmit>::invalidateNearer(unsigned level, std::uint64_t block) {
    bool anyDirty = false;
    for (unsigned l = 0; l < level; ++l) {
        const RawCache& c = levels_[l].raw;
        const unsigned shift = levels_[level].raw.blockShift - c.blockShift;
        for (std::uint64_t part = 0; part >> shift == 0; ++part) {
            const std::uint64_t b = (block << shift) + part;
            const std::size_t set = setOf(c, b);
            const std::uint32_t way = find(c.blocks + set * c.ways, c.ways, b);
            if (way == Cache::kNoWay) continue;
            const bool dirty = (c.flags[set * c.ways + way] & Cache::dirty) != 0;
            anyDirty |= dirty;
            ++levels_[l].counters->backInvalidations;
            if constexpr (kEmit) {
                Event e = event(EventKind::invalidation, l, set, way, b);
                e.dirty = dirty;
                e.cause = Cause::inclusion;
                events_->add(e);
            }
            remove(c, set, way);
        }
    }
    return anyDirty;
}

/// Moves a block evicted by the nearer level into the exclusive level.
template <bool kEmit>
void TreeWalk<kEmit>::castOut(unsigned level, std::uint64_t block, bool dirty) {
    const RawCache& c = levels_[level].raw;
    const std::size_t set = setOf(c, block);
    const std::size_t first = set * c.ways;
    std::uint32_t way = find(c.blocks + first, c.ways, block);
    if (way == Cache::kNoWay) {
        makeRoom(level, set);
        way = bringIn(level, set, block);
    }
    if (dirty) c.flags[first + way] |= Cache::dirty;
}

template class TreeWalk<false>;
template class TreeWalk<true>;

}  // namespace whorl::sim
