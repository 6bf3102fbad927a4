// The data of the optimized loop (simple_loop.h): the bare arrays of a simple machine, and its counts.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "sim/cache/cache.h"
#include "sim/cache/event.h"
#include "sim/machine/machine_config.h"

namespace whorl::sim {

class Hierarchy;

/// Whether a machine is simple: one CPU, no TLB, unbounded memory, and in all levels LRU, write-back with allocation
/// and no prefetcher. Blocks of one byte are excluded: the last block's number would be Cache::kNoBlock, which the loop
/// takes for a free way.
inline bool isSimpleMachine(const MachineConfig& machine) {
    const auto isSimpleLevel = [](const LevelConfig& level) {
        return level.policy == Policy::lru && !level.writeThrough && level.allocate &&
               level.prefetch == Prefetcher::none && level.block > 1;
    };
    const bool translates = machine.tlb.entries > 0 || machine.memory.isBounded();
    return !machine.levels.empty() && machine.cpus == 1 && !translates && machine.conventions == Conventions{} &&
           std::all_of(machine.levels.begin(), machine.levels.end(), isSimpleLevel);
}

/// The minimal counters of a level. The others follow: an exclusive level fills the blocks that the nearer level evicts
/// and moves out those that are read; in any other level every miss fills. A fill evicts unless it occupies a new way.
struct SimpleCounts {
    std::uint64_t readHits = 0;
    std::uint64_t writeHits = 0;
    std::uint64_t readMisses = 0;
    std::uint64_t writeMisses = 0;
    std::uint64_t newWays = 0;  ///< fills into a free way
    std::uint64_t writebacks = 0;
    std::uint64_t backInvalidations = 0;
    std::uint64_t idleReads = 0;  ///< reads for which no CPU waits: fetches caused by write-backs that missed
};

struct SimpleRun {
    /// `hierarchy` must be a simple machine and outlive this; its caches must not be replaced.
    explicit SimpleRun(Hierarchy& hierarchy);

    std::size_t levels;
    RawCache caches[kMaxLevels] = {};
    SimpleCounts counts[kMaxLevels + 1] = {};  ///< the last is that of memory, where every request is a hit
    bool isTree = false;                       ///< some level is inclusive or exclusive
    std::size_t mostEvents = kMaxEvents;       ///< maximum number of events for one block of an access
    Event* next = nullptr;                     ///< where events are written; null if none are wanted
    Event* end = nullptr;
    std::uint32_t* hits = nullptr;  ///< where the positions of simple hits are written; null if those are events too
    std::uint64_t reads = 0;        ///< loads
    std::uint64_t writes = 0;       ///< stores
    std::uint32_t firstAccess = 0;  ///< batch index of the first access
    bool unrecorded = false;        ///< whether to simulate unrecorded accesses or recorded ones

    /// The maximum without back-invalidations: each level can get two blocks or requests from the nearer level.
    static constexpr std::size_t kMaxEvents = std::size_t{8} << kMaxLevels;
};

}  // namespace whorl::sim
