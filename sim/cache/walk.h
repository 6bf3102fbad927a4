// Simulates one access on any machine: changes the hierarchy and emits events. Created for each access.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/cache/event.h"
#include "sim/cache/hierarchy.h"
#include "sim/trace/access.h"

namespace whorl::sim {

class Walk {
  public:
    Walk(Hierarchy& hierarchy, const Access& access, EventList& events)
        : h_(hierarchy), machine_(*hierarchy.machine_), access_(access), events_(events) {}

    void run();

  private:
    /// A request for one block of a level.
    struct Request {
        std::size_t level;
        std::uint32_t cpu;  ///< a CPU whose path to memory the request takes
        BlockAddress block;
        bool write = false;       ///< data is written to the level
        bool own = false;         ///< the block is going to be written: other copies must be invalidated
        bool demand = false;      ///< the CPU waits for it
        bool whole = false;       ///< the data written is the whole block
        std::uint32_t bytes = 0;  ///< number of bytes written
    };
    /// The state in which a block arrives.
    struct Response {
        bool dirty = false;
        bool owned = false;
    };
    /// A cache and the set and way of a block in it; kNoWay if it is absent.
    struct Place {
        std::size_t level;
        std::uint32_t index;
        Cache& cache;
        SetIndex set;
        std::uint32_t way;
        BlockAddress block;
        bool found() const { return way != Cache::kNoWay; }
        WayIndex at() const { return WayIndex{way}; }
    };

    // Pages.
    void translate();
    void keep(std::uint64_t first, std::uint64_t last);
    void translate(BlockAddress page);
    bool isMapped(BlockAddress page);
    Event pageEvent(EventKind kind, BlockAddress page, SetIndex frame) const;
    void fault(BlockAddress page);
    void pageOut(SetIndex frame);
    /// A copy of a block whose page leaves memory.
    struct Copy {
        BlockAddress inMemory;  ///< the block of memory that contains it
        std::size_t level;
        std::uint32_t index;
        BlockAddress block;
        auto operator<=>(const Copy&) const = default;
    };
    std::vector<Copy> copiesOf(BlockAddress page) const;
    void addCopies(std::size_t level, std::uint32_t index, BlockAddress page, std::vector<Copy>& copies) const;
    bool lose(const Copy& copy);
    bool isInMemory(std::size_t level, BlockAddress block) const;

    // The way outward and back.
    Response request(const Request& r);
    Response hit(const Request& r, const Place& p);
    Response miss(const Request& r, Place& p);
    Response bringIn(const Request& r, Place& p);
    void makeRoom(const Place& p, std::uint32_t cpu);
    void evict(Place victim, std::uint32_t cpu);
    bool invalidateNearer(const Place& victim);
    void castOut(const Place& victim, std::uint32_t cpu, bool dirty, bool owned);
    void passDown(std::size_t level, std::uint32_t cpu, BlockAddress block);
    void writeThrough(const Request& r, const Place& p);
    void writeBack(std::size_t level, std::uint32_t cpu, BlockAddress block);
    void writeOutward(std::size_t level, std::uint32_t cpu, BlockAddress block, bool whole, std::uint32_t bytes);
    std::uint32_t bytesIn(BlockAddress block) const;

    // Prefetching.
    /// A request by the CPU to a level that has a prefetcher.
    struct Trigger {
        bool missed;
        BlockAddress block;
        std::uint64_t address;  ///< address requested
    };
    void prefetchFor(std::size_t level);
    bool learns(std::size_t level) const;
    void prefetch(std::size_t level, BlockAddress block);

    // Coherence.
    bool isOwned(const Place& p) const {
        return !machine_.isCoherent(p.level) || p.cache.has(p.set, p.at(), Cache::owned);
    }
    void snoop(std::size_t level, std::uint32_t cpu, BlockAddress block, bool own);
    void snoopCopy(Place copy, bool own);
    void upgrade(const Place& p, std::uint32_t cpu, bool demand);
    void upgradeBeyond(std::size_t level, BlockAddress block, std::uint32_t cpu, bool demand);
    void gain(const Place& p, std::uint32_t cpu, bool demand);
    bool mayOwn(std::size_t level, std::uint32_t cpu, BlockAddress block) const;
    bool peersHold(std::size_t level, std::uint32_t cpu, BlockAddress block) const;
    /// Calls f(level, index) for every peer of a CPU's cache and for the nearer caches it serves, peer by peer, the
    /// nearest level first; stops when f returns false.
    template <class F>
    void forPeers(std::size_t level, std::uint32_t cpu, F&& f) const;

    /// The blocks of the same or a nearer level within a block: `count` blocks from `first` on.
    struct Part {
        std::uint64_t first;
        std::uint64_t count;
    };
    Part partOf(std::size_t level, BlockAddress block, std::size_t nearer) const;

    Cache& cacheAt(std::size_t level, std::uint32_t index) { return h_.caches_[h_.first_[level] + index]; }
    const Cache& cacheAt(std::size_t level, std::uint32_t index) const { return h_.cache(level, index); }
    Place place(std::size_t level, std::uint32_t index, BlockAddress block);
    /// The block of level `other` that contains the first byte of a block of `level`; memory uses the last level's
    /// block size.
    BlockAddress blockAt(std::size_t other, std::size_t level, BlockAddress block) const;
    bool isExclusive(std::size_t level) const {
        return level < h_.levels() && machine_.levels[level].inclusion == Inclusion::exclusive;
    }

    Event event(EventKind kind, const Place& p) const {
        Event e;
        e.kind = kind;
        e.level = static_cast<std::uint8_t>(p.level);
        e.cache = static_cast<std::uint8_t>(p.index);
        e.set = p.set;
        e.way = p.at();
        e.block = p.block;
        return e;
    }
    void emit(EventKind kind, const Place& p) { events_.add(event(kind, p)); }
    void emitRequest(EventKind kind, const Request& r, const Place& p, bool useful);
    bool isCountedBefore(std::size_t level, bool isMiss);

    Hierarchy& h_;
    const MachineConfig& machine_;
    const Access& access_;
    EventList& events_;
    bool mayLosePages_ = false;  ///< the access touches more pages than there are frames
    std::uint64_t at_ = 0;       ///< the first byte of the access in the current block of the nearest level
    unsigned levelsAsked_ = 0;   ///< a bit per level: asked by earlier blocks of the access
    unsigned levelsMissed_ = 0;
    unsigned askedNow_ = 0;  ///< a bit per level: asked by the current block
    unsigned missedNow_ = 0;
    unsigned triggered_ = 0;  ///< a bit per level: whether its trigger is set
    std::array<Trigger, kMaxLevels> triggers_;
    std::array<std::size_t, kMaxLevels> counted_;  ///< by level asked: the event that counts, for straddleCountsOnce
};

}  // namespace whorl::sim
