// The body of the hot loop, for plain_loop*.cpp alone. `Isa` finds a tag and renews the order of a set; everything here
// is a template over it, so that what is compiled for one processor is never taken for another.
#pragma once

#include "sim/cache/plain_loop.h"

namespace whorl::sim::plain {

/// `kTell`: events are told. `kApart`: but for simple hits, of which only the place is.
template <class Isa, bool kTell, bool kApart>
class Loop {
  public:
    explicit Loop(PlainRun& run) : run_(run) {}

    /// The usual numbers of ways are known when this is compiled; 0 stands for all others.
    template <std::uint32_t kWays>
    std::size_t play(const PackedAccess* accesses, std::size_t count) {
        RawCache l1 = run_.caches[0];
        if (kWays != 0) l1.ways = kWays;
        std::uint64_t hits = 0;
        std::uint64_t writeHits = 0;
        std::uint64_t writes = 0;
        Event* next = run_.next;
        const Event* const nearEnd = kTell ? run_.end - kMostPlainEvents : nullptr;
        std::size_t i = 0;
        for (; i < count; ++i) {
            if (kTell && next > nearEnd) [[unlikely]] {
                break;
            }
            const PackedAccess a = accesses[i];
            const std::uint64_t block = a.address().value >> l1.blockShift;
            const std::uint64_t last = (a.address().value + (a.size() - 1)) >> l1.blockShift;
            const bool write = a.isWrite();
            const std::uint32_t place = run_.firstAccess + static_cast<std::uint32_t>(i);
            if (block != last) [[unlikely]] {
                if (kTell && last - block >= static_cast<std::size_t>(run_.end - next) / kMostPlainEvents) break;
                writes += write;
                if (kApart) run_.hits[i] = EventList::kNoHit;
                run_.next = next;
                access_ = place;
                straddle(block, last, write);
                next = run_.next;
                continue;
            }
            writes += write;
            const std::size_t set = static_cast<std::uint32_t>(block & l1.setMask);
            const std::size_t first = set * l1.ways;
            const std::uint32_t way = Isa::find(l1.blocks + first, l1.ways, block);
            if (way < l1.ways) [[likely]] {
                Isa::touch(l1.ranks + first, l1.ways, way);
                l1.flags[first + way] |= static_cast<std::uint8_t>(write);
                ++hits;
                writeHits += write;
                if (kApart) {
                    run_.hits[i] = static_cast<std::uint32_t>(first + way);
                } else if (kTell) {
                    *next++ = Event{.kind = EventKind::hit,
                                    .write = write,
                                    .demand = true,
                                    .set = SetIndex{static_cast<std::uint32_t>(set)},
                                    .way = WayIndex{way},
                                    .access = place,
                                    .block = BlockAddress{block}};
                }
            } else {
                if (kApart) run_.hits[i] = EventList::kNoHit;
                run_.next = next;
                access_ = place;
                missed<false>(0, set, block, write, true, false, false);
                next = run_.next;
            }
        }
        run_.next = next;
        run_.reads += i - writes;
        run_.writes += writes;
        run_.counts[0].readHits += hits - writeHits;
        run_.counts[0].writeHits += writeHits;
        return i;
    }

  private:
    static_assert(Cache::dirty == 1, "a write sets the lowest flag");

    /// The levels asked and missed by earlier blocks of an access that straddles.
    struct Earlier {
        unsigned asked = 0;
        unsigned missed = 0;
    };

    [[gnu::noinline]] void straddle(std::uint64_t from, std::uint64_t last, bool write) {
        earlier_ = now_ = {};
        for (std::uint64_t b = from; b <= last; ++b) {
            request<true>(0, b, write, true);
            earlier_.asked |= now_.asked;
            earlier_.missed |= now_.missed;
        }
        earlier_ = now_ = {};
    }

