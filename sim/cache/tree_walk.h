// Simulates accesses on a simple machine (Hierarchy::isSimple): as for the plain loop, but levels may be inclusive or
// exclusive. Gives the same result as Walk, and updates the counters itself; works on bare arrays.
#pragma once

#include <array>
#include <cstdint>

#include "sim/cache/cache.h"
#include "sim/cache/counters.h"
#include "sim/cache/event.h"
#include "sim/cache/hierarchy.h"
#include "sim/trace/access.h"

namespace whorl::sim {

/// `kEmit`: emit events. Lives for a batch of accesses, during which the hierarchy's arrays must not be reallocated.
template <bool kEmit>
class TreeWalk {
  public:
    /// `clock`: the CPU's clock, in cycles. `events` may be null if `kEmit` is false.
    TreeWalk(Hierarchy& hierarchy, Counters& counters, std::uint64_t& clock, EventList* events);

    /// Simulates an access. False, with nothing changed, if it straddles blocks or is unrecorded.
    bool take(const PackedAccess& a) {
        const Level& nearest = levels_[0];
        const std::uint64_t block = a.address().value >> nearest.raw.blockShift;
        const std::uint64_t last = (a.address().value + (a.size() - 1)) >> nearest.raw.blockShift;
        if (block != last || a.unrecorded()) return false;
        ++(a.isWrite() ? counters_.writes : counters_.reads);
        request(0, block, a.isWrite(), true);
        return true;
    }

  private:
    struct Level {
        RawCache raw;
        bool inclusive;
        bool exclusive;
        std::uint64_t latency;
        CacheCounters* counters;
    };

    bool request(unsigned level, std::uint64_t block, bool write, bool demand);
    bool missed(unsigned level, std::size_t set, std::uint64_t block, bool write, bool demand);
    bool atMemory(std::uint64_t block, bool write, bool demand);
    std::uint32_t bringIn(unsigned level, std::size_t set, std::uint64_t block);
    void makeRoom(unsigned level, std::size_t set);
    void evict(unsigned level, std::size_t set, std::uint32_t way);
    bool invalidateNearer(unsigned level, std::uint64_t block);
    void castOut(unsigned level, std::uint64_t block, bool dirty);

    std::uint64_t outward(unsigned level, std::uint64_t block) const {
        return level + 1 == count_ ? block
                                   : block >> (levels_[level + 1].raw.blockShift - levels_[level].raw.blockShift);
    }
    bool isExclusive(unsigned level) const { return level < count_ && levels_[level].exclusive; }
    void fetchAhead(unsigned level, std::uint64_t block) const;
    Event event(EventKind kind, unsigned level, std::size_t set, std::uint32_t way, std::uint64_t block) const;
    void emit(EventKind kind, unsigned level, std::size_t set, std::uint32_t way, std::uint64_t block) {
        if constexpr (kEmit) events_->add(event(kind, level, set, way, block));
    }
    void emitRequest(EventKind kind, unsigned level, std::size_t set, std::uint32_t way, std::uint64_t block,
                     bool write, bool demand);

    unsigned count_;  ///< of levels
    std::array<Level, kMaxLevels> levels_;
    Counters& counters_;
    std::uint64_t& clock_;
    std::uint64_t memoryLatency_;
    std::uint64_t writebackLatency_;
    EventList* events_;
};

extern template class TreeWalk<false>;
extern template class TreeWalk<true>;

}  // namespace whorl::sim
