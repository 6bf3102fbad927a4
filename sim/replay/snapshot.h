// A snapshot of a run: the machine at a time, and the effects of the last accesses. Contains everything that a picture
// needs.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "sim/base/types.h"
#include "sim/cache/event.h"
#include "sim/replay/flows.h"
#include "sim/replay/simulator.h"
#include "sim/replay/totals/miss_kind.h"
#include "sim/replay/use_reader.h"
#include "sim/trace/access.h"

namespace whorl::sim {

/// The eviction order of one set, before and after an access that touched it.
struct Reordering {
    std::uint8_t level = 0;
    std::uint8_t cache = 0;
    SetIndex set;
    std::vector<Line> before;  ///< by way
    std::vector<Line> after;   ///< by way
};

/// One access and all its effects.
struct Step {
    Tick tick;
    Access access;
    std::vector<Event> events;
    std::vector<MissKind> kinds;          ///< kinds of the access's misses, as far as known
    std::vector<Reordering> reorderings;  ///< one for each set that the access touched
};

/// The levels that an access asked and missed on its way from the CPU to memory, one bit per level, the nearest the
/// lowest. An access that touches several blocks misses a level if one of them misses there.
struct Glance {
    std::uint32_t kinds = 0;      ///< kinds of the misses, four bits per level
    std::uint32_t transfers = 0;  ///< number of transfers (see Event::isTransfer), at most 15, four bits per level
    std::uint8_t asked = 0;
    std::uint8_t missed = 0;
    std::uint8_t cpu = 0;

    void take(const Event& e, MissKind kind) {
        if (e.isTransfer() && transfersAt(e.level) < 15) transfers += 1u << 4 * e.level;
        if (!e.demand || (e.kind != EventKind::hit && e.kind != EventKind::miss)) return;
        const auto bit = static_cast<std::uint8_t>(1u << e.level);
        asked |= bit;
        if (e.kind != EventKind::miss) return;
        missed |= bit;
        const unsigned shift = 4u * e.level;
        kinds = (kinds & ~(0xfu << shift)) | static_cast<std::uint32_t>(kind) << shift;
    }
    std::uint32_t transfersAt(std::size_t level) const { return transfers >> (4 * level) & 0xf; }
    MissKind kindAt(std::size_t level) const { return static_cast<MissKind>(kinds >> (4 * level) & 0xf); }
};

/// How far back a snapshot reaches, in accesses that have begun.
struct Lookback {
    std::uint64_t steps = 0;   ///< accesses with all their effects
    std::uint64_t window = 0;  ///< accesses with their hits and misses
    std::uint64_t lapse = 0;   ///< accesses with the sum of the blocks that moved
    bool use = false;          ///< also the used share of each block since it was filled
    bool operator==(const Lookback&) const = default;
};

/// The access with index i happens during (i, i + 1]: at time t, floor(t) accesses are over, and ceil(t) have begun.
struct Snapshot {
    explicit Snapshot(Simulator state) : now(std::move(state)), flows(now.machine()) {}

    double t = 0;
    Simulator now;              ///< after every access that has begun
    std::deque<Step> recent;    ///< the last accesses that have begun, oldest first
    std::deque<Glance> window;  ///< the last accesses that have begun, oldest first
    Flows flows;
    UseShares used;  ///< empty unless requested

    /// The number of accesses that have begun.
    Tick begun() const { return Tick{now.played()}; }
    const Cache& cache(std::size_t level, std::uint32_t index) const { return now.hierarchy().cache(level, index); }
    /// The access in progress, or else the last one; null before the first.
    const Step* current() const { return recent.empty() ? nullptr : &recent.back(); }
};

}  // namespace whorl::sim
