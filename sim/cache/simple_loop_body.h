// The body of the optimized loop, for simple_loop*.cpp only. `Isa` searches tags and updates the recency order of a
// set; everything here is a template over it, so that the linker never mixes code compiled for different processors.
#pragma once

#include "sim/cache/simple_run.h"
#include "sim/trace/access.h"

namespace whorl::sim::simple {

/// `kTree`: levels may be inclusive or exclusive. `kEmit`: write events. `kSeparateHits`: store only the positions of
/// simple hits. `kWays`: the ways of the nearest level if that is one of the common numbers and its number of sets is a
/// power of two, else 0.
template <class Isa, bool kTree, bool kEmit, bool kSeparateHits, std::uint32_t kWays>
class Loop {
  public:
    explicit Loop(SimpleRun& run) : run_(run) {}

    /// State used in every iteration is kept in local variables, few enough to stay in registers: of two counts with a
    /// known sum only the rarer one is counted.
    std::size_t play(const PackedAccess* accesses, std::size_t count) {
        const RawCache l1 = run_.caches[0];
        const std::uint32_t ways = kWays != 0 ? kWays : l1.ways;
        const bool unrecorded = run_.unrecorded;
        std::uint32_t* const hits = run_.hits;
        std::uint64_t writeHits = 0;
        Event* next = run_.next;
        const std::size_t mostEvents = kTree ? run_.mostEvents : SimpleRun::kMaxEvents;
        const Event* const nearEnd = kEmit ? run_.end - mostEvents : nullptr;
        std::size_t i = 0;
        for (; i < count; ++i) {
            if (kEmit && !kSeparateHits && next > nearEnd) [[unlikely]] {
                break;
            }
            const PackedAccess a = accesses[i];
            const std::uint64_t block = a.address().value >> l1.blockShift;
            const std::uint64_t last = (a.address().value + (a.size() - 1)) >> l1.blockShift;
            // Two rare conditions tested with one branch.
            if (((block ^ last) | (a.unrecorded() ^ unrecorded)) != 0) [[unlikely]] {
                if (a.unrecorded() != unrecorded) break;
                if (kEmit && last - block >= static_cast<std::size_t>(run_.end - next) / mostEvents) break;
                beginOther(i, a.isWrite(), next);
                straddle(block, last, a.isWrite());
                next = run_.next;
                continue;
            }
            const std::size_t set = kWays != 0 ? l1.sets.ofPowerOfTwo(block) : l1.sets.of(block);
            const std::size_t first = set * ways;
            const std::uint32_t way = Isa::find(l1.blocks + first, ways, block);
            if (way >= ways) [[unlikely]] {
                if (kSeparateHits && next > nearEnd) break;
                beginOther(i, a.isWrite(), next);
                missedNearest(set, block, a.isWrite());
                next = run_.next;
                continue;
            }
            Isa::touch(l1.ranks + first, ways, way);
            l1.flags[first + way] |= static_cast<std::uint8_t>(a.isWrite());
            writeHits += a.isWrite();
            if (kSeparateHits) {
                hits[i] = static_cast<std::uint32_t>(first + way);
            } else if (kEmit) {
                *next++ = Event{.kind = EventKind::hit,
                                .write = a.isWrite(),
                                .demand = true,
                                .set = SetIndex{static_cast<std::uint32_t>(set)},
                                .way = WayIndex{way},
                                .access = run_.firstAccess + static_cast<std::uint32_t>(i),
                                .block = BlockAddress{block}};
            }
        }
        run_.next = next;
        const std::uint64_t writes = writeHits + otherWrites_;
        run_.reads += i - writes;
        run_.writes += writes;
        run_.counts[0].readHits += i - others_ - writeHits;
        run_.counts[0].writeHits += writeHits;
        return i;
    }

    void playRequests(const std::uint64_t* requests, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) {
            const bool isWriteBack = (requests[i] & 1) != 0;
            request(1, outward(0, requests[i] >> 1), isWriteBack, !isWriteBack);
        }
    }

  private:
    static_assert(Cache::dirty == 1, "a write sets the lowest flag");

    /// Begins an access that is not a simple hit.
    void beginOther(std::size_t i, bool write, Event* next) {
        ++others_;
        otherWrites_ += write;
        if (kSeparateHits) run_.hits[i] = EventList::kNoHit;
        access_ = run_.firstAccess + static_cast<std::uint32_t>(i);
        run_.next = next;
    }

    [[gnu::noinline]] void straddle(std::uint64_t from, std::uint64_t last, bool write) {
        for (std::uint64_t b = from; b <= last; ++b) request(0, b, write, true);
    }

