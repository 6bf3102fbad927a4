// The critical path of a run: the chain of what the CPUs did that determined when the run ended. From the end of the
// CPU that finished last it is followed back to where that CPU had waited; there it goes over to the CPU that let it go
// on, and so on until the run's beginning. To make the run shorter, something on it must become shorter.
//
// Source: C.-Q. Yang and B. P. Miller, "Critical path analysis for the execution of parallel and distributed programs",
// 1988; here the lengths are simulated cycles, and messages are locks, barriers and events.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/analysis/cycle_classes.h"
#include "sim/base/progress.h"
#include "sim/cache/cost.h"
#include "sim/replay/run.h"
#include "sim/replay/sync_waits.h"

namespace whorl::sim {

/// What a CPU did on the path: cycles [from, to).
struct PathSegment {
    std::uint8_t cpu = 0;
    Cycles from = 0;
    Cycles to = 0;
    /// What it had waited for until `from`, which the CPU of the segment before let it have; nothing of the first.
    std::optional<WaitFor> waited;
    bool operator==(const PathSegment&) const = default;
};

struct CriticalPath {
    std::vector<PathSegment> segments;  ///< in order of time, from cycle 0 to the end, each begins where the last ends

    Cycles length() const { return segments.empty() ? 0 : segments.back().to - segments.front().from; }
    /// The segment of a cycle; null if it is outside.
    const PathSegment* at(Cycles cycle) const;
    /// Whether a CPU is on the path at a cycle.
    bool contains(std::uint32_t cpu, Cycles cycle) const;
};

/// `waits`: in the order in which they were found while the run was played; `ends`: by CPU, when it finished. Of CPUs
/// that finish at the same time, the first.
CriticalPath criticalPath(std::span<const Wait> waits, std::span<const Cycles> ends);

/// What the path consists of.
struct PathCosts {
    /// The accesses of a source line, or to an object, that are on it at least in part, with the work before each.
    struct Part {
        std::size_t of = 0;
        std::uint64_t accesses = 0;
        std::vector<Cycles> cycles;  ///< by class

        Cycles sum() const;
    };
    CycleClasses classes;
    std::vector<Part> lines;  ///< of SourceLines; the most cycles first
    /// Of an object, by its index in the trace; or else of a region, or none, by its index and the number of objects
    /// more.
    std::vector<Part> objects;
    std::vector<Cycles> ofNone;  ///< by class: what belongs to no access, such as work that none follows
};

/// Plays a complete run. Progress is in accesses. Nothing when cancelled.
std::optional<PathCosts> costsOf(const Run& run, const CriticalPath& path, Progress& progress);

}  // namespace whorl::sim
