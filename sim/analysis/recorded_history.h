// The counts in the recording of a trace, without a simulation: what each cache loaded, replaced and lost, and what
// each CPU did and waited. The costs of source lines, objects and words are those of the recorded history
// (history_of.h), from which the views are drawn; both are made here, and a test compares the sums.
//
// Source: the trace messages of H. A. Goosen et al., "Chiron: Interactive 3D visualization of parallel program memory
// performance".
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/analysis/history.h"
#include "sim/base/types.h"
#include "sim/cache/cost.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// The recorded events of a cache.
struct RecordedCache {
    std::uint64_t loads = 0;
    std::uint64_t exclusiveLoads = 0;  ///< loads while no other cache held the block
    std::uint64_t replacements = 0;
    std::uint64_t dirtyReplacements = 0;  ///< replacements of dirty blocks
    std::uint64_t invalidations = 0;
    std::uint64_t dirtyInvalidations = 0;  ///< invalidations of dirty blocks
    std::uint64_t upgrades = 0;            ///< write permission gained

    RecordedCache& operator+=(const RecordedCache& more);
    bool operator==(const RecordedCache&) const = default;
};

struct RecordedCpu {
    std::uint64_t reads = 0;
    std::uint64_t writes = 0;
    std::uint64_t waits = 0;  ///< accesses that waited
    Cycles cycles = 0;        ///< access cycles that they waited

    std::uint64_t accesses() const { return reads + writes; }
    bool operator==(const RecordedCpu&) const = default;
};

struct RecordedLevel {
    std::string name;
    std::uint32_t blockSize = 0;     ///< bytes
    std::uint32_t cpusPerCache = 1;  ///< neighbouring CPUs that share a cache
    std::vector<RecordedCache> caches;

    RecordedCache ofAll() const;
};

struct RecordedCounts {
    std::vector<RecordedCpu> cpus;
    std::vector<RecordedLevel> levels;
    std::vector<Cost> regions;  ///< by index in the trace; the last: accesses in no region
    Cycles elapsed = 0;         ///< from the beginning of the range to its end

    RecordedCpu ofAllCpus() const;
};

/// The counts over the range of a history that was made from the recording in the trace, which must have one.
RecordedCounts recordedCounts(const Trace& trace, const History& recorded);

}  // namespace whorl::sim
