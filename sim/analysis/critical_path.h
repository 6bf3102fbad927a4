// The critical path of a run: the chain of work by the CPUs that determined when the run ended. It is followed back
// from the end of the CPU that finished last to where that CPU had waited; there it continues on the CPU that ended the
// wait, and so on to the beginning of the run. To make the run shorter, something on the path must become shorter.
//
// Source: C.-Q. Yang and B. P. Miller, "Critical path analysis for the execution of parallel and distributed programs",
// 1988; here the lengths are simulated cycles, and messages are locks, barriers and events.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/analysis/cycle_walk.h"
#include "sim/base/progress.h"
#include "sim/cache/cost.h"
#include "sim/replay/clock.h"
#include "sim/replay/run.h"

namespace whorl::sim {

/// What a CPU did on the path: cycles [from, to).
struct PathSegment {
    std::uint8_t cpu = 0;
    Cycles from = 0;
    Cycles to = 0;
    /// What the CPU had waited for until `from`, when the CPU of the previous segment released it; empty for the first
    /// segment.
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
/// that finish last at the same time, the path ends on the first.
CriticalPath criticalPath(std::span<const Wait> waits, std::span<const Cycles> ends);

/// What the path consists of.
struct PathCosts {
    /// The accesses by a source line, or to an object, that lie on the path at least in part, with the work before
    /// each.
    struct Part {
        std::size_t of = 0;
        std::uint64_t accesses = 0;
        std::vector<Cycles> cycles;  ///< by class

        Cycles sum() const;
    };
    CycleClasses classes;
    std::vector<Part> lines;  ///< `of`: number in SourceLines; the most cycles first
    /// `of`: index of an object in the trace; or the number of objects plus the index of a region, or plus the number
    /// of regions for no region. The most cycles first.
    std::vector<Part> objects;
    std::vector<Cycles> ofNone;  ///< by class: cycles that belong to no access, such as work before no access
};

/// Plays a complete run. Progress is in accesses. Nothing when cancelled.
std::optional<PathCosts> costsOf(const Run& run, const CriticalPath& path, Progress& progress);

}  // namespace whorl::sim