    /// Requests a block of a level, for reading or writing. True if the block arrives dirty. Always inlined, so that
    /// the level is a constant for misses in the nearest level.
    [[gnu::always_inline]] bool request(unsigned level, std::uint64_t block, bool write, bool demand) {
        SimpleCounts& counts = run_.counts[level];
        if (!write && !demand) [[unlikely]] {
            ++counts.idleReads;
        }
        if (level == run_.levels) {
            ++(write ? counts.writeHits : counts.readHits);
            if (kEmit) emit(EventKind::memory, level, 0, 0, block, write, false, demand);
            return false;
        }
        const RawCache& c = run_.caches[level];
        const std::size_t set = c.sets.of(block);
        const std::size_t first = set * c.ways;
        const std::uint32_t way = Isa::find(c.blocks + first, c.ways, block);
        if (way >= c.ways) return missedFar(level, set, block, write, demand);
        ++(write ? counts.writeHits : counts.readHits);
        if (kEmit) emit(EventKind::hit, level, set, way, block, write, false, demand);
        Isa::touch(c.ranks + first, c.ways, way);
        c.flags[first + way] |= static_cast<std::uint8_t>(write);
        return kTree && c.inclusion == Inclusion::exclusive && moveOut(level, set, way);
    }

    /// The path of most misses. Not inlined into `play`, to keep its loop short.
    [[gnu::noinline]] void missedNearest(std::size_t set, std::uint64_t block, bool write) {
        missed(0, set, block, write, true);
    }

    /// Ends the inlining: from here on the level is a run-time value.
    [[gnu::noinline]] bool missedFar(unsigned level, std::size_t set, std::uint64_t block, bool write, bool demand) {
        return missed(level, set, block, write, demand);
    }

    [[gnu::always_inline]] bool missed(unsigned level, std::size_t set, std::uint64_t block, bool write, bool demand) {
        const RawCache& c = run_.caches[level];
        SimpleCounts& counts = run_.counts[level];
        ++(write ? counts.writeMisses : counts.readMisses);
        if (kEmit) emit(EventKind::miss, level, set, Cache::kNoWay, block, write, false, demand);
        const bool dirty = request(level + 1, outward(level, block), false, demand);
        if constexpr (kTree) {
            // A block that misses in an exclusive level goes to the nearer one only.
            if (c.inclusion == Inclusion::exclusive) return dirty;
            fill(level, set, block, write || dirty);
            return false;
        }

        const std::size_t first = set * c.ways;
        std::uint32_t way = 0;
        if (c.occupied[set] < c.ways) [[unlikely]] {
            while (c.blocks[first + way] != Cache::kNoBlock) ++way;
            c.ranks[first + way] = c.occupied[set]++;
            ++counts.newWays;
            Isa::touch(c.ranks + first, c.ways, way);
        } else {
            way = Isa::renewOldest(c.ranks + first, c.ways);
            evict(level, set, way);
        }
        c.blocks[first + way] = block;
        c.flags[first + way] = static_cast<std::uint8_t>(write);
        if (kEmit) emit(EventKind::fill, level, set, way, block, false, false, false);
        return false;
    }

    [[gnu::always_inline]] void evict(unsigned level, std::size_t set, std::uint32_t way) {
        const RawCache& c = run_.caches[level];
        const std::size_t i = set * c.ways + way;
        const std::uint64_t victim = c.blocks[i];
        const bool nearerDirty = kTree && c.inclusion == Inclusion::inclusive && invalidateNearer(level, victim);
        const bool dirty = nearerDirty || (c.flags[i] & Cache::dirty) != 0;
        if (kEmit) emit(EventKind::eviction, level, set, way, victim, false, dirty, false);
        if (kTree) remove(c, set, way);
        if (dirty) {
            ++run_.counts[level].writebacks;
            if (kEmit) emit(EventKind::writeback, level, set, way, victim, false, false, false);
        }
        if (kTree && level + 1 < run_.levels && run_.caches[level + 1].inclusion == Inclusion::exclusive) {
            // The exclusive level does not have the block: it moved the block out whenever the nearer level got it.
            fill(level + 1, run_.caches[level + 1].sets.of(victim), victim, dirty);
        } else if (dirty) {
            request(level + 1, outward(level, victim), true, false);
        }
    }

    // --- only in a tree ---

    /// In a tree the victim leaves before the block comes: farther inclusive levels may then invalidate more blocks of
    /// the set, and the block gets the first free way.
    [[gnu::noinline]] void fill(unsigned level, std::size_t set, std::uint64_t block, bool dirty) {
        const RawCache& c = run_.caches[level];
        const std::size_t first = set * c.ways;
        if (c.occupied[set] == c.ways) {
            evict(level, set, Isa::oldest(c.ranks + first, c.ways));
        } else {
            ++run_.counts[level].newWays;
        }
        const std::uint32_t way = Isa::find(c.blocks + first, c.ways, Cache::kNoBlock);
        c.blocks[first + way] = block;
        c.flags[first + way] = static_cast<std::uint8_t>(dirty);
        c.ranks[first + way] = c.occupied[set]++;
        Isa::touch(c.ranks + first, c.ways, way);
        if (kEmit) emit(EventKind::fill, level, set, way, block, false, false, false);
    }

