// Coherence between private caches; the rules are in hierarchy.h.
#include "sim/cache/walk.h"

namespace whorl::sim {

template <class F>
void Walk::forPeers(std::size_t level, std::uint32_t cpu, F&& f) const {
    const std::uint32_t own = machine_.cacheOf(level, cpu);
    const bool isLast = level + 1 == h_.levels();
    const std::uint32_t shared = machine_.levels[level].sharedBy;
    for (std::uint32_t peer = 0; peer < machine_.caches(level); ++peer) {
        const std::uint32_t from = peer * shared;
        const bool isBeside = isLast || machine_.cacheOf(level + 1, from) == machine_.cacheOf(level + 1, cpu);
        if (peer == own || !isBeside) continue;
        for (std::size_t l = 0; l <= level; ++l) {
            for (std::uint32_t i = machine_.cacheOf(l, from); i <= machine_.cacheOf(l, from + shared - 1); ++i) {
                if (!f(l, i)) return;
            }
        }
    }
}

/// Downgrades the peers' copies for a reader, or invalidates them for a writer.
void Walk::snoop(std::size_t level, std::uint32_t cpu, BlockAddress block, bool own) {
    forPeers(level, cpu, [&](std::size_t l, std::uint32_t i) {
        const Part part = partOf(level, block, l);
        for (std::uint64_t b = part.first; b - part.first < part.count; ++b) {
            const Place copy = place(l, i, BlockAddress{b});
            if (copy.found()) snoopCopy(copy, own);
        }
        return true;
    });
}

void Walk::snoopCopy(Place copy, bool own) {
    Cache& cache = copy.cache;
    const bool wasDirty = cache.has(copy.set, copy.at(), Cache::dirty);
    if (wasDirty) {
        emit(EventKind::writeback, copy);
        cache.clear(copy.set, copy.at(), Cache::dirty);
        passOn(copy.level, firstCpu(copy.level, copy.index), copy.block);
        copy.way = cache.find(copy.block);
        if (!copy.found()) return;
    }
    const bool wasOwned = cache.has(copy.set, copy.at(), Cache::owned);
    Event e = event(own ? EventKind::invalidation : EventKind::downgrade, copy);
    e.dirty = wasDirty;
    e.cause = Cause::coherence;
    if (own) {
        events_.add(e);
        cache.remove(copy.set, copy.at());
    } else if (wasOwned || wasDirty) {
        events_.add(e);
        cache.clear(copy.set, copy.at(), Cache::owned);
    }
}

/// Gains write permission for a block that others may hold, at its level and outward up to the first level that has it
/// already.
void Walk::upgrade(const Place& p, std::uint32_t cpu, bool demand) {
    const auto gain = [&](std::size_t level, const Place& at) {
        Event e = event(EventKind::upgrade, at);
        e.demand = demand;
        events_.add(e);
        snoop(level, cpu, at.block, true);
        at.cache.set(at.set, at.at(), Cache::owned);
    };
    gain(p.level, p);
    for (std::size_t l = p.level + 1; l < h_.levels() && isCoherent(l); ++l) {
        const Place outer = place(l, machine_.cacheOf(l, cpu), blockAt(l, p.level, p.block));
        if (!outer.found()) {
            snoop(l, cpu, outer.block, true);
        } else if (isOwned(outer)) {
            return;
        } else {
            gain(l, outer);
        }
    }
}

bool Walk::peersHold(std::size_t level, std::uint32_t cpu, BlockAddress block) const {
    bool held = false;
    forPeers(level, cpu, [&](std::size_t l, std::uint32_t i) {
        const Cache& cache = cacheAt(l, i);
        const Part part = partOf(level, block, l);
        for (std::uint64_t b = part.first; b - part.first < part.count && !held; ++b)
            held = cache.holds(BlockAddress{b});
        return !held;
    });
    return held;
}

/// Whether a block that is read can be held exclusively (MESI's E state).
bool Walk::mayOwn(std::size_t level, std::uint32_t cpu, BlockAddress block) const {
    for (std::size_t l = level;; ++l) {
        if (!isCoherent(l)) return true;
        const BlockAddress b = blockAt(l, level, block);
        if (l > level) {
            const Cache& cache = cacheAt(l, machine_.cacheOf(l, cpu));
            const std::uint32_t way = cache.find(b);
            if (way != Cache::kNoWay) return cache.has(cache.setOf(b), WayIndex{way}, Cache::owned);
        }
        if (peersHold(l, cpu, b)) return false;
        if (l + 1 == h_.levels()) return true;
    }
}

}  // namespace whorl::sim