    /// A block of a level is asked for, or written. `kStraddles`: the access touches several blocks.
    template <bool kStraddles>
    void request(unsigned level, std::uint64_t block, bool write, bool demand) {
        PlainCounts& counts = run_.counts[level];
        if (!write && !demand) [[unlikely]] {
            ++counts.idleReads;
        }
        if (level == run_.levels) {
            ++(write ? counts.writeHits : counts.readHits);
            if (kTell) tell(EventKind::memory, level, 0, 0, block, write, false, demand, false);
            return;
        }
        const RawCache& c = run_.caches[level];
        const std::size_t set = static_cast<std::uint32_t>(block & c.setMask);
        const std::size_t first = set * c.ways;
        const std::uint32_t way = Isa::find(c.blocks + first, c.ways, block);
        const unsigned bit = kStraddles && demand ? 1u << level : 0;
        const bool again = kStraddles && (earlier_.asked & bit) != 0;
        if (kStraddles) now_.asked |= bit;
        if (way >= c.ways) {
            if (kStraddles) now_.missed |= bit;
            missed<kStraddles>(level, set, block, write, demand, again, again && (earlier_.missed & bit) == 0);
            return;
        }
        ++(write ? counts.writeHits : counts.readHits);
        if (kTell) tell(EventKind::hit, level, set, way, block, write, false, demand, again);
        Isa::touch(c.ranks + first, c.ways, way);
        c.flags[first + way] |= static_cast<std::uint8_t>(write);
    }

    template <bool kStraddles>
    [[gnu::noinline]] void missed(unsigned level, std::size_t set, std::uint64_t block, bool write, bool demand,
                                  bool again, bool worse) {
        const RawCache& c = run_.caches[level];
        PlainCounts& counts = run_.counts[level];
        ++(write ? counts.writeMisses : counts.readMisses);
        if (kTell) tell(EventKind::miss, level, set, Cache::kNoWay, block, write, false, demand, again, worse);
        request<kStraddles>(level + 1, outward(level, block), false, demand);

        const std::size_t first = set * c.ways;
        std::uint32_t way = 0;
        if (c.occupied[set] < c.ways) {
            while (c.blocks[first + way] != Cache::kNoBlock) ++way;
            c.ranks[first + way] = c.occupied[set]++;
            ++counts.grown;
        } else {
            way = Isa::oldest(c.ranks + first, c.ways);
            evict<kStraddles>(level, set, way);
        }
        c.blocks[first + way] = block;
        c.flags[first + way] = static_cast<std::uint8_t>(write);
        Isa::touch(c.ranks + first, c.ways, way);
        if (kTell) tell(EventKind::fill, level, set, way, block, false, false, false, false);
    }

    template <bool kStraddles>
    void evict(unsigned level, std::size_t set, std::uint32_t way) {
        const RawCache& c = run_.caches[level];
        const std::size_t i = set * c.ways + way;
        const std::uint64_t victim = c.blocks[i];
        const bool dirty = (c.flags[i] & Cache::dirty) != 0;
        if (kTell) tell(EventKind::eviction, level, set, way, victim, false, dirty, false, false);
        if (!dirty) return;
        ++run_.counts[level].writebacks;
        if (kTell) tell(EventKind::writeback, level, set, way, victim, false, false, false, false);
        request<kStraddles>(level + 1, outward(level, victim), true, false);
    }

    std::uint64_t outward(unsigned level, std::uint64_t block) const {
        if (level + 1 == run_.levels) return block;
        return block >> (run_.caches[level + 1].blockShift - run_.caches[level].blockShift);
    }

    void tell(EventKind kind, unsigned level, std::size_t set, std::uint32_t way, std::uint64_t block, bool write,
              bool dirty, bool demand, bool again, bool worse = false) {
        *run_.next++ = Event{.kind = kind,
                             .level = static_cast<std::uint8_t>(level),
                             .write = write,
                             .dirty = dirty,
                             .demand = demand,
                             .again = again,
                             .worse = worse,
                             .set = SetIndex{static_cast<std::uint32_t>(set)},
                             .way = WayIndex{way},
                             .access = access_,
                             .block = BlockAddress{block}};
    }

    PlainRun& run_;
    std::uint32_t access_ = 0;
    Earlier earlier_;
    Earlier now_;
};

template <class Isa, bool kTell, bool kApart>
std::size_t playTelling(PlainRun& run, const PackedAccess* accesses, std::size_t count) {
    Loop<Isa, kTell, kApart> loop(run);
    switch (run.caches[0].ways) {
        case 4:
            return loop.template play<4>(accesses, count);
        case 8:
            return loop.template play<8>(accesses, count);
        case 12:
            return loop.template play<12>(accesses, count);
        default:
            return loop.template play<0>(accesses, count);
    }
}

template <class Isa>
std::size_t play(PlainRun& run, const PackedAccess* accesses, std::size_t count) {
    if (run.next == nullptr) return playTelling<Isa, false, false>(run, accesses, count);
    return run.hits == nullptr ? playTelling<Isa, true, false>(run, accesses, count)
                               : playTelling<Isa, true, true>(run, accesses, count);
}

}  // namespace whorl::sim::plain