    /// Moves a block out of an exclusive level, which is only ever read. True if it is dirty.
    bool moveOut(unsigned level, std::size_t set, std::uint32_t way) {
        const RawCache& c = run_.caches[level];
        const std::size_t i = set * c.ways + way;
        const bool dirty = (c.flags[i] & Cache::dirty) != 0;
        if (kEmit) emit(EventKind::moved, level, set, way, c.blocks[i], false, false, false);
        remove(c, set, way);
        return dirty;
    }

    /// Invalidates in the nearer levels the block that an inclusive level is about to evict. True if a copy was dirty.
    bool invalidateNearer(unsigned level, std::uint64_t block) {
        bool anyDirty = false;
        for (unsigned l = 0; l < level; ++l) {
            const RawCache& c = run_.caches[l];
            const unsigned shift = run_.caches[level].blockShift - c.blockShift;
            for (std::uint64_t b = block << shift; b >> shift == block; ++b) {
                const std::size_t set = c.sets.of(b);
                const std::uint32_t way = Isa::find(c.blocks + set * c.ways, c.ways, b);
                if (way >= c.ways) continue;
                const bool dirty = (c.flags[set * c.ways + way] & Cache::dirty) != 0;
                anyDirty |= dirty;
                ++run_.counts[l].backInvalidations;
                if (kEmit) {
                    emit(EventKind::invalidation, l, set, way, b, false, dirty, false);
                    run_.next[-1].cause = Cause::inclusion;
                }
                remove(c, set, way);
            }
        }
        return anyDirty;
    }

    /// Removes a block like Cache::remove: the ranks stay without gaps.
    static void remove(const RawCache& c, std::size_t set, std::uint32_t way) {
        const std::size_t first = set * c.ways;
        const std::uint16_t gone = c.ranks[first + way];
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

    std::uint64_t outward(unsigned level, std::uint64_t block) const {
        if (level + 1 == run_.levels) return block;
        return block >> (run_.caches[level + 1].blockShift - run_.caches[level].blockShift);
    }

    void emit(EventKind kind, unsigned level, std::size_t set, std::uint32_t way, std::uint64_t block, bool write,
              bool dirty, bool demand) {
        *run_.next++ = Event{.kind = kind,
                             .level = static_cast<std::uint8_t>(level),
                             .write = write,
                             .dirty = dirty,
                             .demand = demand,
                             .set = SetIndex{static_cast<std::uint32_t>(set)},
                             .way = WayIndex{way},
                             .access = access_,
                             .block = BlockAddress{block}};
    }

    SimpleRun& run_;
    std::uint64_t others_ = 0;  ///< accesses that are not simple hits
    std::uint64_t otherWrites_ = 0;
    std::uint32_t access_ = 0;
};

template <class Isa, bool kTree, bool kEmit, bool kSeparateHits>
std::size_t playEmitting(SimpleRun& run, const PackedAccess* accesses, std::size_t count) {
    switch (run.caches[0].sets.arePowerOfTwo() ? run.caches[0].ways : 0) {
        case 4:
            return Loop<Isa, kTree, kEmit, kSeparateHits, 4>(run).play(accesses, count);
        case 8:
            return Loop<Isa, kTree, kEmit, kSeparateHits, 8>(run).play(accesses, count);
        case 12:
            return Loop<Isa, kTree, kEmit, kSeparateHits, 12>(run).play(accesses, count);
        default:
            return Loop<Isa, kTree, kEmit, kSeparateHits, 0>(run).play(accesses, count);
    }
}

template <class Isa, bool kTree>
std::size_t playLevels(SimpleRun& run, const PackedAccess* accesses, std::size_t count) {
    if (run.next == nullptr) return playEmitting<Isa, kTree, false, false>(run, accesses, count);
    return run.hits == nullptr ? playEmitting<Isa, kTree, true, false>(run, accesses, count)
                               : playEmitting<Isa, kTree, true, true>(run, accesses, count);
}

template <class Isa>
void playRequests(SimpleRun& run, const std::uint64_t* requests, std::size_t count) {
    Loop<Isa, false, false, false, 0>(run).playRequests(requests, count);
}

template <class Isa>
std::size_t play(SimpleRun& run, const PackedAccess* accesses, std::size_t count) {
    return run.isTree ? playLevels<Isa, true>(run, accesses, count) : playLevels<Isa, false>(run, accesses, count);
}

}  // namespace whorl::sim::simple
