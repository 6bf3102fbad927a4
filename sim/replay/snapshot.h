// A snapshot of a run: the machine at a time, and the effects of the last accesses. Contains everything that a picture
// needs. Its reader keeps the last one, so that consecutive snapshots are cheap; this caching does not affect the
// results.
#pragma once

#include <compare>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sim/base/types.h"
#include "sim/cache/event.h"
#include "sim/machine/machine_config.h"
#include "sim/replay/run.h"
#include "sim/replay/simulator.h"
#include "sim/replay/totals/block_use.h"
#include "sim/replay/totals/miss_kind.h"
#include "sim/trace/access.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// A route of blocks. A `level` beyond the machine's levels is memory.
struct FlowKey {
    enum class Kind : std::uint8_t {
        inward,     ///< filled into the nearest level, on a miss or by a prefetch
        outward,    ///< evicted from a level
        writeback,  ///< … and written back; also when its page leaves memory
        taken,      ///< invalidated by another CPU's write
        through,    ///< written data on its way to the next level at once
    };
    Kind kind = Kind::inward;
    std::uint8_t level = 0;    ///< inward: the level that served; else the level left
    std::uint8_t cache = 0;    ///< cache of the level left; inward: of the nearest level
    std::uint8_t other = 0;    ///< taken: the CPU that wrote
    std::uint32_t region = 0;  ///< the number of regions means no region
    auto operator<=>(const FlowKey&) const = default;
};

/// The number of blocks moved between places in the last accesses of a trace: shown when they are too many to follow
/// individually.
class Flows {
  public:
    explicit Flows(const MachineConfig& machine) : machine_(&machine), origin_(machine.levels.size()) {}

    /// Takes the next event of the access at a tick.
    void take(const Event& e, Tick at, const Access& access, const Trace& trace);
    /// Leaves out the accesses before a tick.
    void forgetBefore(Tick from);
    void clear() { *this = Flows(*machine_); }
    /// The number of blocks by route, in key order.
    const std::map<FlowKey, std::uint64_t>& counts() const { return counts_; }
    std::uint64_t total() const { return moves_.size(); }

  private:
    struct Move {
        Tick at;
        FlowKey key;
    };

    const MachineConfig* machine_;
    Origin origin_;
    std::deque<Move> moves_;  ///< oldest first
    std::map<FlowKey, std::uint64_t> counts_;
};

/// By cache in the hierarchy's order, by slot (set * ways + way): the bytes used since the block was filled, as a share
/// of kWholeUse, at least 1 if any byte was used; 0 for an empty way.
using UseShares = std::vector<std::vector<std::uint8_t>>;
inline constexpr std::uint32_t kWholeUse = 254;

/// The used share of each block in the caches, at any time of a run. Keeps the last state, so that times soon after it
/// are cheap; this caching does not affect the results. For one thread.
class UseReader {
  public:
    explicit UseReader(std::shared_ptr<const Run> run) : run_(std::move(run)) {}

    /// The shares after `at` accesses, at most those that are built.
    const UseShares& at(Tick at);

  private:
    void startFrom(const Run::UseAt& kept);

    std::shared_ptr<const Run> run_;
    std::optional<Simulator> machine_;
    std::optional<BlockUse> use_;
    UseShares shares_;
};

/// The use of the blocks in the caches after `at` accesses, at most those that are built.
BlockUse useAt(const Run& run, Tick at);

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

/// Returns snapshots of a run. For one thread.
class SnapshotReader {
  public:
    explicit SnapshotReader(std::shared_ptr<const Run> run) : run_(run), use_(std::move(run)) {}

    const Run& run() const { return *run_; }

    /// The snapshot at time t (clamped to what is built). The reference is valid until the next call.
    const Snapshot& at(double t, const Lookback& lookback);

  private:
    bool canGoOn(Tick to, const Lookback& lookback) const;
    void startAt(Tick from);
    void playTo(Tick to, const Lookback& lookback);
    void playFar(Tick to, const Lookback& lookback, Tick end);
    void playNear(Tick to);
    void trim(Tick at, const Lookback& lookback);

    std::shared_ptr<const Run> run_;
    std::optional<Snapshot> snapshot_;
    Tick flowsFrom_;  ///< since when the flows are known
    std::optional<MissKindReader> kinds_;
    UseReader use_;
};

}  // namespace whorl::sim
