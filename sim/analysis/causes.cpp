#include "sim/analysis/causes.h"

#include <map>

#include "sim/base/containers.h"
#include "sim/replay/replay.h"

namespace whorl::sim {

namespace {

/// For each block in each cache: the cell of the access that evicted it, if it left by an eviction.
class Evictors {
  public:
    Evictors(std::uint32_t caches, std::uint64_t group) : caches_(caches), group_(group) {}

    void evicted(const Event& e, ByteAddress by) { at(e) = {.cell = by.value / group_, .isKnown = true}; }
    void leftOtherwise(const Event& e) { at(e) = {}; }
    void count(const Event& miss, Causes& causes) {
        const Last& last = at(miss);
        if (last.isKnown) {
            ++misses_[last.cell];
        } else {
            ++causes.others;
        }
    }
    void finish(Causes& causes) const {
        causes.misses.reserve(misses_.size());
        for (const auto& [cell, misses] : misses_) causes.misses.emplace_back(ByteAddress{cell * group_}, misses);
    }

  private:
    struct Last {
        std::uint64_t cell = 0;
        bool isKnown = false;
    };

    Last& at(const Event& e) {
        const std::size_t place = std::size_t{ids_.of(e.block)} * caches_ + e.cache;
        if (place >= last_.size()) last_.resize(ids_.size() * caches_);
        return last_[place];
    }

    std::uint32_t caches_;
    std::uint64_t group_;
    BlockIds ids_;
    std::vector<Last> last_;                         ///< by block and cache
    std::map<std::uint64_t, std::uint64_t> misses_;  ///< by cell
};

}  // namespace

std::optional<Causes> causesOf(const Run& run, Range range, std::size_t level, ByteAddress victims, std::uint64_t bytes,
                               std::uint64_t group, Progress& progress) {
    const MachineConfig& machine = run.machine();
    if (level >= machine.levels.size()) return Causes{.group = group, .misses = {}, .others = 0};
    const std::uint64_t size = machine.levels[level].block;
    Causes causes{.group = group, .misses = {}, .others = 0};
    Evictors evictors(machine.caches(level), group);
    CallingObserver observer(Observer::Wants::hitsApart, [&](const Batch& batch) {
        for (const Event& e : batch.events) {
            if (e.level != level || !overlap(ByteAddress{e.block.value * size}, size, victims, bytes)) continue;
            const PackedAccess& access = batch.accesses[e.access];
            if (e.kind == EventKind::eviction) evictors.evicted(e, access.address());
            if (e.kind == EventKind::invalidation || e.kind == EventKind::moved) evictors.leftOtherwise(e);
            if (e.kind != EventKind::miss || access.unrecorded()) continue;
            const bool isIn = range.contains(Tick{batch.first.value + e.access});
            if (isIn && e.counts()) evictors.count(e, causes);
        }
    });
    // Blocks evicted before the range may miss in it.
    Simulator simulator = run.stateAt(Tick{0});
    progress.start(range.to.value);
    if (!replay(run.trace(), simulator, {Tick{0}, range.to}, observer, progress)) return std::nullopt;
    evictors.finish(causes);
    return causes;
}

}  // namespace whorl::sim
