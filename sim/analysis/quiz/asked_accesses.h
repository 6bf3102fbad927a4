// The accesses of a range that a level can be asked about, in order, with what each did in its set there. What such an
// access does follows from what the set held before: where something else changes the set first, such as a write-back
// of another block or a page that leaves, the access cannot be asked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>

#include "sim/base/progress.h"
#include "sim/base/types.h"
#include "sim/cache/event.h"
#include "sim/replay/run.h"
#include "sim/replay/totals/miss_kind.h"

namespace whorl::sim {

struct AskedAccess {
    Tick tick;
    std::uint64_t place = 0;  ///< a number for its set, of all of the level's caches
    bool hit = false;
    bool evicts = false;                   ///< a block of the set, to make room
    bool disturbed = false;                ///< something else changed its set right after: a prefetch, a write-back
    MissKind kind = MissKind::compulsory;  ///< of a miss
};

class AskedAccesses {
  public:
    AskedAccesses(const MachineConfig& machine, std::size_t level, std::function<void(const AskedAccess&)> on)
        : machine_(machine), level_(level), on_(std::move(on)) {}

    /// To be told of sets that change, or whose blocks are used, by anything else: prefetches, write-backs, other CPUs,
    /// accesses that cannot be asked. Of the set of an access that is asked, the access itself tells.
    void onOtherChange(std::function<void(std::uint64_t place)> on) { other_ = std::move(on); }

    /// False when cancelled.
    bool read(const Run& run, Range range, Progress& progress);

  private:
    std::uint64_t placeOf(const Event& e) const;
    void take(Tick tick, const PackedAccess& packed, std::span<const Event> events, MissKindReader& kinds);
    bool fills(const Event& miss) const;
    bool follows(AskedAccess& own, std::span<const Event> events) const;
    void tellOthers(const std::optional<AskedAccess>& own, std::span<const Event> events) const;

    const MachineConfig& machine_;
    std::size_t level_;
    std::function<void(const AskedAccess&)> on_;
    std::function<void(std::uint64_t)> other_;
};

}  // namespace whorl::sim
